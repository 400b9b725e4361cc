"""Laws of pacing inside one actor."""

from __future__ import annotations

import asyncio
import time

from judgeray.core.call import Call
from judgeray.engine.pace import HEADROOM, Pace, estimated_input_tokens
from judgeray.providers.account import Limits


def started(limits: Limits, calls: list[Call], seconds: float, actors: int = 1) -> list[float]:
    """Start times of calls that all wait at once, over so many seconds."""
    times: list[float] = []

    async def one(pace: Pace, call: Call) -> None:
        await pace.wait(call)
        times.append(time.monotonic())

    async def go() -> None:
        pace = Pace(limits, actors)
        tasks = [asyncio.create_task(one(pace, call)) for call in calls]
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
    assert len(started(Limits(), calls(500), 0.2)) == 500


def test_request_limit_holds_without_burst() -> None:
    """No more start than the limit allows plus one short window; a minute's worth never starts at once."""
    per_minute, seconds = 1200, 1.5
    times = started(Limits(requests_per_minute=per_minute), calls(400), seconds)
    allowed = per_minute / 60 * HEADROOM * (seconds + 0.5)
    assert len(times) <= allowed + 1
    assert len(times) >= 10


def test_actors_share_the_limit() -> None:
    """Two actors each take half."""
    one = len(started(Limits(requests_per_minute=2400), calls(400), 0.6))
    half = len(started(Limits(requests_per_minute=2400), calls(400), 0.6, actors=2))
    assert half < one


def test_token_limit_counts_the_length_of_calls() -> None:
    """Long calls use up more of the input limit; one larger than a window still gets through."""
    limits = Limits(input_tokens_per_minute=60_000)
    short, long = (len(started(limits, calls(200, size), 0.8)) for size in (400, 4000))
    assert 0 < long < short
    assert started(Limits(input_tokens_per_minute=6_000), calls(1, 400), 1.5)


def test_estimate_is_a_quarter_of_the_characters() -> None:
    """The rule that limits and plans share, rounded up."""
    assert estimated_input_tokens(Call("openai", "m", "abcd", "efghi")) == 3
