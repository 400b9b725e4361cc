"""The sign test over a random number of discordant questions, against SciPy's binomial."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom

from judgeray.stats.discordant_questions import discordant_questions
from judgeray.stats.sign_test import sign_test_p


@pytest.mark.parametrize("alpha", [0.05, 0.001])
@pytest.mark.parametrize(("questions", "discordance"), [(12, 0.3), (600, 0.5), (3_000, 0.2)])
def test_critical_wins_are_the_most_that_reject(questions: int, discordance: float, alpha: float) -> None:
    """With so many won by the loser p is alpha or less, with one more it is not; -1 where none rejects."""
    found = discordant_questions(questions, discordance, alpha)
    wins, numbers = found.critical, found.numbers
    assert (numbers == np.arange(numbers[0], numbers[-1] + 1)).all()
    assert (sign_test_p(wins, numbers - wins)[wins >= 0] <= alpha).all()
    more = np.minimum(wins + 1, numbers // 2)
    assert (sign_test_p(more, numbers - more) > alpha).all()


@settings(max_examples=60, deadline=None)
@given(questions=st.integers(1, 2_000), discordance=st.floats(0, 1), share=st.floats(0, 1))
def test_power_is_the_average_of_binomial_tails(questions: int, discordance: float, share: float) -> None:
    """Going from one number of discordant questions to the next gives what computing each tail gives."""
    found = discordant_questions(questions, discordance, 0.05)
    tails = [binom.cdf(found.critical, found.numbers, wins) for wins in (share, 1 - share)]
    assert found.power(share) == pytest.approx(float(found.chances @ (tails[0] + tails[1])), rel=1e-9, abs=1e-12)


def test_likely_numbers_leave_out_next_to_nothing() -> None:
    """Numbers four standard deviations out and more have odds of one in ten thousand together."""
    found = discordant_questions(500, 0.3, 0.05)
    assert found.chances == pytest.approx(binom.pmf(found.numbers, 500, 0.3))
    assert 1 - 1e-4 < found.chances.sum() <= 1 + 1e-12
