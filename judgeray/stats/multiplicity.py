"""Adjusted p-values for a family of tests; NaN marks a test that could not be made and is no member."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


def holm(p_values: ArrayLike) -> Floats:
    """Adjust by Holm's step-down method, which bounds the chance of any false rejection (Holm 1979)."""

    def step_down(ascending: Floats) -> Floats:
        factors = np.arange(ascending.size, 0, -1)
        return np.maximum.accumulate(ascending * factors)

    return _adjusted(p_values, step_down)


def benjamini_hochberg(p_values: ArrayLike) -> Floats:
    """Adjust by the step-up method that bounds the false discovery rate (Benjamini and Hochberg 1995)."""

    def step_up(ascending: Floats) -> Floats:
        factors = ascending.size / np.arange(1, ascending.size + 1)
        return np.minimum.accumulate((ascending * factors)[::-1])[::-1]

    return _adjusted(p_values, step_up)


def _adjusted(p_values: ArrayLike, adjust: Callable[[Floats], Floats]) -> Floats:
    p = np.asarray(p_values, dtype=float)
    made = np.flatnonzero(~np.isnan(p))
    order = made[np.argsort(p[made], kind="stable")]
    adjusted = np.full(p.shape, np.nan)
    adjusted[order] = np.minimum(1.0, adjust(p[order]))
    return adjusted
