"""Cluster-robust standard errors: questions are drawn, rows come along with their question.

The variance is CR1: squared question totals of the residuals, times G / (G - 1) for G questions, as an ordinary
least squares fit of a constant with clustered errors has it. The interval is Student's t with G - 1 degrees of
freedom. In 2,000 simulated studies of 200 questions with two rows, 95 % intervals of differences held the truth in
94 to 96 %, down to about ten discordant questions (with four, in 92 %). Those of accuracies did at 40 % and 20 %
wrong rows; at 10 % wrong in 93, at 2.5 % in 92, at 1 % in 88 %: use `effective_sample` there.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import stdtrit

from judgeray.stats.estimate import Estimate, known
from judgeray.stats.question_means import Fractions, Matrix, question_means

LEVEL = 0.95
METHOD = "cluster-robust standard error (CR1), t interval, questions as clusters"


@dataclass(frozen=True, slots=True)
class ClusteredError:
    """An estimate with its standard error (None with fewer than two questions)."""

    estimate: Estimate
    standard_error: float | None


def ratio_errors(sums: ArrayLike, counts: ArrayLike, unit: str) -> list[ClusteredError]:
    """Estimate sum over count for each cell, every row weighing the same; both are (cells, questions)."""
    numerators = np.atleast_2d(np.asarray(sums, dtype=float))
    return _errors(Fractions(numerators, np.atleast_2d(np.asarray(counts, dtype=float))), unit)


def mean_errors(sums: ArrayLike, counts: ArrayLike, unit: str) -> list[ClusteredError]:
    """Estimate the mean of question means for each cell, every question weighing the same."""
    return _errors(question_means(sums, counts), unit)


def clustered_variances(fractions: Fractions) -> tuple[Matrix, Matrix]:
    """Compute each cell's ratio of sums and its variance without the factor G / (G - 1); NaN without counts."""
    totals = fractions.denominators.sum(axis=1)
    ratios = np.full(totals.shape, np.nan)
    np.divide(fractions.numerators.sum(axis=1), totals, out=ratios, where=totals > 0)
    residuals = fractions.numerators - ratios[:, None] * fractions.denominators
    variances = np.full(totals.shape, np.nan)
    np.divide((residuals * residuals).sum(axis=1), totals * totals, out=variances, where=totals > 0)
    return ratios, variances


def _errors(fractions: Fractions, unit: str) -> list[ClusteredError]:
    ratios, variances = clustered_variances(fractions)
    questions = (fractions.denominators > 0).sum(axis=1)
    missing = fractions.denominators.shape[1] - questions
    freedom = np.where(questions > 1, questions - 1, np.nan)
    errors = np.sqrt(variances * questions / freedom)
    reach = stdtrit(freedom, (1 + LEVEL) / 2) * errors
    cells = zip(ratios, errors, reach, questions, missing, strict=True)
    return [
        ClusteredError(
            Estimate(known(v), known(v - r), known(v + r), int(n), int(m), unit, METHOD),
            known(e),
        )
        for v, e, r, n, m in cells
    ]
