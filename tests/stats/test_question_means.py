"""Question means as fractions: exact where floating point is not."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judgeray.stats.question_means import means, question_means

questions = st.lists(st.tuples(st.integers(-50, 50), st.integers(0, 9)), min_size=1, max_size=40)


@settings(max_examples=150, deadline=None)
@given(cell=questions)
def test_the_mean_is_that_of_exact_fractions(cell: list[tuple[int, int]]) -> None:
    """The mean of question means is the one that rational arithmetic gives; without questions it is None."""
    known = [Fraction(total, count) for total, count in cell if count]
    expected = float(sum(known) / len(known)) if known else None
    (found,) = means([[total for total, _ in cell]], [[count for _, count in cell]])
    assert found == (None if expected is None else pytest.approx(expected, rel=1e-15, abs=0))


def test_thirds_that_cancel_sum_to_exactly_zero() -> None:
    """What is equal differs by zero, not by a rounding error."""
    fractions = question_means([[1, 2, -1]], [[3, 3, 1]])
    assert fractions.numerators.sum() == 0.0
    assert np.sum([1 / 10, 2 / 10, -3 / 10]) != 0.0
    assert means([[1, 2, -3]], [[10, 10, 10]]) == [0.0]


def test_absurd_counts_fall_back_to_division() -> None:
    """A common denominator too large for exact sums is not used; the mean stays right."""
    counts = [101, 103, 107, 109, 113]
    assert means([[1] * 5], [counts]) == [pytest.approx(sum(1 / c for c in counts) / 5)]
