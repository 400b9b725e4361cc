"""Slow start: a new actor opens its connections in growing handfuls instead of all at once."""

from __future__ import annotations

import asyncio

from aiolimiter import AsyncLimiter

WINDOW_SECONDS = 0.25
"""Starts double from window to window. Providers answer steep ramps with 429s (Anthropic's acceleration limit)."""


class Ramp:
    """Lets few calls start in the first window after the first reply, then twice as many in each."""

    def __init__(self, first: int, most: int) -> None:
        self._starts, self._most = float(first), most
        self._limiter: AsyncLimiter | None = None
        self._window_ends = 0.0
        self._over = False

    async def wait(self) -> None:
        """Return when this call may start; at once, when the ramp is over."""
        if self._over:
            return
        now = asyncio.get_running_loop().time()
        if self._limiter is None or now >= self._window_ends:
            self._limiter = AsyncLimiter(self._starts, WINDOW_SECONDS)
            self._starts, self._window_ends = self._starts * 2, now + WINDOW_SECONDS
            self._over = self._starts > 2 * self._most
        await self._limiter.acquire()
