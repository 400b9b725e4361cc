"""Pearson's correlation as a function of sums, so that its interval is clustered by question.

In 2,000 simulated studies each, at a correlation of -0.85 over questions with five answers, 95 % percentile
intervals held the truth in 93 % with 60 to 200 questions, and in 89 % with 30: strong correlations are skewed.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from judgeray.stats.question_means import Matrix

SUMS = 6
"""Sums of one correlation: answers, x, y, x squared, y squared, x times y."""

_ROUNDING = 1e-12


def correlation_sums(x: Matrix, y: Matrix) -> Matrix:
    """Sum up `y` (questions, answers) and `x`, of like shape or (answers,), within questions: (SUMS, questions).

    An answer counts where both are numbers. Both are first put on a scale from -1 to 1, which changes no
    correlation and keeps digits where numbers are large and close.
    """
    both = ~(np.isnan(x) | np.isnan(y))
    u, v = (np.where(both, _scaled(np.where(both, values, np.nan)), 0.0) for values in (x, y))
    return np.stack([part.sum(axis=1) for part in (both.astype(float), u, v, u * u, v * v, u * v)])


def pearson(sums: Matrix) -> Matrix:
    """Compute the correlation (..., resamples) from sums (..., SUMS, resamples).

    NaN where x or y is the same throughout: a constant correlates with nothing, which is not a correlation of zero.
    """
    n, x, y, xx, yy, xy = (sums[..., place, :] for place in range(SUMS))
    spread_x, spread_y = _spread(n, x, xx), _spread(n, y, yy)
    found: Matrix = np.full(n.shape, np.nan)
    np.divide(n * xy - x * y, np.sqrt(spread_x * spread_y), out=found, where=(spread_x > 0) & (spread_y > 0))
    return np.clip(found, -1.0, 1.0)


def pearson_difference(sums: Matrix) -> Matrix:
    """Compute the second correlation minus the first from sums (..., 2 * SUMS, resamples)."""
    difference: Matrix = pearson(sums[..., SUMS:, :]) - pearson(sums[..., :SUMS, :])
    return difference


def _scaled(values: Matrix) -> Matrix:
    """Put numbers on the scale; equal ones become exactly zero."""
    known: NDArray[np.float64] = values[~np.isnan(values)]
    if not known.size:
        return values
    low, high = known.min() / 2, known.max() / 2
    reach = high - low
    scaled: Matrix = (values - (low + high)) / (reach or 1.0)
    return scaled


def _spread(n: Matrix, total: Matrix, squares: Matrix) -> Matrix:
    """Compute n times the sum of squares around the mean; zero where only rounding is left of it."""
    spread = n * squares - total * total
    return np.where(spread > _ROUNDING * n * squares, spread, 0.0)
