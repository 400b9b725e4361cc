"""Laws of accounts at scale: amounts are proportional, the slowest limit binds, batches obey their caps."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgeray.engine.limits import HEADROOM
from judgeray.engine.rounds import WINDOW_CALLS
from judgeray.providers.account import Account, BatchSettings, Limits
from judgeray.providers.connect import batch_caps
from judgeray.run.scale.accounts import Bound, scaled_accounts
from judgeray.run.scale.mix import ArmMix, Mix
from tests.run.scale.mixes import arm, mix, mixes

ROWS = st.integers(1, 10**9)
MILLION = 1_000_000


@given(mixes(), ROWS)
def test_twice_the_rows_are_twice_the_calls_tokens_and_dollars(made: Mix, rows: int) -> None:
    """Everything that is bought is proportional to rows, but for rounding up."""
    once, twice = scaled_accounts(made, rows), scaled_accounts(made, 2 * rows)
    for name in made.accounts:
        for part in ("calls", "input_tokens", "output_tokens"):
            assert getattr(twice[name], part) == pytest.approx(2 * getattr(once[name], part), rel=1e-9, abs=1.01)
        assert twice[name].cost.value_usd == pytest.approx(2 * (once[name].cost.value_usd or 0.0))


@given(mixes(), ROWS, ROWS)
def test_more_rows_never_take_less(made: Mix, rows: int, further: int) -> None:
    """Times, batches and cores are monotone in rows."""
    few, many = scaled_accounts(made, rows), scaled_accounts(made, rows + further)
    for name in made.accounts:
        assert many[name].realtime.hours >= few[name].realtime.hours
        assert many[name].core_hours >= few[name].core_hours
        assert many[name].batches >= few[name].batches
        after, before = many[name].batch, few[name].batch
        if after is not None and before is not None:
            assert after.hours >= before.hours


@pytest.mark.parametrize(
    ("limits", "binding", "hours"),
    [
        ({"requests_per_minute": 1_000, "tokens_per_minute": 1_000_000}, "requests_per_minute", 1_000 / 60),
        ({"requests_per_minute": 1_000, "tokens_per_minute": 200_000}, "tokens_per_minute", 2_000 / 60),
        (
            {"input_tokens_per_minute": 100_000, "output_tokens_per_minute": 10_000_000},
            "input_tokens_per_minute",
            50,
        ),
    ],
)
def test_slowest_limit_binds(limits: dict[str, int], binding: str, hours: float) -> None:
    """A million calls of 300 and 100 tokens take as long as the limit that lets them through slowest."""
    account = Account("openai", "openai", concurrency=4096, actors=64, limits=Limits(**limits))
    found = scaled_accounts(mix(arm(), openai=account), MILLION)["openai"].realtime
    assert found.by == binding
    assert found.hours == pytest.approx(hours / HEADROOM)


def test_day_limit_binds_where_it_is_slower() -> None:
    """A million calls at 100,000 a day are ten days, whatever a minute allows."""
    account = Account("openai", "openai", limits=Limits(requests_per_minute=10**6, requests_per_day=100_000))
    assert scaled_accounts(mix(arm(), openai=account), MILLION)["openai"].realtime == Bound(
        240.0, "requests_per_day"
    )


def test_without_limits_places_or_cores_bind() -> None:
    """Slow replies fill the places for calls in flight; fast ones keep the actor's core busy."""
    slow = scaled_accounts(mix(arm(), latency_seconds=64.0), MILLION)["openai"].realtime
    assert slow.by == "actors x concurrency"
    assert slow.hours == pytest.approx(MILLION / 3600)
    assert scaled_accounts(mix(arm(), latency_seconds=0.01), MILLION)["openai"].realtime.by == "actors"


@given(mixes(), ROWS)
def test_binding_limit_is_named_and_never_quicker_than_another(made: Mix, rows: int) -> None:
    """Without any one limit, a run is no slower; without the one that binds, no bound by that name is left."""
    account = made.accounts.get("openai")
    if account is None:
        return
    bound = scaled_accounts(made, rows)["openai"].realtime
    for name, limit in vars(account.limits).items():
        freed = Account(**{**vars(account), "limits": Limits(**{**vars(account.limits), name: None})})
        without = scaled_accounts(Mix(**{**vars(made), "accounts": {**made.accounts, "openai": freed}}), rows)
        assert without["openai"].realtime.hours <= bound.hours
        if limit is not None:
            assert without["openai"].realtime.by != name


def test_batches_hold_one_model_and_no_more_than_the_provider_takes() -> None:
    """Calls of two models are cut apart, each by the provider's cap or the manifest's smaller one."""
    most = batch_caps("openai").most_requests
    two = (arm(model="a"), arm(model="b"))
    assert scaled_accounts(mix(*two), most)["openai"].batches == 2
    assert scaled_accounts(mix(*two), most + 1)["openai"].batches == 4
    small = Account("openai", "openai", batch=BatchSettings(most_requests=100))
    assert scaled_accounts(mix(arm(), openai=small), 1_000)["openai"].batches == 10


def test_long_prompts_fill_batches_by_bytes() -> None:
    """Where a prompt is long, the body's size is reached before the number of requests."""
    long = ArmMix("openai", "gpt-4.1", 1.0, 25_000.0, 100.0, 0.1)
    batches = scaled_accounts(mix(long), 10_000)["openai"].batches
    assert batches == pytest.approx(10_000 * 100_512 / (0.95 * batch_caps("openai").most_bytes), abs=1)


def test_rounds_batches_at_once_or_tokens_bind_batches() -> None:
    """At most, each wave of batches takes the whole window of a day."""
    rounds = scaled_accounts(mix(arm()), 3 * WINDOW_CALLS)["openai"].batch
    assert rounds == Bound(72.0, f"{WINDOW_CALLS:,} calls a round")
    few = Account("openai", "openai", batch=BatchSettings(most_open=1))
    found = scaled_accounts(mix(arm(), openai=few), 10 * batch_caps("openai").most_requests)["openai"].batch
    assert found == Bound(240.0, "batch.most_open")
    tight = Account("openai", "openai", batch=BatchSettings(most_enqueued_tokens=3_000_000))
    enqueued = scaled_accounts(mix(arm(), openai=tight), 100_000)["openai"].batch
    assert enqueued == Bound(240.0, "batch.most_enqueued_tokens")


def test_in_process_calls_cost_cores_alone() -> None:
    """A judge that is computed here has no tokens, no dollars of a provider and no batch API."""
    free = ArmMix("lexical", "coverage-v1", 1.0, 0.0, 0.0, 0.0)
    account = Account("lexical", "lexical", actors=2)
    found = scaled_accounts(mix(free, lexical=account), MILLION)["lexical"]
    assert (found.input_tokens, found.batches, found.batch, found.cost.value_usd) == (0, 0, None, 0.0)
    assert found.realtime == Bound(found.core_hours / 2, "actors")


def test_unknown_price_stays_unknown_and_a_pilot_gives_an_interval() -> None:
    """No price is made up; kept replies tell how far the sum may be off."""
    unknown = ArmMix("openai", "own", 1.0, 300.0, 100.0, None)
    assert scaled_accounts(mix(unknown), 100)["openai"].cost.value_usd is None
    piloted = ArmMix("openai", "gpt-4.1", 1.0, 300.0, 100.0, 0.5, [0.001, 0.003] * 20)
    cost = scaled_accounts(mix(piloted), MILLION)["openai"].cost
    assert cost.value_usd == pytest.approx(2_000.0)
    assert cost.low_usd is not None
    assert cost.low_usd < 2_000.0 < (cost.high_usd or 0.0)
