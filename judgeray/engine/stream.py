"""One provider account's share of a round: a Ray Dataset through its pool, in a driver thread of its own."""

from __future__ import annotations

import asyncio
import gc
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pyarrow as pa
import ray
import uvloop
from ray.data import ActorPoolStrategy, Dataset
from ray.exceptions import RayError

from judgeray.engine.batches.pool import BatchPool
from judgeray.engine.blocks import SpoolSource
from judgeray.engine.keepers import shared_keeper
from judgeray.engine.layout import RepliesFolder
from judgeray.engine.ledger import Ledger
from judgeray.engine.pool import COUNTS, AnswerPool, PoolSetup
from judgeray.engine.pool_size import BLOCKS_PER_ACTOR, blocks_each, most_actors
from judgeray.engine.spool import BLOCK_CALLS
from judgeray.storage.place import Place

SLOT = 0.1
"""Share of a logical CPU that a read task or an actor asks for."""


class AccountStream(threading.Thread):
    """Runs one Dataset to its end; a failure stays here and stops no other account."""

    def __init__(self, name: str, results: Callable[[], Dataset]) -> None:
        super().__init__(name=f"account-{name}", daemon=True)
        self.provider, self._results = name, results
        self.counts = dict.fromkeys(COUNTS, 0)
        self.error: str | None = None

    def run(self) -> None:
        """Stream all blocks and add up what became of the calls."""
        try:
            self._stream()
        except RayError as error:
            self.error = _cause(error)
        if self.error:
            gc.collect()  # a Dataset that failed stands in cycles, and its actors live for as long as it does

    def _stream(self) -> None:
        results = self._results()
        for batch in results.iter_batches(batch_size=None, batch_format="pyarrow", prefetch_batches=1):
            self._add(batch)

    def _add(self, batch: Any) -> None:  # noqa: ANN401 -- Ray's union of batch types; this one is Arrow
        for name in self.counts:
            self.counts[name] += sum(batch[name].to_pylist())
        self.error = self.error or next((told for told in batch["problem"].to_pylist() if told), None)


def _cause(error: RayError) -> str:
    """The words of what was raised first, without the stack that Ray shows."""
    return str(error).partition("\n\nThe above exception")[0].strip().splitlines()[-1]


class RayAnswerPool(AnswerPool):
    """The pool's actor in a process of its own.

    Ray makes its event loop after this, by the policy of the process. uvloop spares a twentieth of what a call
    costs, half of what the pool adds to the client itself (`bench_throughput.py`).
    """

    def __init__(self, setup: PoolSetup) -> None:
        asyncio.set_event_loop_policy(uvloop.EventLoopPolicy())
        super().__init__(setup)

    def _start(self) -> str | None:
        """See `AnswerPool`. The SDK's thousands of types stay as they are: the collector need not walk them again
        and again, which takes up to a twentieth of a core."""
        problem = super()._start()
        gc.collect()
        gc.freeze()
        return problem


def answered(setup: PoolSetup, folder: RepliesFolder, files: Sequence[Place]) -> Dataset:
    """Spooled calls, in small blocks, through the account's realtime pool."""
    account = setup.account
    history = folder.limits_history(account.name)
    used = Ledger(folder).received_today(account.name) if account.limits.requests_per_day else 0
    told = None if setup.observed is None else setup.observed.limit_log(account.name)
    source = SpoolSource(files)
    actors = most_actors(account, len(source))
    keeper = shared_keeper(account, history, used, told) if actors > 1 else None
    blocks: Dataset = ray.data.read_datasource(source, override_num_blocks=max(1, len(source)), num_cpus=SLOT)
    return blocks.map_batches(
        RayAnswerPool,
        fn_constructor_args=(replace(setup, keeper=keeper, used_today=used),),
        # Ray Data takes no GPU without a batch size: a whole block's.
        batch_size=BLOCK_CALLS if account.gpus_per_actor else None,
        batch_format="pyarrow",
        zero_copy_batch=True,
        num_cpus=SLOT,
        num_gpus=account.gpus_per_actor or None,
        # Ray Data spreads the actors of a pool over the nodes by itself.
        compute=ActorPoolStrategy(
            min_size=1,
            initial_size=actors,
            max_size=actors,
            max_concurrent_calls_per_actor=BLOCKS_PER_ACTOR,
            # Ray fills the first actor that is ready, and lets go of others for which nothing is left.
            max_tasks_in_flight_per_actor=blocks_each(len(source), actors),
        ),
    )


def carried(setup: PoolSetup, tags: Sequence[str]) -> Dataset:
    """Written-down batches, one a block, through the account's batch pool, a single actor."""
    blocks: Dataset = ray.data.from_arrow([pa.table({"tag": [tag]}) for tag in tags])
    return blocks.map_batches(
        BatchPool,
        fn_constructor_args=(setup,),
        batch_size=None,
        batch_format="pyarrow",
        num_cpus=SLOT,
        # Batches that wait for room hold a place here too, but those at the provider already come first.
        compute=ActorPoolStrategy(size=1, max_concurrent_calls_per_actor=setup.account.batch.most_open + 2),
    )
