"""Sign stability against the hypergeometric law and its edges."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import hypergeom

from judgeray.stats.stability import sign_stability


def _stability(differences: list[int]) -> float | None:
    return sign_stability([differences], [[2] * len(differences)])[0].value


def test_rare_wins_are_kept_as_often_as_the_hypergeometric_law_says() -> None:
    """With four questions won of 200 and none lost, a half keeps the sign unless it holds none of the four."""
    differences = np.zeros(200, dtype=np.int64)
    differences[[3, 70, 111, 180]] = 1
    expected = 1 - hypergeom(200, 4, 100).pmf(0)
    assert _stability(differences.tolist()) == pytest.approx(expected, abs=0.02)


def test_a_zero_half_does_not_keep_the_sign() -> None:
    """Only strictly nonzero halves count: one win among two questions is kept by the halves that hold it."""
    generator = np.random.Generator(np.random.PCG64(42))
    held = sum(generator.choice(2, 1, replace=False)[0] == 1 for _ in range(1_000))
    assert _stability([0, 1]) == held / 1_000


def test_everywhere_the_same_sign_is_fully_stable() -> None:
    """If every question says the same, every half does."""
    assert _stability([1] * 31) == 1.0


@settings(max_examples=60, deadline=None)
@given(differences=st.lists(st.integers(-2, 2), min_size=2, max_size=30))
def test_swapping_sides_keeps_stability(differences: list[int]) -> None:
    """Stability does not depend on which design is a."""
    assert _stability(differences) == _stability([-d for d in differences])


@pytest.mark.parametrize("differences", [[1, -1], [0, 0, 0], [2]])
def test_without_direction_or_halves_it_is_not_known(differences: list[int]) -> None:
    """No difference has no sign to keep, and one question has no half: None, never 0."""
    assert _stability(differences) is None


def test_thirds_that_cancel_are_zero() -> None:
    """A half whose exact difference is zero is zero, whatever floating point makes of thirds."""
    assert sign_stability([[1, 2, -1, 3]], [[3, 3, 1, 1]], 200)[0].value is not None
    assert sign_stability([[1, 2, -1, 0]], [[3, 3, 1, 1]], 200)[0].value is None
