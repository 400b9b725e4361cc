"""Sums over resampled questions: the one product that every bootstrap interval stands on.

Sums of whole numbers below 2^53 are exact in floating point, so they come out the same in any order, with any
number of threads, on any machine. Other numbers are first put on a grid on which their sums are exact too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray

from judgeray.stats.draws import Weights, bootstrap_weights

Matrix = NDArray[np.float64]

_EXACT_BITS = 53
_SINGLE_BITS = 24
_PARTS = 16


def resampled_sums(values: ArrayLike, resamples: int) -> Matrix:
    """Sum each row of `values` (rows, questions) over each resample: (rows, resamples).

    Equal rows are multiplied once, and a row with one value for all questions needs no product at all. Values
    that are not whole are rounded to 53 bits below the largest possible sum of their row.
    """
    rows = on_grid(np.atleast_2d(np.asarray(values, dtype=float)))
    distinct, where = distinct_rows(rows)
    sums = np.empty((len(distinct), resamples))
    constant = (distinct == distinct[:, :1]).all(axis=1)
    sums[constant] = distinct[constant][:, :1] * rows.shape[1]
    if not constant.all():
        plan = bootstrap_weights(rows.shape[1], resamples)
        sums[~constant] = np.concatenate(list(weighted_sums(distinct[~constant], plan)), axis=1)
    return sums if len(distinct) == len(rows) else sums[where]


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
    step = np.ldexp(1.0, np.minimum(exponents - _EXACT_BITS, 0))[:, None]
    gridded: Matrix = np.round(rows / step) * step
    return gridded


def weighted_sums(rows: Matrix, plan: Iterable[Weights]) -> Iterator[Matrix]:
    """Sum `rows` (rows, questions) over each block of a plan: (rows, resamples of the block)."""
    kind = _product_type(rows)
    factors = rows.astype(kind)
    for weights in plan:
        yield factors @ weights.astype(kind).T


def _product_type(rows: Matrix) -> type[np.floating]:
    """Choose single precision, twice as fast, where (sixteenths of) whole numbers add up exactly in it."""
    parts = rows * _PARTS
    largest = np.abs(parts).max(initial=0.0) * rows.shape[1]
    whole = largest < 2**_SINGLE_BITS and bool((parts == np.round(parts)).all())
    return np.float32 if whole else np.float64
