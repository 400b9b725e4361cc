"""The exact sign test against SciPy and against itself."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

from judgeray.stats.sign_test import sign_test, sign_test_p

differences = st.lists(st.integers(-3, 3), min_size=1, max_size=200)


@settings(max_examples=150, deadline=None)
@given(wins_a=st.integers(0, 300), wins_b=st.integers(0, 300))
def test_p_is_that_of_scipy(wins_a: int, wins_b: int) -> None:
    """The p-value is that of SciPy's exact two-sided binomial test."""
    expected = binomtest(wins_a, wins_a + wins_b).pvalue if wins_a + wins_b else 1.0
    assert float(sign_test_p(wins_a, wins_b)) == pytest.approx(expected, rel=1e-12)


@settings(max_examples=100, deadline=None)
@given(values=differences)
def test_swapping_sides_swaps_wins_and_keeps_p(values: list[int]) -> None:
    """Swapping the designs swaps the wins and leaves ties and p as they are."""
    there, back = sign_test(values), sign_test([-value for value in values])
    assert (there.wins_a, there.wins_b, there.ties, there.p) == (back.wins_b, back.wins_a, back.ties, back.p)
    assert there.wins_a + there.wins_b + there.ties == len(values)


def test_only_the_sign_of_a_difference_counts() -> None:
    """A question won by two rows weighs what a question won by one weighs."""
    assert sign_test([1, 1, 1, -1]) == sign_test([2, 0.5, 9, -7])


def test_without_discordant_questions_p_is_one() -> None:
    """Ties alone give no evidence: p is 1."""
    assert sign_test([0, 0, 0]).p == 1.0


def test_without_questions_p_is_not_known() -> None:
    """Without questions there is no p, not even 1."""
    assert sign_test([]).p is None
