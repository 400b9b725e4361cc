"""Sums over resampled questions: the one product that every bootstrap interval stands on.

Sums of whole numbers below 2^53 are exact in floating point, so they come out the same in any order, with any
number of threads, on any machine. Other numbers are first cut into whole parts, or put on a grid on which their
sums are exact too.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped]  # it has no types

from judgeray.stats.draws import Weights, bootstrap_weights

Matrix = NDArray[np.float64]

_EXACT_BITS = 53
_SMALLEST_EXPONENT = -1022
_SINGLE_BITS = 24
_PARTS = (1, 4, 100, 10_000)
_ROUNDING = 1e-9
_THREADS = min(4, os.cpu_count() or 1)


def resampled_sums(values: ArrayLike, resamples: int) -> Matrix:
    """Sum each row of `values` (rows, questions) over each resample: (rows, resamples).

    Equal rows are multiplied once, and a row with one value for all questions needs no product at all. Values
    with more than four decimals are rounded to 53 bits below the largest possible sum of their row.
    """
    distinct, where = distinct_rows(np.atleast_2d(np.asarray(values, dtype=float)))
    questions = distinct.shape[1]
    sums = np.empty((len(distinct), resamples))
    constant = (distinct == distinct[:, :1]).all(axis=1)
    sums[constant] = distinct[constant][:, :1] * questions
    if not constant.all():
        plan = bootstrap_weights(questions, resamples)
        sums[~constant] = np.concatenate(list(weighted_sums(distinct[~constant], plan)), axis=1)
    return sums if len(distinct) == len(where) else sums[where]


def distinct_rows(rows: Matrix) -> tuple[Matrix, list[int]]:
    """Find the distinct rows, in order of appearance, and the number of each row's like among them."""
    numbers: dict[bytes, int] = {}
    where = [numbers.setdefault(row.tobytes(), len(numbers)) for row in rows]
    first = [where.index(number) for number in range(len(numbers))]
    return (rows if len(first) == len(rows) else rows[first]), where


def on_grid(rows: Matrix) -> Matrix:
    """Round each row of `rows` (rows, questions) to multiples of a power of two on which its sums are exact."""
    largest = np.abs(rows).max(axis=1, initial=0.0) * max(1, rows.shape[1])
    _, exponents = np.frexp(largest)
    step = np.ldexp(1.0, np.clip(exponents - _EXACT_BITS, _SMALLEST_EXPONENT, 0))[:, None]
    gridded: Matrix = np.round(rows / step) * step
    return gridded


def weighted_sums(rows: Matrix, plan: Iterable[Weights]) -> Iterator[Matrix]:
    """Sum `rows` (rows, questions) over each block of a plan: (rows, resamples of the block), in their order."""
    factors, parts = _exact_factors(rows)

    def product(weights: Weights) -> Matrix:
        return (factors @ weights.astype(factors.dtype).T).astype(float) / parts

    # Blocks run side by side, one BLAS thread each: threads of BLAS's own wait for each other on a busy machine.
    with _blas().limit(limits=1, user_api="blas"):
        yield from _side_by_side(product, plan)


def _side_by_side(product: Callable[[Weights], Matrix], plan: Iterable[Weights]) -> Iterator[Matrix]:
    """Apply `product` to blocks in threads, no more of them in memory than threads, results in their order."""
    with ThreadPoolExecutor(_THREADS) as pool:
        running: deque[Future[Matrix]] = deque()
        for weights in plan:
            running.append(pool.submit(product, weights))
            if len(running) > _THREADS:
                yield running.popleft().result()
        while running:
            yield running.popleft().result()


@lru_cache(maxsize=1)
def _blas() -> ThreadpoolController:
    return ThreadpoolController()


def _exact_factors(rows: Matrix) -> tuple[NDArray[np.floating[Any]], int]:
    """Give rows as numbers whose sums are exact, and how many parts one is cut into.

    Whole numbers of parts that add up to less than 2^24 are exact in single precision, which is twice as fast.
    """
    largest = np.abs(rows).max(initial=0.0) * rows.shape[1]
    for parts in _PARTS:
        if largest * parts >= 2**_SINGLE_BITS:
            break
        whole = np.round(rows * parts)
        if np.abs(rows * parts - whole).max(initial=0.0) <= _ROUNDING:
            return whole.astype(np.float32), parts
    return on_grid(rows), 1
