"""The pool's actor: takes blocks of calls, answers them under the account's limits, journals every reply."""

from __future__ import annotations

import asyncio
import os
import socket
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

import pyarrow as pa
from ray.actor import ActorHandle

from judgeray.core.call import Call
from judgeray.core.errors import BadInputError
from judgeray.core.reply import Answer, Failure, Reply
from judgeray.engine.attempts import Attempts, BudgetUsedUpError
from judgeray.engine.breaker import OPENS_AFTER, Breaker
from judgeray.engine.journal import FAILURES, REPLIES, JournalWriter, key_of
from judgeray.engine.keepers import keeper_for
from judgeray.engine.layout import RepliesFolder
from judgeray.engine.lock import hold_shared
from judgeray.engine.observe.observed import Observed
from judgeray.engine.observe.observer import Waits, observer_for
from judgeray.engine.pace import DayOverError, Pace
from judgeray.engine.ramp import Ramp
from judgeray.engine.spending import BUDGET_WORDS, Spending
from judgeray.engine.tail import Tail
from judgeray.engine.watch import STATUS, Watch
from judgeray.providers.account import Account
from judgeray.providers.client import Client
from judgeray.providers.connect import connect
from judgeray.providers.prices import Prices

OPENING_CALLS = 4
"""Calls in flight per actor until the first reply: a bad key or an unknown model costs no more than these."""

RESULT = pa.schema([(name, pa.int64()) for name in ("answered", "failed", "unsent", "returned")])
"""What became of a block's calls; `returned` ones were at the provider and came back unexecuted."""


DAY_WORDS = "requests_per_day is used up; run the same command again after midnight UTC"


@dataclass(frozen=True)
class PoolSetup:
    """What every actor of an account's pool is told; handles of Ray actors are None where they are not needed."""

    account: Account
    replies: str
    session: str
    keeper: ActorHandle[Any] | None = None
    used_today: int = 0
    purse: ActorHandle[Any] | None = None
    prices: Prices | None = None
    observed: Observed | None = None


class AnswerPool:
    """Ray Data UDF: one instance is one actor of one provider account."""

    def __init__(self, setup: PoolSetup) -> None:
        account, folder = setup.account, RepliesFolder(Path(setup.replies))
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
        self._journal = JournalWriter(folder.journal, name)
        self._others = Tail(folder.journal, f"{account.name}-*{REPLIES}", leave_out=FAILURES)
        self._done: set[str] = set()
        self._counts: Counter[str] = Counter()
        self._slots = asyncio.Semaphore(account.concurrency)
        self._opening = asyncio.Semaphore(min(OPENING_CALLS, account.concurrency))
        self._client: Client | None = None
        self._attempts: Attempts | None = None
        self._pace: Pace | None = None
        self._breaker = Breaker()
        self._background: set[asyncio.Task[Any]] = set()

    async def __call__(self, block: pa.Table) -> AsyncIterator[pa.Table]:
        """Answer one block (columns `key`, `call`) and yield one row that counts what became of it."""
        if self._attempts is None and (problem := self._start()):
            self._watch.stop_provider(problem)
        self._done.update(key_of(line) for line in self._others.poll())
        calls = [Call.from_json(text) for text in block["call"].to_pylist()]
        self._counts["for_slot"] += len(calls)
        results = Counter(await asyncio.gather(*(self._answer(call) for call in calls)))
        self._observer.flush(self._waits())
        yield pa.table({name: [results[name]] for name in RESULT.names}, schema=RESULT)

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
        if call.key in self._done:
            self._counts["for_slot"] -= 1
            return "answered"
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
        self._keep(answer)
        if isinstance(answer, Reply):
            self._done.add(call.key)
            self._breaker.replied()
            self._counts["answered"] += 1
            return "answered"
        return self._failed(answer)

    def _keep(self, answer: Answer) -> None:
        try:
            self._journal.append(answer)
        except OSError as error:
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
        for task in self._background:
            task.cancel()
        await asyncio.gather(*self._background, return_exceptions=True)
        if self._client is not None:
            await self._client.close()
        self._journal.close()
        os.close(self._workers_lock)
