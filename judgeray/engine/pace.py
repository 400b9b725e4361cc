"""Pacing inside one actor: calls start evenly below the account's limits, without bursts."""

from __future__ import annotations

import asyncio
import math

from aiolimiter import AsyncLimiter

from judgeray.core.call import Call
from judgeray.providers.account import Limits

HEADROOM = 0.95
"""Share of a limit that is used; leases and clocks are not exact."""

WINDOW_SECONDS = 0.5
"""aiolimiter lets a whole window's worth through at once, so windows are short."""

CHARACTERS_PER_TOKEN = 4.0
EXPECTED_OUTPUT_TOKENS = 300


class Pace:
    """Holds calls back so that this actor's share of the account's limits is kept."""

    def __init__(self, limits: Limits, actors: int) -> None:
        self._requests = _limiter(limits.requests_per_minute, actors)
        self._input = _limiter(limits.input_tokens_per_minute, actors)
        self._output = _limiter(limits.output_tokens_per_minute, actors)
        self._open_at = 0.0

    async def wait(self, call: Call) -> None:
        """Return when this call may be sent."""
        await asyncio.sleep(max(0.0, self._open_at - asyncio.get_running_loop().time()))
        await _take(self._requests, 1)
        await _take(self._input, estimated_input_tokens(call))
        await _take(self._output, EXPECTED_OUTPUT_TOKENS)

    def hold(self, seconds: float) -> None:
        """Let nothing through for a while: the account said that it is busy."""
        self._open_at = max(self._open_at, asyncio.get_running_loop().time() + seconds)


def estimated_input_tokens(call: Call) -> int:
    """Estimate the input tokens of a call from its characters."""
    return math.ceil((len(call.system or "") + len(call.user)) / CHARACTERS_PER_TOKEN)


def _limiter(per_minute: int | None, actors: int) -> AsyncLimiter | None:
    if per_minute is None:
        return None
    return AsyncLimiter(max(per_minute * HEADROOM / actors / 60 * WINDOW_SECONDS, 1e-6), WINDOW_SECONDS)


async def _take(limiter: AsyncLimiter | None, amount: float) -> None:
    """Take an amount that may be larger than a window in pieces that fit."""
    while limiter is not None and amount > 0:
        piece = min(amount, limiter.max_rate)
        await limiter.acquire(piece)
        amount -= piece
