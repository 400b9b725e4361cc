"""Work in threads: NumPy lets go of the interpreter, so parts of an array are worked on side by side."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import lru_cache
from typing import TypeVar

from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped]  # it has no types

THREADS = min(4, os.cpu_count() or 1)

Part = TypeVar("Part")
Result = TypeVar("Result")


def side_by_side(work: Callable[[Part], Result], parts: Iterable[Part]) -> Iterator[Result]:
    """Apply `work` to parts in threads, no more of them in memory than threads, and yield results in their order.

    Each part has one BLAS thread: threads of BLAS's own wait for each other on a busy machine.
    """
    with _blas().limit(limits=1, user_api="blas"), ThreadPoolExecutor(THREADS) as pool:
        running: deque[Future[Result]] = deque()
        for part in parts:
            running.append(pool.submit(work, part))
            if len(running) > THREADS:
                yield running.popleft().result()
        while running:
            yield running.popleft().result()


@lru_cache(maxsize=1)
def _blas() -> ThreadpoolController:
    return ThreadpoolController()
