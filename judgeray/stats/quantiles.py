"""Sample quantiles by linear interpolation (Hyndman and Fan's type 7), as study 1 reports them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike


def quantiles(values: ArrayLike, probabilities: Sequence[float]) -> list[float | None]:
    """Compute the quantiles of the numbers in `values`; NaN counts as not known, no numbers give None."""
    numbers = np.asarray(values, dtype=float)
    numbers = numbers[~np.isnan(numbers)]
    if not numbers.size:
        return [None] * len(probabilities)
    return [float(q) for q in np.quantile(numbers, probabilities, method="linear")]
