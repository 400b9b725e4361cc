"""Small work is done in this process: Ray takes longer to start, and much memory while a batch is waited for."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any, Protocol

import pyarrow as pa
import uvloop

from judgeray.engine.batches.pool import BatchPool
from judgeray.engine.pool import COUNTS, AnswerPool, PoolSetup
from judgeray.engine.rounds import Wanted
from judgeray.engine.spool import SCHEMA
from judgeray.providers.account import Account
from judgeray.storage.files import read_table
from judgeray.storage.place import Place

SMALL_CALLS = 500
"""Calls of one account in a round that are few enough. They take this process a second or two of a core, where Ray
and its actors take over ten to start; and a pool would have one actor for them anyway (`pool_size.py`)."""


def is_small(wanted: Wanted, accounts: Mapping[str, Account]) -> bool:
    """Whether a round needs no Ray: a few calls an account, in batches or not, and no model that is loaded here.

    On a cluster nothing is small: the keys may be on its nodes alone.
    """
    asked = {name: wanted.counts.get(name, 0) + wanted.in_batches.get(name, 0) for name in accounts}
    return not os.environ.get("RAY_ADDRESS") and all(
        calls <= SMALL_CALLS and (not calls or accounts[name].kind != "nli") for name, calls in asked.items()
    )


class Pool(Protocol):
    """An actor of a pool as a plain object."""

    def __call__(self, block: pa.Table) -> AsyncIterator[pa.Table]:
        """Work on one block and yield what became of it."""
        ...

    async def close(self) -> None:
        """Let go of everything."""
        ...


class StreamHere(threading.Thread):
    """Does for one account what `AccountStream` does, with the pool's actor as a plain object of this thread."""

    def __init__(self, name: str, make_pool: Callable[[], Pool], blocks: Iterable[pa.Table]) -> None:
        super().__init__(name=f"account-{name}", daemon=True)
        self.provider, self._make_pool, self._blocks = name, make_pool, blocks
        self.counts = dict.fromkeys(COUNTS, 0)
        self.error: str | None = None
        self._working: tuple[asyncio.AbstractEventLoop, asyncio.Task[Any]] | None = None

    def run(self) -> None:
        """Work on all blocks at once and add up what became of their calls."""
        with suppress(asyncio.CancelledError), asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(self._work())

    def cut_off(self) -> None:
        """Let calls in flight go, without their replies."""
        if self._working is not None:
            loop, task = self._working
            with suppress(RuntimeError):  # the loop has closed meanwhile: there is nothing left to cut off
                loop.call_soon_threadsafe(task.cancel)

    async def _work(self) -> None:
        if task := asyncio.current_task():
            self._working = asyncio.get_running_loop(), task
        pool = self._make_pool()
        try:
            await asyncio.gather(*(self._through(pool, block) for block in self._blocks))
        finally:
            await pool.close()

    async def _through(self, pool: Pool, block: pa.Table) -> None:
        async for row in pool(block):
            self._add(row.to_pylist())

    def _add(self, rows: Iterable[Mapping[str, int | str | None]]) -> None:
        for row in rows:
            for name in self.counts:
                self.counts[name] += int(row[name] or 0)
            self.error = self.error or (str(row["problem"]) if row["problem"] else None)


def answered_here(setup: PoolSetup, files: Sequence[Place]) -> StreamHere:
    """Spooled calls through the account's realtime pool; see `stream.answered`."""
    blocks = (read_table(file, schema=SCHEMA) for file in files)
    return StreamHere(setup.account.name, partial(AnswerPool, _alone(setup)), blocks)


def carried_here(setup: PoolSetup, tags: Sequence[str]) -> StreamHere:
    """Written-down batches through the account's batch pool; see `stream.carried`."""
    blocks = [pa.table({"tag": [tag]}) for tag in tags]
    return StreamHere(setup.account.name, partial(BatchPool, _alone(setup)), blocks)


def _alone(setup: PoolSetup) -> PoolSetup:
    observed = None if setup.observed is None else replace(setup.observed, in_ray=False)
    return replace(setup, account=replace(setup.account, actors=1), observed=observed)
