"""Pacing inside one actor: calls start in order, each when the account's budget lets it."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable, Mapping
from typing import Protocol

from judgeray.core.call import Call
from judgeray.core.reply import Reply
from judgeray.engine.limits import BUCKETS, DAY_OVER, FREE, Amounts

LEASE_SECONDS = 0.1
"""How often an actor with calls waiting asks for its share."""

LEASE_DEADLINE_SECONDS = 30.0
CHARACTERS_PER_TOKEN = 4.0
FIRST_OUTPUT_TOKENS = 300.0
"""Output tokens that a call is expected to write until replies tell better."""

MEMORY = 0.95
"""Weight of the past in the running mean of output tokens and of true over estimated input tokens."""


class Keeper(Protocol):
    """Whoever keeps the account's limits: in this process, or a Ray actor for all."""

    async def lease(self, actor: str, wish: Amounts) -> Mapping[str, float]:
        """Ask for amounts; get what may be used now."""
        ...

    async def busy(self) -> None:
        """Say that the provider answered that it is busy."""
        ...

    async def learn(self, seen: Mapping[str, float]) -> None:
        """Say what limits the provider's headers state."""
        ...


class DayOverError(Exception):
    """The account's requests of this day are used up: the pool stops it."""


class Pace:
    """Holds calls back so that the account's limits are kept over all its actors."""

    def __init__(
        self, keeper: Keeper, actor: str, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    ) -> None:
        self._keeper, self._actor, self._sleep = keeper, actor, sleep
        self._balance = dict.fromkeys(BUCKETS, 0.0)
        self._turn = asyncio.Lock()
        self._waiting: dict[int, Amounts] = {}
        self._open_at = self._free_until = 0.0
        self._seen: dict[str, float] = {}
        self._output, self._input_ratio = FIRST_OUTPUT_TOKENS, 1.0

    async def wait(self, call: Call) -> Amounts:
        """Return, in the order asked, when this call may be sent; gives the cost that was set aside for it.

        Raises DayOverError where the account's requests of this day are used up.
        """
        cost = self.cost(call)
        self._waiting[id(cost)] = cost
        try:
            async with self._turn:
                await self._sleep(max(0.0, self._open_at - asyncio.get_running_loop().time()))
                while not self._enough(cost):
                    await self._lease(cost)
                self._spend(cost)
        finally:
            del self._waiting[id(cost)]
        return cost

    @property
    def waiting(self) -> int:
        """Calls that wait to be let through now."""
        return len(self._waiting)

    def cost(self, call: Call) -> dict[str, float]:
        """What a call is expected to use of each bucket."""
        tokens_in = estimated_input_tokens(call) * self._input_ratio
        cap = call.parameters.get("max_output_tokens")
        # OpenAI, which alone counts both together, charges the larger of the output cap and its estimate of the
        # input (rate limits guide); without a cap, what is expected to be written counts.
        together = max(tokens_in, float(cap)) if isinstance(cap, int) else tokens_in + self._output
        return {
            "requests": 1.0,
            "input_tokens": tokens_in,
            "output_tokens": self._output,
            "tokens": together,
        }

    def settle(self, call: Call, cost: Amounts, reply: Reply) -> None:
        """Correct the estimate by what the reply says was used, and learn from it."""
        used_in, used_out = reply.usage.input_tokens, reply.usage.output_tokens
        if used_in is not None:
            self._balance["input_tokens"] += cost["input_tokens"] - used_in
            estimate = max(1, estimated_input_tokens(call))
            self._input_ratio = MEMORY * self._input_ratio + (1 - MEMORY) * used_in / estimate
        if used_out is not None:
            self._balance["output_tokens"] += cost["output_tokens"] - used_out
            self._output = MEMORY * self._output + (1 - MEMORY) * used_out

    async def learn(self, seen: Mapping[str, float]) -> None:
        """Pass on the limits that the provider's headers state, when they are others than before."""
        if seen and seen != self._seen:
            self._seen = dict(seen)
            await self._keeper.learn(self._seen)

    async def busy(self, seconds: float) -> None:
        """Let nothing through for a while: the account said that it is busy."""
        self._open_at = max(self._open_at, asyncio.get_running_loop().time() + seconds)
        self._free_until = 0.0
        await self._keeper.busy()

    def _enough(self, cost: Amounts) -> bool:
        """A positive balance lets a call through and may be overdrawn: a call can be larger than a lease.

        Without limits all calls go through for a moment; the next lease tells the keeper what they used.
        """
        if asyncio.get_running_loop().time() < self._free_until:
            return True
        return all(self._balance[name] > 0 for name, amount in cost.items() if amount > 0)

    async def _lease(self, cost: Amounts) -> None:
        """Ask for what the waiting calls need; where that is not there yet, wait for the next lease."""
        needed = {name: sum(waiting[name] for waiting in self._waiting.values()) for name in BUCKETS}
        wish = {name: max(0.0, needed[name] - self._balance[name]) for name in BUCKETS}
        async with asyncio.timeout(LEASE_DEADLINE_SECONDS):
            given = dict(await self._keeper.lease(self._actor, wish))
        self._free_until = asyncio.get_running_loop().time() + given.pop(FREE, 0.0)
        if DAY_OVER in given:
            raise DayOverError
        for name, amount in given.items():
            self._balance[name] += amount
        if not self._enough(cost):
            await self._sleep(LEASE_SECONDS)

    def _spend(self, cost: Amounts) -> None:
        for name, amount in cost.items():
            self._balance[name] -= amount


def estimated_input_tokens(call: Call) -> int:
    """Estimate the input tokens of a call from its characters."""
    return math.ceil((len(call.system or "") + len(call.user)) / CHARACTERS_PER_TOKEN)
