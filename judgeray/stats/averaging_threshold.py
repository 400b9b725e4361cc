"""The error rate below which a judge's sentence labels can tell an averaging rater from an unbiased one.

Study 3 (corollaries 2 and 3, appendix A.4): an unbiased rater correlates more with the minimum than with the mean
of a judge's labels while the judge's error rate is below a threshold, epsilon_0. A rater who does not is then
biased.

With summaries of one length M there always is a threshold: as the error rate goes to 1/2 the ratio of the two
correlations goes to sqrt(M / (2^M - 1)), which is below 1. With lengths mixed there need be none: at 1/2 a judge's
minimum still tells short summaries, which are likelier faithful, from long ones, and its mean tells nothing. The
minimum may also win again above the threshold; such error rates are not counted as valid.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq, minimize_scalar

from judgeray.stats.averaging_moments import Floats, Lengths, unbiased_correlations

TOLERANCE = 1e-12
"""How exactly a threshold is found, in units of the error rate."""

_GUESSING = 0.5
_STEPS = 2_000
_SMALL_STEPS = 400


@dataclass(frozen=True, slots=True)
class Threshold:
    """`error_rate` is epsilon_0, None where the minimum wins at every error rate below 1/2 (`unconditional`)."""

    error_rate: float | None

    @property
    def unconditional(self) -> bool:
        """Whether any judge better than guessing will do."""
        return self.error_rate is None

    @property
    def limit(self) -> float:
        """The error rate that a judge must stay below."""
        return _GUESSING if self.error_rate is None else self.error_rate


def error_threshold(lengths: Lengths, p: float) -> Threshold:
    """Find the smallest error rate at which the minimum no longer correlates more with an unbiased rater.

    `p` is the share of faithful sentences, strictly between 0 and 1. A fine scan, finer towards 0, brackets the
    first change of sign; dips between its steps are searched for a zero too.
    """
    rates = _scanned_rates()
    gaps = _gaps(lengths, p, rates)
    reached = np.flatnonzero(gaps <= 0)
    end = int(reached[0]) if reached.size else len(rates) - 1
    for dip in _dips(gaps, end):
        bottom = _bottom(lengths, p, float(rates[dip - 1]), float(rates[dip + 1]))
        if _gap(bottom, lengths, p) <= 0:
            return Threshold(_root(lengths, p, float(rates[dip - 1]), bottom))
    return Threshold(_root(lengths, p, float(rates[end - 1]), float(rates[end])) if reached.size else None)


def _scanned_rates() -> Floats:
    """0, then small rates in equal ratios, then rates in equal steps to just below 1/2."""
    even = np.linspace(0, _GUESSING, _STEPS + 1)[1:-1]
    small = np.geomspace(TOLERANCE, even[0], _SMALL_STEPS, endpoint=False)
    last = _GUESSING - np.geomspace(even[0], TOLERANCE, _SMALL_STEPS // 4)[1:]
    return np.concatenate([[0.0], small, even, last])


def _dips(gaps: Floats, end: int) -> list[int]:
    """List local minima before `end`, in order."""
    inner = gaps[1:end]
    lower = (inner <= gaps[: end - 1]) & (inner <= gaps[2 : end + 1])
    return [int(place) + 1 for place in np.flatnonzero(lower)]


def _bottom(lengths: Lengths, p: float, low: float, high: float) -> float:
    found = minimize_scalar(_gap, bounds=(low, high), args=(lengths, p), method="bounded", options={"xatol": 1e-13})
    return float(found.x)


def _root(lengths: Lengths, p: float, low: float, high: float) -> float:
    return float(brentq(_gap, low, high, args=(lengths, p), xtol=TOLERANCE))


def _gap(rate: float, lengths: Lengths, p: float) -> float:
    return float(_gaps(lengths, p, np.array([rate]))[0])


def _gaps(lengths: Lengths, p: float, rates: Floats) -> Floats:
    """How much more the minimum correlates with an unbiased rater, over the mean's correlation."""
    with_a, with_b = unbiased_correlations(lengths, p, rates)
    gaps: Floats = with_a / with_b - 1
    return gaps
