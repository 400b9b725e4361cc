"""Intervals for functions of question sums: kappas, calibration errors and the like, clustered by question.

Everything that a statistic needs of a question is a few sums, so a resample of questions needs only resampled
sums. Beyond `DRAWN_QUESTIONS` questions the interval is the jackknife's, which leaves out one question at a time.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from judgeray.stats.bootstrap import DRAWN_QUESTIONS, LEVEL, METHOD, RESAMPLES
from judgeray.stats.estimate import Estimate, known
from judgeray.stats.question_means import Matrix
from judgeray.stats.resampled_ends import resampled_ends

JACKKNIFE_METHOD = "delete-one-question jackknife, normal interval"

Statistic = Callable[[Matrix], Matrix]
"""Maps sums (cells, sums, resamples) to values (estimates, resamples), NaN where they define none."""


def clustered_statistics(
    sums: Matrix, statistic: Statistic, unit: str, carrying: NDArray[np.intp], resamples: int = RESAMPLES
) -> list[Estimate]:
    """Estimate what `statistic` makes of `sums` (cells, sums, questions).

    `carrying` counts, for each estimate, the questions that carry a value. The interval is None with fewer than
    two of them, and where a resample leaves the statistic undefined (no row at all, one category alone).
    """
    questions = sums.shape[2]
    drawn = questions <= DRAWN_QUESTIONS
    values = statistic(sums.sum(axis=2, keepdims=True))[:, 0]
    ends = np.full((2, values.size), np.nan)
    if questions > 1 and drawn:
        ends = resampled_ends(sums, statistic, resamples, LEVEL)
    elif questions > 1:
        ends = _jackknife_ends(sums, statistic, values)
    ends[:, carrying < 2] = np.nan
    method = METHOD if drawn else JACKKNIFE_METHOD
    found = zip(values, *ends, carrying, strict=True)
    return [
        Estimate(known(v), known(lo), known(hi), int(n), questions - int(n), unit, method) for v, lo, hi, n in found
    ]


def _jackknife_ends(sums: Matrix, statistic: Statistic, values: Matrix) -> Matrix:
    questions = sums.shape[2]
    without = statistic(sums.sum(axis=2, keepdims=True) - sums)
    spread = ((without - without.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)
    reach = ndtri((1 + LEVEL) / 2) * np.sqrt(spread * (questions - 1) / questions)
    return np.stack([values - reach, values + reach])
