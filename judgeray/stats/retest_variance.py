"""Variance of right and wrong within and between items that were tried several times each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike


@dataclass(frozen=True, slots=True)
class RetestVariance:
    """Mean of all tries, variances of one try, and the share of them that is within items; None: not known."""

    mean: float | None
    within: float | None
    between: float | None
    share_within: float | None


def retest_variance(right: ArrayLike, tries: int) -> RetestVariance:
    """Split the variance of right (1) and wrong (0); `right` counts the right ones among each item's `tries` >= 2.

    `within` is the mean over items of the variance of an item's tries, r (t - r) / (t (t - 1)) for r right of t:
    unbiased. `between` is the variance of item means (over items - 1), less the within / t that a finite number
    of tries adds to it: unbiased too, but for a difference below zero, which becomes 0. `share_within` is
    within / (within + between), one minus the intraclass correlation of the one-way random model (Shrout and
    Fleiss 1979, ICC(1)); None without variance. `between` needs two items.

    Items are taken for independent, which rows of one question are not; so there is no interval.
    """
    r = np.asarray(right, dtype=np.int64)
    if not r.size:
        return RetestVariance(None, None, None, None)
    mean = float(r.sum() / (r.size * tries))
    within = float((r * (tries - r)).sum() / (r.size * tries * (tries - 1)))
    if r.size == 1:
        return RetestVariance(mean, within, None, None)
    of_means = float((r.size * (r**2).sum() - r.sum() ** 2) / (r.size * (r.size - 1) * tries**2))
    between = max(0.0, of_means - within / tries)
    both = within + between
    return RetestVariance(mean, within, between, within / both if both else None)
