"""Ray, started for this run alone or joined where a cluster is given."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import TemporaryFile

import ray
from ray.data import DataContext

LOCAL_SLOTS = 2
"""Logical CPUs of a local Ray. It starts that many worker processes at once, so few are asked for, and tasks and
actors here ask for a tenth of one: they wait for the network."""

OBJECT_STORE_BYTES = 512 * 1024 * 1024
NO_PROGRESS_SECONDS = 24 * 3600

FULL_POOL = 1.0
"""Share of its places for blocks from which on Ray may give a pool another actor, up to the pool's most."""


@contextmanager
def ray_session() -> Iterator[None]:
    """Start a local Ray, or join the cluster that `RAY_ADDRESS` names (as under `ray job submit`)."""
    logging.getLogger("ray").setLevel(logging.ERROR)
    with _core_words_aside():
        if os.environ.get("RAY_ADDRESS"):
            ray.init(log_to_driver=False, logging_level=logging.ERROR)
        else:
            ray.init(
                address="local",
                include_dashboard=False,
                num_cpus=LOCAL_SLOTS,
                object_store_memory=OBJECT_STORE_BYTES,
                log_to_driver=False,
                logging_level=logging.ERROR,
            )
    try:
        _set_data()
        yield
    finally:
        # What a stop left in flight finds Ray gone; that is no error to tell anyone of.
        logging.getLogger("ray.data").setLevel(logging.CRITICAL)
        ray.shutdown()


@contextmanager
def _core_words_aside() -> Iterator[None]:
    """Keep what Ray's C++ core writes to standard error while it starts, and show it only if that fails."""
    sys.stderr.flush()
    kept, started = os.dup(2), False
    with TemporaryFile() as aside:
        os.dup2(aside.fileno(), 2)
        try:
            yield
            started = True
        finally:
            os.dup2(kept, 2)
            os.close(kept)
            if not started:
                aside.seek(0)
                os.write(2, aside.read())


def _set_data() -> None:
    """The run shows its own progress; a wait for a rate limit is no failure; a pool that is full may grow."""
    context = DataContext.get_current()
    context.autoscaling_config.actor_pool_util_upscaling_threshold = FULL_POOL
    context.enable_progress_bars = False
    context.execution_options.verbose_progress = False
    context.print_on_execution_start = False
    context.execution_no_progress_timeout_s = NO_PROGRESS_SECONDS
    logging.getLogger("ray.data").setLevel(logging.ERROR)
