"""Question means as exact fractions: so that no rounding decides what is equal to zero.

A question's mean is a sum over a count. Scaled to one common denominator, the numerators are whole numbers,
and whole numbers add up exactly in any order, on any machine.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Matrix = NDArray[np.float64]

_LARGEST_DENOMINATOR = 2**20


@dataclass(frozen=True, slots=True)
class Fractions:
    """Cells by questions: `numerators / denominators` is the question's mean; both are 0 where it is unknown.

    All known denominators of one cell are equal, so a cell's mean of question means is the sum of its
    numerators over the sum of its denominators.
    """

    numerators: Matrix
    denominators: Matrix


def question_means(sums: ArrayLike, counts: ArrayLike) -> Fractions:
    """Put sums over counts, both (cells, questions), on each cell's least common denominator."""
    totals = np.atleast_2d(np.asarray(sums, dtype=float))
    sizes = np.atleast_2d(np.asarray(counts, dtype=np.int64))
    known = sizes > 0
    filled = np.where(known, sizes, 1)
    common = np.array([[_common_denominator(row)] for row in filled], dtype=float).reshape(-1, 1)
    return Fractions(np.where(known, totals * (common / filled), 0.0), np.where(known, common, 0.0))


def means(sums: ArrayLike, counts: ArrayLike) -> list[float | None]:
    """Compute each cell's mean of question means, without an interval; None where no question is known."""
    fractions = question_means(sums, counts)
    totals = zip(fractions.numerators.sum(axis=1), fractions.denominators.sum(axis=1), strict=True)
    return [float(top / bottom) if bottom else None for top, bottom in totals]


def _common_denominator(counts: NDArray[np.int64]) -> int:
    """Find the least common multiple, or 1 where it would be too large for exact sums to matter."""
    same = counts.size > 0 and counts.min() == counts.max()
    common = 1
    for count in (counts[:1] if same else np.unique(counts)).tolist():
        common = int(np.lcm(common, count))
        if common > _LARGEST_DENOMINATOR:
            return 1
    return common
