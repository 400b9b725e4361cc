"""Power of the sign test against enumeration and simulation."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom, multinomial

from judgeray.stats.power import EXACT_QUESTIONS, detectable_share, questions_needed, sign_test_power
from judgeray.stats.sign_test import sign_test_p

shares = st.floats(0.0, 1.0)


@settings(max_examples=40, deadline=None)
@given(questions=st.integers(1, 25), discordance=shares, share=shares)
def test_power_is_the_chance_of_all_significant_outcomes(questions: int, discordance: float, share: float) -> None:
    """It is the sum of the chances of every (won, lost) whose p-value is .05 or less."""
    won, lost = np.meshgrid(np.arange(questions + 1), np.arange(questions + 1))
    fits = won + lost <= questions
    significant = fits & (sign_test_p(np.where(fits, won, 0), np.where(fits, lost, 0)) <= 0.05)
    chances = [discordance * share, discordance * (1 - share), 1 - discordance]
    outcomes = np.stack([won, lost, questions - won - lost], axis=-1)[significant]
    expected = multinomial.pmf(outcomes, questions, chances).sum() if significant.any() else 0.0
    assert sign_test_power(questions, discordance, share) == pytest.approx(expected, abs=2e-4)


@pytest.mark.parametrize(("discordance", "share"), [(0.05, 0.95), (0.2, 0.7), (0.5, 0.6)])
def test_the_number_of_questions_needed_is_enough_and_hardly_too_many(discordance: float, share: float) -> None:
    """Power reaches 80 % there and not two percent below."""
    needed = questions_needed(discordance, share)
    assert needed is not None
    assert sign_test_power(needed, discordance, share) >= 0.8
    assert sign_test_power(int(needed * 0.98) - 1, discordance, share) < 0.8
    assert questions_needed(discordance, 1 - share) == pytest.approx(needed, rel=0.01)


@pytest.mark.parametrize("questions", [20, 200, 3_000])
def test_a_detectable_share_is_detected(questions: int) -> None:
    """At the share found, power is 80 %; a thousandth below it is less."""
    share = detectable_share(questions, 0.4)
    assert share is not None
    assert sign_test_power(questions, 0.4, share) == pytest.approx(0.8, abs=1e-3)
    assert sign_test_power(questions, 0.4, share - 0.001) < 0.8


def test_what_cannot_be_shown_is_none() -> None:
    """Two of 200 questions discordant show nothing, even if both fall one way; alike designs need no number."""
    assert detectable_share(200, 0.01) is None
    assert questions_needed(0.0, 0.9) is None
    assert questions_needed(0.3, 0.5) is None


def test_far_out_the_normal_approximation_takes_over() -> None:
    """A share of 51 % needs about (1.96 * .5 + .84 * .5)^2 / .01^2 discordant questions."""
    needed = questions_needed(0.5, 0.51)
    assert needed is not None
    assert needed > EXACT_QUESTIONS
    assert needed == pytest.approx((1.96 * 0.5 + 0.8416 * 0.5) ** 2 / 0.01**2 / 0.5, rel=0.01)


@pytest.mark.parametrize(
    ("questions", "discordance", "share"), [(200, 0.1, 0.8), (200, 0.35, 0.62), (60, 0.2, 0.9)]
)
def test_simulated_studies_reject_as_often_as_predicted(questions: int, discordance: float, share: float) -> None:
    """Over 4,000 studies the rate is within two points."""
    rng = np.random.default_rng(9)
    discordant = rng.binomial(questions, discordance, 4_000)
    won = rng.binomial(discordant, share)
    rate = np.mean(sign_test_p(won, discordant - won) <= 0.05)
    assert rate == pytest.approx(sign_test_power(questions, discordance, share), abs=0.02)


def test_the_level_is_that_of_the_exact_test() -> None:
    """At a share of one half power is the test's true level: at most 5 %, and that of 50 discordant questions."""
    assert sign_test_power(200, 0.3, 0.5) <= 0.05
    assert sign_test_power(50, 1.0, 0.5) == pytest.approx(2 * binom.cdf(17, 50, 0.5))
