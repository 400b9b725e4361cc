"""One provider account's share of a round: its spooled calls through its pool, in a thread of its own."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path

import ray
from ray.data import ActorPoolStrategy
from ray.exceptions import RayError

from judgeray.engine.blocks import SpoolSource
from judgeray.engine.keepers import shared_keeper
from judgeray.engine.layout import RepliesFolder
from judgeray.engine.pool import AnswerPool, PoolSetup

BLOCKS_PER_ACTOR = 8
"""Blocks in flight per actor: one slow call holds its block, not the actor."""


SLOT = 0.1
"""Share of a logical CPU that a read task or an actor asks for."""


class AccountStream(threading.Thread):
    """Runs one Ray Dataset to its end; a failure stays here and stops no other account."""

    def __init__(self, setup: PoolSetup, files: list[Path]) -> None:
        super().__init__(name=f"account-{setup.account.name}", daemon=True)
        self.account, self._setup, self._files = setup.account, setup, files
        self.counts = {"answered": 0, "failed": 0, "unsent": 0}
        self.error: str | None = None

    def run(self) -> None:
        """Stream all blocks and add up what became of the calls."""
        try:
            history = RepliesFolder(Path(self._setup.replies)).limits_history(self.account.name)
            setup = replace(self._setup, keeper=shared_keeper(self.account, history))
            source = SpoolSource(self._files)
            blocks = ray.data.read_datasource(source, override_num_blocks=max(1, len(source)), num_cpus=SLOT)
            results = blocks.map_batches(
                AnswerPool,
                fn_constructor_args=(setup,),
                batch_size=None,
                batch_format="pyarrow",
                zero_copy_batch=True,
                num_cpus=SLOT,
                compute=ActorPoolStrategy(
                    size=self.account.actors, max_concurrent_calls_per_actor=BLOCKS_PER_ACTOR
                ),
            )
            for batch in results.iter_batches(batch_size=None, batch_format="pyarrow", prefetch_batches=1):
                for name in self.counts:
                    self.counts[name] += sum(batch[name].to_pylist())
        except RayError as error:
            self.error = str(error).strip().splitlines()[-1]
