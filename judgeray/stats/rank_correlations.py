"""Correlations of a score with a label of two classes: Pearson's, Spearman's, Kendall's tau-b, and the ROC-AUC.

All of them follow from a few sums over items, with whole numbers for all that ranks decide. With a items of label
1, b of label 0, n in all, t of each score, and U the Mann-Whitney count of pairs that label 1 wins (W = 2U - ab):

    AUC = U / ab        tau-b = W / sqrt(ab (n^2 - sum t^2) / 2)        Spearman = W sqrt(3n / (ab (n^3 - sum t^3)))

Undefined, NaN, without items of both labels; but for the AUC, which then is 1/2, also where all scores are equal.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from judgeray.stats.question_means import Matrix

MEASURES = ("pearson", "spearman", "kendall", "roc_auc")
"""What `correlations` computes, in this order."""


@dataclass(frozen=True, eq=False)
class ClassSums:
    """What items of both labels add up to, each an array of one entry a resample.

    `ones` and `zeros` count items by label. `wins` is 2U: pairs of both labels in which label 1 has the higher
    score count twice, those of equal score once. `squares` and `cubes` sum t^2 and t^3 over distinct scores.
    `first`, `second` and `joint` sum the score, its square, and the score of label 1.
    """

    ones: Matrix
    zeros: Matrix
    wins: Matrix
    squares: Matrix
    cubes: Matrix
    first: Matrix
    second: Matrix
    joint: Matrix


def correlations(sums: ClassSums) -> Matrix:
    """Compute the measures: (`MEASURES`, resamples)."""
    a, b = sums.ones, sums.zeros
    n, pairs = a + b, a * b
    surplus = sums.wins - pairs
    spread = np.maximum(n * sums.second - sums.first * sums.first, 0)
    varies = n * n > sums.squares
    return np.stack(
        [
            _ratio(n * sums.joint - sums.first * a, np.sqrt(pairs * spread), varies),
            _ratio(surplus * np.sqrt(3 * n), np.sqrt(pairs * (n**3 - sums.cubes)), varies),
            _ratio(surplus, np.sqrt(pairs * (n * n - sums.squares) / 2), varies),
            _ratio(sums.wins, 2 * pairs, pairs > 0),
        ]
    )


def _ratio(numerators: Matrix, denominators: Matrix, defined: NDArray[np.bool_]) -> Matrix:
    """Divide where that is defined; rounding never leads out of -1 to 1."""
    ratios = np.full(numerators.shape, np.nan)
    np.divide(numerators, denominators, out=ratios, where=defined & (denominators > 0))
    clipped: Matrix = np.clip(ratios, -1, 1)
    return clipped
