"""The pool's actor: takes blocks of calls, answers them under the account's limits, journals every reply."""

from __future__ import annotations

import asyncio
import os
import socket
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import pyarrow as pa
from ray.actor import ActorHandle

from judgeray.core.call import Call
from judgeray.core.errors import BadInputError
from judgeray.core.reply import Answer, Failure, Reply
from judgeray.engine.attempts import Attempts, BudgetUsedUpError
from judgeray.engine.breaker import OPENS_AFTER, Breaker
from judgeray.engine.keepers import keeper_for
from judgeray.engine.layout import RepliesFolder
from judgeray.engine.lock import hold_shared
from judgeray.engine.observe.observed import Observed
from judgeray.engine.observe.observer import Waits, observer_for
from judgeray.engine.others import others_of
from judgeray.engine.pace import DayOverError, Pace
from judgeray.engine.part_journal import Journal, open_journal
from judgeray.engine.presence import STATUS
from judgeray.engine.purses import LocalPurse, SharedPurse
from judgeray.engine.ramp import Ramp
from judgeray.engine.spending import BUDGET_WORDS, Spending
from judgeray.engine.watch import Watch
from judgeray.providers.account import Account
from judgeray.providers.batch import BatchClient
from judgeray.providers.client import Client
from judgeray.providers.connect import connect
from judgeray.providers.prices import Prices
from judgeray.storage.place import place_of

OPENING_CALLS = 4
"""Calls in flight per actor until the first reply: a bad key or an unknown model costs no more than these."""

COUNTS = ("answered", "failed", "unsent", "returned")
"""What became of a block's calls; `returned` ones were at the provider and came back unexecuted."""

RESULT = pa.schema([*((name, pa.int64()) for name in COUNTS), ("problem", pa.string())])
"""A block's counts, and what is wrong with the storage: it cannot keep the word itself."""

DAY_WORDS = "requests_per_day is used up; run the same command again after midnight UTC"


@dataclass(frozen=True)
class PoolSetup:
    """What every actor of an account's pool is told; keeper and purse are None where they are not needed."""

    account: Account
    replies: str
    session: str
    keeper: ActorHandle[Any] | None = None
    used_today: int = 0
    purse: LocalPurse | SharedPurse | None = None
    prices: Prices | None = None
    observed: Observed | None = None


def result(counts: Mapping[str, int], problem: str | None) -> pa.Table:
    """One row about a block."""
    return pa.table({**{name: [counts.get(name, 0)] for name in COUNTS}, "problem": [problem]}, schema=RESULT)


class AnswerPool:
    """Ray Data UDF: one instance is one actor of one provider account."""

    def __init__(self, setup: PoolSetup) -> None:
        account, folder = setup.account, RepliesFolder(place_of(setup.replies))
        name = f"{account.name}-{uuid4().hex}"
        self._account, self._setup, self._name = account, setup, name
        self._observer = observer_for(setup.observed, account.name, name, setup.prices)
        history, told = folder.limits_history(account.name), self._observer.limit_changed
        self._keeper = keeper_for(account, setup.keeper, history, setup.used_today, told)
        self._ramp = Ramp(OPENING_CALLS, account.concurrency)
        self._workers_lock = hold_shared(folder.workers_lock)
        status = folder.journal / f"{name}{STATUS}"
        self._watch = Watch(folder, account.name, setup.session, status, self._observer.stopped)
        self._watch.look()
        self._journal = open_journal(folder.journal, name)
        self._others = others_of(folder, account.name)
        self._counts: Counter[str] = Counter()
        self._slots = asyncio.Semaphore(account.concurrency)
        self._opening = asyncio.Semaphore(min(OPENING_CALLS, account.concurrency))
        self._client: Client | None = None
        self._attempts: Attempts | None = None
        self._pace: Pace | None = None
        self._breaker = Breaker()
        self._problem: str | None = None
        self._background: set[asyncio.Task[Any]] = set()

    async def __call__(self, block: pa.Table) -> AsyncIterator[pa.Table]:
        """Answer one block (columns `key`, `call`) and yield one row that counts what became of it."""
        keys, done = block["key"].to_pylist(), set[str]()
        try:
            if self._attempts is None and (problem := self._start()):
                self._watch.stop_provider(problem)
            done = await self._others.answered(keys)
        except BadInputError as error:
            self._give_up(error)
        pairs = zip(block["call"].to_pylist(), keys, strict=True)
        calls = [Call.from_json(text, key) for text, key in pairs if key not in done]
        self._counts["for_slot"] += len(calls)
        results = Counter(await asyncio.gather(*(self._answer(call) for call in calls)))
        results["answered"] += len(done)
        self._observer.flush(self._waits())
        yield result(results, self._problem)

    def _start(self) -> str | None:
        """Open what must live in this event loop; returns why that cannot be done on this node, if so."""
        try:
            self._client = connect(self._account)
        except BadInputError as error:
            return str(error)
        self._pace = pace = Pace(self._keeper, self._name)
        spending = Spending(self._setup.purse, self._setup.prices)
        self._attempts = Attempts(
            self._account, self._client, pace, spending, lambda: self._watch.stopped, observer=self._observer
        )
        watching = self._watch.forever(lambda: dict(self._counts))
        observing = self._observer.forever(self._waits, self._keeper.in_force)
        self._background.update(asyncio.get_running_loop().create_task(each) for each in (watching, observing))
        self._observer.opened(process_id=os.getpid(), host=socket.gethostname())
        return None

    def _waits(self) -> Waits:
        for_limit = 0 if self._pace is None else self._pace.waiting
        return Waits(self._counts["in_flight"] - for_limit, self._counts["for_slot"], for_limit)

    async def _answer(self, call: Call) -> str:
        try:
            return await self._in_turn(call)
        except BadInputError as error:
            self._give_up(error)
            return "unsent"

    def _give_up(self, error: BadInputError) -> None:
        """The storage does not do what it is asked: what comes could not be kept, so nothing further is asked."""
        self._problem = self._problem or str(error)
        self._watch.stopped = True

    async def _in_turn(self, call: Call) -> str:
        async with self._slots:
            if not self._counts["answered"]:
                async with self._opening:
                    if not self._counts["answered"]:
                        return await self._send(call)
            await self._ramp.wait()
            return await self._send(call)

    async def _send(self, call: Call) -> str:
        self._counts["for_slot"] -= 1
        if self._attempts is None or self._watch.stopped:
            return "unsent"
        self._counts["in_flight"] += 1
        try:
            answer = await self._attempts.answer(call)
        except BudgetUsedUpError:
            self._watch.stop_all(BUDGET_WORDS)
            answer = None
        except DayOverError:
            self._watch.stop_provider(f"{self._account.name}: {DAY_WORDS}")
            answer = None
        finally:
            self._counts["in_flight"] -= 1
        if answer is None:
            return "unsent"
        await self._keep(answer)
        if isinstance(answer, Reply):
            self._breaker.replied()
            self._counts["answered"] += 1
            return "answered"
        return self._failed(answer)

    async def _keep(self, answer: Answer) -> None:
        """Return once an answer is on storage."""
        try:
            self._journal.append(answer)
            await self._journal.kept()
        except (OSError, BadInputError) as error:
            self._observer.storage_problem(error)
            raise
        self._observer.answered(answer)

    def _failed(self, failure: Failure) -> str:
        self._counts["failed"] += 1
        if failure.fatal:
            self._watch.stop_provider(failure.error)
        elif failure.code and self._breaker.refused(failure.code, failure.key):
            told = f"{OPENS_AFTER} rows in a row were refused alike"
            # Such words may quote a row, and no row's text is logged.
            self._watch.stop_provider(f"{told}: {failure.error}", logged=f"{told}: {failure.code}")
        return "failed"

    async def close(self) -> None:
        """Let go of everything; under Ray the end of the process does."""
        await let_go(self._background, self._client, self._journal, self._workers_lock)


async def let_go(
    background: Iterable[asyncio.Task[Any]],
    client: Client | BatchClient | None,
    journal: Journal,
    workers_lock: int,
) -> None:
    """End tasks, close client and journal, and say that nothing will be written any more."""
    for task in background:
        task.cancel()
    await asyncio.gather(*background, return_exceptions=True)
    if client is not None:
        await client.close()
    journal.close()
    os.close(workers_lock)
