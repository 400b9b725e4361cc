"""Sums over resampled questions: the one product that every bootstrap interval stands on.

Sums of whole numbers below 2^53 are exact in floating point, so they come out the same in any order, with any
number of threads, on any machine. Other numbers are first cut into whole parts, or put on a grid on which their
sums are exact too. Each row is treated by itself: its sums are the same in any company.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from judgeray.stats.draws import Weights, bootstrap_weights

Matrix = NDArray[np.float64]
Floats = NDArray[np.floating[Any]]

_EXACT_BITS = 53
_SMALLEST_EXPONENT = -1022
_SINGLE_BITS = 24
_PARTS = (1, 4, 100, 10_000)
_ROUNDING = 1e-9


@dataclass(frozen=True, eq=False)
class _Factors:
    """Some rows as numbers of one precision whose sums are exact, cut into `parts` (a column, one a row)."""

    rows: NDArray[np.intp]
    numbers: Floats
    parts: Matrix

    def summed(self, weights: Weights) -> Floats:
        """Sum up for a block of resamples."""
        sums: Floats = self.numbers @ weights.astype(self.numbers.dtype, copy=False).T
        return sums / self.parts if (self.parts > 1).any() else sums


def resampled_sums(values: ArrayLike, resamples: int) -> Matrix:
    """Sum each row of `values` (rows, questions) over each resample: (rows, resamples).

    A row with one value for all questions needs no product. Values with more than four decimals are rounded to 53
    bits below the largest possible sum of their row.
    """
    rows = np.atleast_2d(np.asarray(values, dtype=float))
    questions = rows.shape[1]
    sums = np.empty((len(rows), resamples))
    constant = (rows == rows[:, :1]).all(axis=1)
    sums[constant] = rows[constant][:, :1] * questions
    if not constant.all():
        summed = summing(rows[~constant])
        end = 0
        for weights in bootstrap_weights(questions, resamples):
            start, end = end, end + len(weights)
            sums[~constant, start:end] = summed(weights)
    return sums


def summing(rows: Matrix) -> Callable[[Weights], Floats]:
    """Prepare `rows` (rows, questions) to be summed over blocks of weights: (rows, resamples of the block)."""
    groups = [factors for factors in _exact_factors(rows) if factors.rows.size]

    def summed(weights: Weights) -> Floats:
        if len(groups) == 1:
            return groups[0].summed(weights)
        sums: Floats = np.empty((len(rows), len(weights)))
        for factors in groups:
            sums[factors.rows] = factors.summed(weights)
        return sums

    return summed


def distinct_rows(rows: Matrix) -> tuple[Matrix, NDArray[np.intp]]:
    """Find the distinct rows, in order of appearance, and the number of each row's like among them."""
    numbers: dict[bytes, int] = {}
    where = np.array([numbers.setdefault(row.tobytes(), len(numbers)) for row in rows], dtype=np.intp)
    _, first = np.unique(where, return_index=True)
    return (rows if len(first) == len(rows) else rows[first]), where


def on_grid(rows: Matrix) -> Matrix:
    """Round each row of `rows` (rows, questions) to multiples of a power of two on which its sums are exact."""
    largest = np.abs(rows).max(axis=1, initial=0.0) * max(1, rows.shape[1])
    _, exponents = np.frexp(largest)
    step = np.ldexp(1.0, np.clip(exponents - _EXACT_BITS, _SMALLEST_EXPONENT, 0))[:, None]
    gridded: Matrix = np.round(rows / step) * step
    return gridded


def _exact_factors(rows: Matrix) -> tuple[_Factors, _Factors]:
    """Part the rows into those of single precision, which is twice as fast, and the rest.

    Whole numbers of parts that add up to less than 2^24 are exact in single precision.
    """
    largest = np.abs(rows).max(axis=1, initial=0.0) * rows.shape[1]
    parts = np.zeros((len(rows), 1))
    for number in reversed(_PARTS):
        small = np.flatnonzero(largest < 2**_SINGLE_BITS / number)
        cut = rows[small] * number
        whole = np.abs(cut - np.round(cut)).max(axis=1, initial=0.0) <= _ROUNDING
        parts[small[whole]] = number
    single, double = np.flatnonzero(parts > 0), np.flatnonzero(parts == 0)
    whole_parts = np.round(rows[single] * parts[single]).astype(np.float32)
    return (
        _Factors(single, whole_parts, parts[single]),
        _Factors(double, on_grid(rows[double]), np.ones((double.size, 1))),
    )
