"""A desk that dies: carries one provider's batches of a manifest and kills its own process at a stated step."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pyarrow as pa

from judgeray.core.reply import Answer
from judgeray.engine.batches.counter import to_batches
from judgeray.engine.batches.desk import Desk
from judgeray.engine.batches.pool import BatchPool
from judgeray.engine.batches.record import BatchRecord, BatchRecords
from judgeray.engine.layout import RepliesFolder
from judgeray.engine.lock import run_lock
from judgeray.engine.part_journal import Journal
from judgeray.engine.pool import PoolSetup
from judgeray.engine.spool import Spool
from judgeray.providers.batch import BatchClient, BatchLine
from judgeray.run.emulated import open_accounts
from judgeray.run.resolve import read_experiment
from judgeray.studies.parts import parts


def die() -> None:
    """End this process as a crash would."""
    os.kill(os.getpid(), signal.SIGKILL)


class DyingClient:
    """A batch client that dies once a file is uploaded, or once a batch is made."""

    def __init__(self, client: BatchClient, step: str) -> None:
        self._client, self._step = client, step

    def __getattr__(self, name: str) -> Any:
        return getattr(self._client, name)

    async def upload_and_create(
        self, tag: str, lines: Sequence[BatchLine], on_step: Callable[[str, str], None]
    ) -> str:
        """Submit, and die on the way or right after."""

        def dying_step(step: str, file_id: str) -> None:
            on_step(step, file_id)
            if self._step == "during_upload":
                die()

        batch_id = await self._client.upload_and_create(tag, lines, dying_step)
        if self._step in ("after_create", "during_upload"):  # an API without upload dies before the id is noted
            die()
        return batch_id

    async def status(self, batch_id: str) -> Any:
        """Poll, and die."""
        if self._step == "while_polling":
            die()
        return await self._client.status(batch_id)


class DyingJournal:
    """A journal whose process dies with the third reply."""

    def __init__(self, journal: Journal) -> None:
        self._journal, self._replies = journal, 0

    def append(self, answer: Answer) -> None:
        """Write, and die in the middle of a download."""
        self._journal.append(answer)
        self._replies += 1
        if self._replies == 3:
            die()

    async def kept(self) -> None:
        """Wait for what was written."""
        await self._journal.kept()

    def close(self) -> None:
        """Close."""
        self._journal.close()


def main() -> None:
    """Plan the first round, write the batches down and carry them up to the step."""
    manifest, output, provider, step = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], sys.argv[4]
    experiment = read_experiment(manifest)
    folder = RepliesFolder(output / "replies")
    folder.make()
    with ExitStack() as stack:
        accounts = open_accounts(experiment, stack)
        stack.enter_context(run_lock(folder.run_lock, "dying"))
        spool, records = Spool(folder.spool), BatchRecords(folder.batches)
        arms = [arm for arm in experiment.arms if arm.judge.provider == provider]
        for part in parts(experiment.sources, arms):
            for task in part.shard().tasks:
                for call in next(task.start()):
                    spool.add(call)
        if step == "before_intent":
            die()
        made: list[BatchRecord] = []
        for name, files in spool.close().items():
            made += to_batches(accounts[name], files, records, Spool(folder.spool / "realtime"))
        if step == "after_intent":
            die()
        asyncio.run(carry(accounts[made[0].provider], folder, made, step))


async def carry(account: Any, folder: RepliesFolder, made: list[BatchRecord], step: str) -> None:
    """Carry all batches with one actor of the batch pool, spoilt to die."""
    pool = BatchPool(PoolSetup(account, str(folder.path), "dying"))
    pool._start()
    desk = pool._desk
    assert isinstance(desk, Desk)
    desk.client = DyingClient(desk.client, step)
    if step == "during_download":
        desk.harvester.journal = DyingJournal(pool._journal)
    for record in made:
        async for _ in pool(pa.table({"tag": [record.tag]})):
            pass
    die()  # between journal and ledger: all is harvested and nothing compacted


if __name__ == "__main__":
    main()
