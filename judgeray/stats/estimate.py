"""An estimate: a number with its interval, and with what it stands on."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Estimate:
    """One estimated quantity in `unit`.

    `value` is None where nothing is known; `low` and `high` are None where no interval is defined. `n` counts
    the clusters (source questions) that carry a value, `missing` those that carry none. `method` says how the
    interval was made.
    """

    value: float | None
    low: float | None
    high: float | None
    n: int
    missing: int
    unit: str
    method: str


def known(number: float) -> float | None:
    """Turn NaN, NumPy's word for undefined, into None."""
    return None if math.isnan(number) else float(number)
