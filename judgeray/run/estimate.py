"""Estimating what wanted calls will cost, from the replies that are known already."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

PILOT_REPLIES = 10
"""Known replies of an arm from which on its cost is estimated with an interval."""

Z_95 = 1.959964


@dataclass(frozen=True)
class CostEstimate:
    """Cost of wanted calls in US dollars; `low` and `high` are a 95% prediction interval, None without a pilot."""

    value_usd: float | None
    low_usd: float | None = None
    high_usd: float | None = None


def estimate_cost(pilot_usd: Sequence[float | None], wanted: int, guess_usd: float | None) -> CostEstimate:
    """Estimate the sum over `wanted` calls from the costs of known replies of the same arm.

    The interval is that of the sum of so many new draws whose mean is itself estimated (normal approximation):
    wanted x mean +- 1.96 x sd x sqrt(wanted + wanted^2 / pilot). Without a pilot the guess stands alone.
    """
    if wanted == 0:
        return CostEstimate(0.0)
    known = [cost for cost in pilot_usd if cost is not None]
    if len(known) < PILOT_REPLIES or len(known) < len(pilot_usd):
        return CostEstimate(guess_usd)
    mean = sum(known) / len(known)
    variance = sum((cost - mean) ** 2 for cost in known) / (len(known) - 1)
    half = Z_95 * math.sqrt(variance * (wanted + wanted**2 / len(known)))
    return CostEstimate(mean * wanted, max(0.0, mean * wanted - half), mean * wanted + half)


def together(estimates: Sequence[CostEstimate]) -> CostEstimate:
    """Add estimates of independent arms: half-widths add in squares; an unknown part makes the sum unknown."""
    if any(estimate.value_usd is None for estimate in estimates):
        return CostEstimate(None)
    value = sum(estimate.value_usd or 0.0 for estimate in estimates)
    halves = [_half(estimate) for estimate in estimates if estimate.value_usd]
    if not halves or any(half is None for half in halves):
        return CostEstimate(value)
    half = math.sqrt(sum((half or 0.0) ** 2 for half in halves))
    return CostEstimate(value, max(0.0, value - half), value + half)


def _half(estimate: CostEstimate) -> float | None:
    if estimate.high_usd is None or estimate.value_usd is None:
        return None
    return estimate.high_usd - estimate.value_usd
