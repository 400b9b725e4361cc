"""How one actor spends: it asks the purse before each request, with a bound on what the request can cost."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable

from judgeray.core.call import Call
from judgeray.core.reply import Reply
from judgeray.engine.pace import estimated_input_tokens
from judgeray.engine.purses import LocalPurse, SharedPurse
from judgeray.providers.prices import BATCH_DISCOUNT, Prices

INPUT_MARGIN = 1.5
"""Characters tell tokens only roughly; code and rare scripts need more than a quarter each."""

FIRST_OUTPUT_TOKENS, OUTPUT_MARGIN = 1_000, 2.0
"""A reply is taken to cost at most twice the longest one seen, and 1,000 tokens before one was."""

WAIT_SECONDS = 0.1
BUDGET_WORDS = "budget_usd is used up: what it would not surely cover was not sent"


class Spending:
    """Reserves and settles; without a purse every call is free to go."""

    def __init__(
        self,
        purse: LocalPurse | SharedPurse | None,
        prices: Prices | None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._purse, self._prices, self._sleep = purse, prices, sleep
        self._longest = FIRST_OUTPUT_TOKENS / OUTPUT_MARGIN

    async def reserve(self, call: Call) -> float | None:
        """Set aside what this call can cost, in US dollars; None when the budget cannot cover it any more."""
        if self._purse is None or self._prices is None:
            return 0.0
        bound = self._bound(call, self._prices)
        while (answer := await self._purse.reserve(bound)) == "wait":
            await self._sleep(WAIT_SECONDS)
        return bound if answer == "yes" else None

    async def reserve_all(self, calls: Iterable[Call]) -> float | None:
        """Set aside what a whole batch can cost; None when the budget cannot cover it."""
        if self._purse is None or self._prices is None:
            return 0.0
        bound = BATCH_DISCOUNT * sum(self._bound(call, self._prices) for call in calls)
        while (answer := await self._purse.reserve(bound)) == "wait":
            await self._sleep(WAIT_SECONDS)
        return bound if answer == "yes" else None

    async def commit_all(self, calls: Iterable[Call]) -> float:
        """Set aside what a batch of an earlier session can cost, whether the budget covers it or not."""
        if self._purse is None or self._prices is None:
            return 0.0
        bound = BATCH_DISCOUNT * sum(self._bound(call, self._prices) for call in calls)
        await self._purse.commit(bound)
        return bound

    async def settle_batch(self, reserved_usd: float, cost_usd: float) -> None:
        """Replace what a batch had set aside by what its replies cost."""
        if self._purse is not None:
            await self._purse.settle(reserved_usd, cost_usd)

    async def settle(self, reserved_usd: float, reply: Reply | None) -> None:
        """Say what the call cost; a request without a reply may have been billed and counts as reserved."""
        if self._purse is None or self._prices is None:
            return
        if reply is not None and reply.usage.output_tokens is not None:
            self._longest = max(self._longest, reply.usage.output_tokens)
        cost = self._prices(reply) if reply is not None else reserved_usd
        await self._purse.settle(reserved_usd, reserved_usd if cost is None else cost)

    async def give_back(self, reserved_usd: float) -> None:
        """Say that the request was refused unprocessed, and cost nothing."""
        if self._purse is not None:
            await self._purse.settle(reserved_usd, 0.0)

    def _bound(self, call: Call, prices: Prices) -> float:
        cap = call.parameters.get("max_output_tokens")
        output = self._longest * OUTPUT_MARGIN
        if isinstance(cap, int):
            output = min(output, cap)
        tokens = int(estimated_input_tokens(call) * INPUT_MARGIN) + 1
        cost = prices.cost(call.provider, call.model, tokens, int(output) + 1)
        if cost is None:
            raise LookupError(f"no price for {call.model}, yet a budget is set")
        return cost
