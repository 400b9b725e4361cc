"""The batch pool's actor: carries many batches of one account at once, each from whatever step it is at."""

from __future__ import annotations

import asyncio
import os
import socket
from collections import Counter
from collections.abc import AsyncIterator
from typing import Any
from uuid import uuid4

import pyarrow as pa

from judgeray.core.errors import BadInputError
from judgeray.engine.batches.desk import Desk
from judgeray.engine.batches.harvest import Harvester
from judgeray.engine.batches.queue import Queue
from judgeray.engine.batches.record import OPEN, BatchRecord, BatchRecords
from judgeray.engine.layout import RepliesFolder
from judgeray.engine.lock import hold_shared
from judgeray.engine.observe.observer import Waits, observer_for
from judgeray.engine.part_journal import open_journal
from judgeray.engine.pool import PoolSetup, let_go, result
from judgeray.engine.presence import STATUS
from judgeray.engine.spending import Spending
from judgeray.engine.watch import Watch
from judgeray.providers.batch import BatchClient
from judgeray.providers.connect import connect_batch
from judgeray.storage.place import place_of


class BatchPool:
    """Ray Data UDF: one instance works on all batches of one provider account; a block is one batch's tag."""

    def __init__(self, setup: PoolSetup) -> None:
        self._setup, folder = setup, RepliesFolder(place_of(setup.replies))
        name = f"{setup.account.name}-batch-{uuid4().hex}"
        self._workers_lock = hold_shared(folder.workers_lock)
        self._observer = observer_for(setup.observed, setup.account.name, name, setup.prices)
        status = folder.journal / f"{name}{STATUS}"
        self._watch = Watch(folder, setup.account.name, setup.session, status, self._observer.stopped)
        self._watch.look()
        self._journal = open_journal(folder.journal, name)
        self._records = BatchRecords(folder.batches, self._observer.batch_changed)
        self._queue = Queue(setup.account.batch)
        self._counts: Counter[str] = Counter()
        self._client: BatchClient | None = None
        self._desk: Desk | None = None
        self._background: set[asyncio.Task[Any]] = set()

    async def __call__(self, block: pa.Table) -> AsyncIterator[pa.Table]:
        """Carry the batches whose tags stand in the block and yield one row that counts their calls."""
        if self._desk is None and (problem := self._start()):
            self._watch.stop_provider(problem)
        results: Counter[str] = Counter()
        problem = None
        try:
            for tag in block["tag"].to_pylist():
                results.update(await self._carry(self._records.load(tag)))
        except BadInputError as error:
            # The storage does not do what it is asked. The batches go on, and the next run takes them up.
            self._watch.stopped, problem = True, str(error)
        self._observer.flush(self._waits())
        yield result(results, problem)

    async def _carry(self, record: BatchRecord) -> dict[str, int]:
        if self._desk is None:
            return {"unsent": record.calls}
        self._counts["for_slot"] += record.calls
        async with self._queue.place(record, self._records):
            self._counts["for_slot"] -= record.calls
            self._counts["in_flight"] += record.calls
            record = await self._desk.carry(record)
            await self._journal.kept()
            self._counts["in_flight"] -= record.calls
        if record.step in OPEN:
            return {"unsent": record.calls}
        return {"answered": record.replies, "failed": record.failures, "returned": record.unfinished}

    def _start(self) -> str | None:
        """Open what must live in this event loop; returns why that cannot be done on this node, if so."""
        account, folder = self._setup.account, RepliesFolder(place_of(self._setup.replies))
        try:
            self._client = connect_batch(account)
        except BadInputError as error:
            return str(error)
        harvester = Harvester(
            self._records,
            self._journal,
            folder.batches / "kept",
            account.batch.poll_seconds,
            self._watch.stop_provider,
            self._setup.prices or (lambda _: None),
            observer=self._observer,
        )
        self._desk = Desk(
            account,
            self._client,
            self._records,
            harvester,
            Spending(self._setup.purse, self._setup.prices),
            lambda: self._watch.stopped,
            self._watch.stop_provider,
        )
        for record in self._records.open():
            if record.provider == account.name:
                self._observer.batch_changed(record)
        watching = self._watch.forever(lambda: dict(self._counts))
        observing = self._observer.forever(self._waits)
        self._background.update(asyncio.get_running_loop().create_task(each) for each in (watching, observing))
        self._observer.opened(process_id=os.getpid(), host=socket.gethostname())
        return None

    async def close(self) -> None:
        """Let go of everything; under Ray the end of the process does."""
        await let_go(self._background, self._client, self._journal, self._workers_lock)

    def _waits(self) -> Waits:
        return Waits(self._counts["in_flight"], self._counts["for_slot"], mode="batch")
