"""Laws of pacing inside one actor."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from judgeray.core.call import Call
from judgeray.core.reply import Reply
from judgeray.engine.keepers import LocalKeeper
from judgeray.engine.limits import BURST_SECONDS, LimitKeeper
from judgeray.engine.pace import Pace, estimated_input_tokens
from judgeray.engine.ramp import Ramp
from judgeray.providers.account import Limits


def started(limits: Limits, calls: list[Call], seconds: float, actors: int = 1) -> list[float]:
    """Start times of calls that all wait at once, dealt to so many actors of one account."""
    times: list[float] = []

    async def one(pace: Pace, call: Call) -> None:
        await pace.wait(call)
        times.append(time.monotonic())

    async def go() -> None:
        keeper = LocalKeeper(LimitKeeper(limits))
        paces = [Pace(keeper, f"actor {n}") for n in range(actors)]
        tasks = [asyncio.create_task(one(paces[n % actors], call)) for n, call in enumerate(calls)]
        await asyncio.sleep(seconds)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    asyncio.run(go())
    return times


def calls(count: int, characters: int = 40) -> list[Call]:
    """Calls of a stated length."""
    return [Call("openai", "m", None, "x" * characters, replicate=n) for n in range(count)]


def test_no_limit_lets_all_through() -> None:
    """An account without limits is not slowed."""
    assert len(started(Limits(), calls(500), 0.3)) == 500


def test_request_limit_holds_without_burst() -> None:
    """No more start than rate x time and half a second's worth, whatever the number of actors."""
    for actors in (1, 3):
        times = started(Limits(requests_per_minute=1200), calls(300), 1.5, actors)
        assert len(times) <= 20 * (1.5 + BURST_SECONDS) + actors
        assert len(times) >= 15


def test_token_limit_counts_the_length_of_calls() -> None:
    """Long calls use up more of the input limit; one larger than a lease still gets through."""
    limits = Limits(input_tokens_per_minute=60_000)
    short, long = (len(started(limits, calls(200, size), 0.8)) for size in (400, 4000))
    assert 0 < long < short
    assert started(Limits(input_tokens_per_minute=600), calls(1, 4000), 0.5)


def test_estimates_follow_what_replies_say(make_reply: Callable[..., Reply]) -> None:
    """Costs move towards the tokens that replies report, so that limits are used and not overrun."""

    async def go() -> tuple[float, float]:
        pace = Pace(LocalKeeper(LimitKeeper(Limits())), "a")
        (call,) = calls(1, 400)
        for _ in range(200):
            pace.settle(call, await pace.wait(call), make_reply(call))  # 10 tokens in, 5 out
        cost = pace.cost(call)
        return cost["input_tokens"], cost["output_tokens"]

    used_in, used_out = asyncio.run(go())
    assert abs(used_in - 10) < 1
    assert abs(used_out - 5) < 1


def test_busy_holds_everything_back() -> None:
    """While the provider asked for a pause, no call starts."""

    async def go() -> float:
        pace = Pace(LocalKeeper(LimitKeeper(Limits())), "a")
        await pace.busy(0.2)
        start = time.monotonic()
        await pace.wait(calls(1)[0])
        return time.monotonic() - start

    assert asyncio.run(go()) >= 0.19


def test_ramp_doubles_and_ends() -> None:
    """Few calls start at first, then twice as many per window, then all."""

    async def go() -> list[float]:
        ramp, times = Ramp(4, 64), list[float]()
        start = time.monotonic()

        async def one() -> None:
            await ramp.wait()
            times.append(time.monotonic() - start)

        for _ in range(12):
            await asyncio.gather(*(one() for _ in range(20)))
        return times

    times = asyncio.run(go())
    assert sum(at < 0.05 for at in times) <= 5
    assert len(times) == 240
    assert times[-1] < 3


def test_estimate_is_a_quarter_of_the_characters() -> None:
    """The rule that limits and plans share, rounded up."""
    assert estimated_input_tokens(Call("openai", "m", "abcd", "efghi")) == 3
