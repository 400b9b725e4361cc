"""Calibration: do stated probabilities come true as often as they say?

The Brier score is the mean squared distance of forecast and outcome (Brier 1950). The expected calibration error
is the mean distance of mean forecast and observed share over bins, weighed by their rows (Naeini, Cooper and
Hauskrecht 2015). It is never below zero and so, with few rows a bin, above what is true; its interval shares
that bias.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from judgeray.stats.question_means import Matrix

BIAS_CAUTION = "the error of small bins adds up and never cancels: biased upwards"


def bin_gaps(
    gaps: Matrix, bins: NDArray[np.intp], bin_count: int, index: NDArray[np.intp], questions: int
) -> Matrix:
    """Sum up rows for the calibration error: (1 + bin_count, questions): rows, and gaps by bin.

    `gaps` holds forecast minus outcome, one entry a row like `bins` and `index`, the number of its question.
    """
    sums = np.bincount(bins * questions + index, weights=gaps, minlength=bin_count * questions)
    rows = np.bincount(index, minlength=questions)
    return np.vstack([rows[None, :], sums.reshape(bin_count, questions)])


def calibration_error(sums: Matrix) -> Matrix:
    """Compute the expected calibration error from `bin_gaps` sums (..., 1 + bins, resamples)."""
    rows = sums[..., 0, :]
    errors = np.full(rows.shape, np.nan)
    np.divide(np.abs(sums[..., 1:, :]).sum(axis=-2), rows, out=errors, where=rows > 0)
    return errors
