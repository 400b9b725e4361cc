"""Non-inferiority: is a mean preference above a margin that was named before (study 2, section 4)?

The bound is one-sided: the `alpha` quantile of bootstrap means over clusters. Where it lies above the margin, the
one side is not worse than the other by more than the margin, at level `alpha`. Study 2 resamples pairs; those of
one question are not independent, so the clusters to resample are questions.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import nctdtr, stdtrit

from judgeray.stats.bootstrap import RESAMPLES
from judgeray.stats.clustered_errors import ratio_errors
from judgeray.stats.estimate import known
from judgeray.stats.question_means import Matrix
from judgeray.stats.resampled_ends import resampled_ends

MARGIN = -0.1
ALPHA = 0.05


@dataclass(frozen=True, slots=True)
class NonInferiority:
    """The mean, its lower bound, and the power of the test were the truth what was seen; None: not known."""

    mean: float | None
    bound: float | None
    power: float | None

    def holds(self, margin: float = MARGIN) -> bool | None:
        """Whether the bound lies above the margin."""
        return None if self.bound is None else self.bound > margin


def non_inferiority(
    sums: ArrayLike, counts: ArrayLike, margin: float = MARGIN, alpha: float = ALPHA, resamples: int = RESAMPLES
) -> NonInferiority:
    """Test the mean of items; `sums` and `counts` (clusters) are over the items of a cluster, all counts positive.

    Every item weighs the same. Bound and power need two clusters.
    """
    stacked = np.stack([np.asarray(sums, dtype=float), np.asarray(counts, dtype=float)])[None]
    (error,) = ratio_errors(stacked[0, 0], stacked[0, 1], "preference")
    mean, clusters = error.estimate.value, stacked.shape[2]
    if mean is None or clusters < 2:
        return NonInferiority(mean, None, None)
    (bound,) = resampled_ends(stacked, _means, resamples, 1 - 2 * alpha)[0]
    return NonInferiority(mean, known(bound), post_hoc_power(mean, error.standard_error, clusters, margin, alpha))


def post_hoc_power(
    mean: float, standard_error: float | None, clusters: int, margin: float = MARGIN, alpha: float = ALPHA
) -> float | None:
    """Compute the power of the one-sided t test of `mean` against `margin`, were the truth what was seen.

    1 - F(t; G - 1, (mean - margin) / standard error) with F the noncentral t distribution, t the upper `alpha`
    quantile of Student's t, and G `clusters`. It says nothing that the bound does not: it is a function of it. None
    without a standard error.
    """
    if not standard_error:
        return None
    freedom = clusters - 1
    reached = stdtrit(freedom, 1 - alpha)
    return float(1 - nctdtr(freedom, (mean - margin) / standard_error, reached))


def _means(sums: Matrix) -> Matrix:
    means: Matrix = sums[:, 0] / sums[:, 1]
    return means
