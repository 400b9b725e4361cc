"""Small work is answered in this process: to start Ray takes longer than the work."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import uvloop

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
    """Whether a round needs no Ray: a few realtime calls an account, no batch, no model that is loaded here.

    On a cluster nothing is small: the keys may be on its nodes alone.
    """
    asked = [accounts[name] for name in wanted.counts]
    return (
        not os.environ.get("RAY_ADDRESS")
        and not wanted.in_batches
        and all(count <= SMALL_CALLS for count in wanted.counts.values())
        and all(account.mode == "realtime" and account.kind != "nli" for account in asked)
    )


class StreamHere(threading.Thread):
    """Does for one account what `AccountStream` does, with the pool's actor as a plain object of this thread."""

    def __init__(self, setup: PoolSetup, files: Sequence[Place]) -> None:
        super().__init__(name=f"account-{setup.account.name}", daemon=True)
        self.provider = setup.account.name
        self.counts = dict.fromkeys(COUNTS, 0)
        self.error: str | None = None
        observed = None if setup.observed is None else replace(setup.observed, in_ray=False)
        alone = replace(setup.account, actors=1)
        self._setup, self._files = replace(setup, account=alone, observed=observed), files

    def run(self) -> None:
        """Answer all calls and add up what became of them."""
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(self._answer())

    async def _answer(self) -> None:
        pool = AnswerPool(self._setup)
        try:
            for file in self._files:
                async for row in pool(read_table(file, schema=SCHEMA)):
                    self._add(row.to_pylist())
        finally:
            await pool.close()

    def _add(self, rows: Iterable[Mapping[str, int | str | None]]) -> None:
        for row in rows:
            for name in self.counts:
                self.counts[name] += int(row[name] or 0)
            self.error = self.error or (str(row["problem"]) if row["problem"] else None)
