"""Work in threads: results in order, few parts ahead, one BLAS thread each."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Lock

import numpy as np
import pytest
from threadpoolctl import threadpool_info  # type: ignore[import-untyped]  # it has no types

from judgeray.stats.parallel import THREADS, side_by_side


def test_results_come_in_the_order_of_their_parts() -> None:
    """Also where later parts are done first."""

    def spread(size: int) -> float:
        return float(np.arange(size).std())

    sizes = [400_000, 3, 200_000, 2, 1]
    assert list(side_by_side(spread, sizes)) == [spread(size) for size in sizes]
    assert list(side_by_side(spread, [])) == []


def test_no_more_parts_are_taken_than_threads_need() -> None:
    """Parts may be large: one is taken only when one of those before it is done with."""
    lock = Lock()
    taken, most = 0, 0

    def parts() -> Iterator[int]:
        nonlocal taken, most
        for part in range(40):
            with lock:
                taken += 1
                most = max(most, taken)
            yield part

    for _ in side_by_side(lambda part: part, parts()):
        with lock:
            taken -= 1
    assert most <= THREADS + 1


def test_blas_has_one_thread_within_and_its_own_number_again_after() -> None:
    """Products of parts do not wait for each other."""

    def blas_threads(_: object = None) -> list[int]:
        return [library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"]

    before = blas_threads()
    assert list(side_by_side(blas_threads, [0, 1])) == [[1] * len(before)] * 2
    assert blas_threads() == before


def test_what_goes_wrong_in_a_thread_is_raised() -> None:
    """An error is neither swallowed nor replaced."""

    def broken(part: int) -> int:
        return 1 // part

    with pytest.raises(ZeroDivisionError):
        list(side_by_side(broken, [1, 0, 1]))
