"""One call until it has an answer: attempts, waits between them, and when to give up."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime

from judgeray.core.call import Call
from judgeray.core.reply import Answer, Failure, Reply
from judgeray.engine.observe.observer import Observer
from judgeray.engine.pace import Pace
from judgeray.engine.spending import Spending
from judgeray.providers.account import Account
from judgeray.providers.client import Client
from judgeray.providers.errors import ProviderError

FIRST_WAIT_SECONDS = 0.5
LONGEST_WAIT_SECONDS = 60.0
BUSY_WAIT_SECONDS = 2.0


class BudgetUsedUpError(Exception):
    """The budget cannot cover a further call: the pool stops all accounts."""


class Attempts:
    """Asks a client until there is a reply, the row's attempts or time are used up, or nothing can help."""

    def __init__(
        self,
        account: Account,
        client: Client,
        pace: Pace,
        spending: Spending,
        stopped: Callable[[], bool],
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        observer: Observer | None = None,
    ) -> None:
        self._account, self._client, self._pace, self._spending = account, client, pace, spending
        self._stopped, self._sleep, self._observer = stopped, sleep, observer or Observer()
        self._random = random.Random()

    async def answer(self, call: Call) -> Answer | None:
        """Return the reply or failure of a call; None where the run was stopped before it was (re)sent.

        Raises BudgetUsedUpError where the budget does not cover it any more.
        """
        start = time.monotonic()
        end = start + self._account.row_timeout_seconds
        sent = spent = 0
        while True:
            cost = await self._pace.wait(call)
            if self._stopped():
                return None
            reserved_usd = await self._spending.reserve(call)
            if reserved_usd is None:
                raise BudgetUsedUpError
            sent += 1
            try:
                reply = await self._once(call, sent)
            except ProviderError as error:
                await self._unanswered(error, reserved_usd)
                spent += error.reaction != "busy"
                failure = self._given_up(call, error, sent, spent, end)
                self._observer.unanswered(call, error, sent, time.monotonic() - start, again=failure is None)
                if failure:
                    return failure
                await self._wait(error, spent)
            else:
                await self._spending.settle(reserved_usd, reply)
                self._pace.settle(call, cost, reply)
                await self._pace.learn(self._client.seen_limits)
                return reply

    async def _once(self, call: Call, sent: int) -> Reply:
        start = time.monotonic()
        try:
            async with asyncio.timeout(self._account.timeout_seconds):
                reply = await self._client.answer(call)
        except TimeoutError as error:
            raise ProviderError("retry", f"no reply within {self._account.timeout_seconds:g} s") from error
        if reply.simulated and call.simulated is None:
            raise ProviderError("account", f"{call.provider}: {SIMULATED_ANSWER}")
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        return replace(reply, attempts=sent, latency_seconds=time.monotonic() - start, received_at=now)

    async def _unanswered(self, error: ProviderError, reserved_usd: float) -> None:
        """Only a request that got lost on its way may have been billed; one that was refused was not."""
        if error.reaction == "retry":
            await self._spending.settle(reserved_usd, None)
        else:
            await self._spending.give_back(reserved_usd)

    def _given_up(self, call: Call, error: ProviderError, sent: int, spent: int, end: float) -> Failure | None:
        if error.reaction == "account":
            return Failure(call.key, call.provider, error.message, sent, fatal=True)
        if error.reaction == "row":
            code = "" if error.blames_row else error.code
            return Failure(call.key, call.provider, error.message, sent, code=code)
        if spent >= self._account.max_attempts:
            return Failure(call.key, call.provider, f"gave up after {spent} attempts: {error.message}", sent)
        if time.monotonic() > end:
            seconds = self._account.row_timeout_seconds
            return Failure(call.key, call.provider, f"gave up after {seconds:g} s: {error.message}", sent)
        return None

    async def _wait(self, error: ProviderError, spent: int) -> None:
        if error.reaction == "busy":
            await self._pace.busy(error.retry_after_seconds or BUSY_WAIT_SECONDS * (0.5 + self._random.random()))
            return
        longest = min(LONGEST_WAIT_SECONDS, FIRST_WAIT_SECONDS * 2 ** (spent - 1))
        await self._sleep(error.retry_after_seconds or longest * (0.5 + self._random.random() / 2))


SIMULATED_ANSWER = (
    "the server at base_url is judgeray's emulator, not a model; say `emulator:` in the manifest (or --emulate) to "
    "use it on purpose, so that its answers are never taken for a model's"
)
