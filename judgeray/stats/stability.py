"""Sign stability: how often half of the questions tell the same direction as all of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from judgeray.stats.draws import half_sample_weights
from judgeray.stats.estimate import Estimate
from judgeray.stats.parallel import side_by_side
from judgeray.stats.question_means import question_means
from judgeray.stats.resampling import summing

SUBSETS = 1_000
METHOD = "half-samples without replacement, PCG64 seed 42"


def sign_stability(sums: ArrayLike, counts: ArrayLike, subsets: int = SUBSETS) -> list[Estimate]:
    """Estimate, for each cell, the share of half-samples whose mean difference has the sign of the whole.

    `sums` and `counts` are (cells, questions) as for `clustered_means`; every count must be positive. A
    half-sample with a difference of exactly zero does not count (study 1, appendix E). None where the whole
    has no direction (difference zero) or there are fewer than two questions.
    """
    numerators = question_means(sums, counts).numerators
    questions = numerators.shape[1]
    whole = np.sign(numerators.sum(axis=1))
    kept = np.zeros(len(numerators))
    if questions > 1:
        for halves in side_by_side(summing(numerators), half_sample_weights(questions, subsets)):
            kept += (np.sign(halves) == whole[:, None]).sum(axis=1)
    directed = (whole != 0) & (questions > 1)
    return [_estimate(k / subsets if d else None, questions) for k, d in zip(kept, directed, strict=True)]


def _estimate(value: float | None, questions: int) -> Estimate:
    return Estimate(value, None, None, questions, 0, "share of half-samples", METHOD)
