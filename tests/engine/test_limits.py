"""Laws of the limit keeper: what it hands out never exceeds the limit, whoever asks and however."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgeray.engine.limits import BUCKETS, BURST_SECONDS, CUT, DAY_OVER, FREE, FREE_SECONDS, HEADROOM, LimitKeeper
from judgeray.providers.account import Limits


class Clock:
    """A clock that only moves when told."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        """Seconds."""
        return self.now


def wish(**amounts: float) -> dict[str, float]:
    """A wish for some buckets, nothing of the others."""
    return {name: amounts.get(name, 0.0) for name in BUCKETS}


@given(
    steps=st.lists(
        st.tuples(st.sampled_from("abc"), st.floats(0, 500), st.floats(0, 0.5)), min_size=1, max_size=200
    )
)
def test_leases_never_exceed_the_limit(steps: list[tuple[str, float, float]]) -> None:
    """Over any time, all actors together get at most rate x time plus half a second's worth."""
    clock = Clock()
    keeper = LimitKeeper(Limits(requests_per_minute=600), clock)
    given_out = 0.0
    for actor, wished, pause in steps:
        clock.now += pause
        given_out += keeper.lease(actor, wish(requests=wished))["requests"]
    elapsed = clock.now - 100.0
    assert given_out <= (elapsed + BURST_SECONDS) * 10 * HEADROOM + 1e-6


def test_steady_demand_uses_the_whole_limit() -> None:
    """Two actors that always want more share everything there is, about evenly."""
    clock = Clock()
    keeper = LimitKeeper(Limits(input_tokens_per_minute=60_000), clock)
    got = {"a": 0.0, "b": 0.0}
    for _ in range(600):
        clock.now += 0.05
        for actor in got:
            got[actor] += keeper.lease(actor, wish(input_tokens=5_000))["input_tokens"]
    total = sum(got.values())
    assert total == pytest.approx(30 * 1000 * HEADROOM, rel=0.02)
    assert min(got.values()) > 0.3 * total


def test_idle_actor_strands_no_budget() -> None:
    """An actor that wants nothing any more leaves its share to the others."""
    clock = Clock()
    keeper = LimitKeeper(Limits(requests_per_minute=600), clock)
    keeper.lease("idle", wish(requests=1000))
    got = 0.0
    for _ in range(400):
        clock.now += 0.05
        got += keeper.lease("busy", wish(requests=100))["requests"]
    assert got == pytest.approx(20 * 10 * HEADROOM, rel=0.1)


def test_unlimited_buckets_give_what_is_asked() -> None:
    """Where no limit is set or known, nothing is held back, and calls may go for a moment without asking."""
    keeper = LimitKeeper(Limits(), Clock())
    given = keeper.lease("a", wish(requests=1e6, tokens=1e9))
    assert given == {**wish(requests=1e6, tokens=1e9), FREE: FREE_SECONDS}
    limited = LimitKeeper(Limits(requests_per_minute=60), Clock())
    assert FREE not in limited.lease("a", wish(requests=1))


def saturate(keeper: LimitKeeper, clock: Clock, seconds: float) -> float:
    """Want more than there is for a while; returns what was given."""
    got = 0.0
    for _ in range(int(seconds / 0.05)):
        clock.now += 0.05
        got += keeper.lease("a", wish(requests=1000))["requests"]
    return got


def test_busy_cuts_a_rate_in_use_once_a_second() -> None:
    """A storm of 429s is one cut; quiet time gives the rate back, and the history tells."""
    clock = Clock()
    keeper = LimitKeeper(Limits(requests_per_minute=600), clock)
    saturate(keeper, clock, 4)
    before = saturate(keeper, clock, 2)
    for _ in range(50):
        keeper.busy()
    after = saturate(keeper, clock, 2)
    assert after == pytest.approx(before * CUT, rel=0.05)
    saturate(keeper, clock, 30)
    assert saturate(keeper, clock, 2) == pytest.approx(before, rel=0.02)
    events = [mark["event"] for mark in keeper.history]
    assert events[0] == "busy"
    assert set(events[1:]) == {"recovered"}


def test_busy_does_not_cut_a_rate_that_is_not_in_use() -> None:
    """The saturation gate: a 429 while far below the limit has another cause, and cutting would not help."""
    clock = Clock()
    keeper = LimitKeeper(Limits(requests_per_minute=6000), clock)
    clock.now += 5
    keeper.lease("a", wish(requests=1))
    keeper.busy()
    assert keeper.history == []


def test_unknown_limit_is_found_from_the_rate_at_the_first_429() -> None:
    """Without configuration or headers, the first busy answer turns the rate in use into a limit."""
    clock = Clock()
    keeper = LimitKeeper(Limits(), clock)
    for _ in range(40):
        clock.now += 0.05
        keeper.lease("a", wish(requests=1))
    keeper.busy()
    got = saturate(keeper, clock, 2)
    assert got == pytest.approx(2 * 20 * HEADROOM * CUT, rel=0.35)


def test_guessed_limit_grows_while_nothing_is_refused() -> None:
    """A limit that was only guessed does not hold a run down for ever."""
    clock = Clock()
    keeper = LimitKeeper(Limits(), clock)
    for _ in range(40):
        clock.now += 0.05
        keeper.lease("a", wish(requests=1))
    keeper.busy()
    early = saturate(keeper, clock, 2)
    saturate(keeper, clock, 120)
    assert saturate(keeper, clock, 2) > 2 * early


def test_busy_answer_to_a_trickle_guesses_nothing() -> None:
    """One 429 in a slow run says nothing about a limit; its own wait is enough."""
    clock = Clock()
    keeper = LimitKeeper(Limits(), clock)
    keeper.lease("a", wish(requests=1))
    keeper.busy()
    assert keeper.lease("a", wish(requests=1e6))["requests"] == 1e6


def test_headers_teach_but_never_exceed_the_manifest() -> None:
    """A limit in a response header is taken where none is set; a smaller one in the manifest stays."""
    clock = Clock()
    keeper = LimitKeeper(Limits(requests_per_minute=60), clock)
    keeper.learn({"requests": 6000.0, "tokens": 60_000.0})
    got = saturate(keeper, clock, 10)
    assert got <= (10 + BURST_SECONDS) * 1 * HEADROOM + 1e-6
    assert keeper.lease("a", wish(tokens=1e9))["tokens"] < 1000


def test_day_limit_ends_the_day() -> None:
    """What was sent today counts, the rest is handed out, and then the lease says that the day is over."""
    keeper = LimitKeeper(Limits(requests_per_day=10), Clock(), used_today=4)
    assert keeper.lease("a", wish(requests=5))["requests"] == 5
    assert keeper.lease("b", wish(requests=5))["requests"] == 1
    assert DAY_OVER in keeper.lease("a", wish(requests=1))
    assert DAY_OVER not in LimitKeeper(Limits(), Clock()).lease("a", wish(requests=1))
