"""Percentile intervals of whatever can be computed from resampled sums."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from judgeray.stats.parallel import THREADS, side_by_side
from judgeray.stats.quantiles import row_quantiles
from judgeray.stats.question_means import Matrix
from judgeray.stats.resampling import resampled_sums

_ROWS_AT_ONCE = 64


def resampled_ends(sums: Matrix, statistic: Callable[[Matrix], Matrix], resamples: int, level: float) -> Matrix:
    """Find both ends of the `level` interval of `statistic` of `sums` (cells, sums, questions): (2, estimates).

    `statistic` maps sums (cells, sums, resamples) to values (estimates, resamples), cell by cell; an end is NaN
    where one of its values is. Cells are resampled some at a time, which bounds memory, and side by side.
    """
    cells, kinds, questions = sums.shape
    tail = (1 - level) / 2

    def ends(part: Matrix) -> Matrix:
        resampled = resampled_sums(part.reshape(-1, questions), resamples)
        values = statistic(resampled.reshape(len(part), kinds, resamples))
        return np.stack([row_quantiles(values, end) for end in (tail, 1 - tail)])

    at_once = max(1, min(_ROWS_AT_ONCE // kinds, -(-cells // THREADS)))
    parts = (sums[start : start + at_once] for start in range(0, cells, at_once))
    return np.concatenate([np.empty((2, 0)), *side_by_side(ends, parts)], axis=1)
