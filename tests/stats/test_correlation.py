"""Pearson's correlation from sums: against SciPy, on any scale, and where it is not defined."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import pearsonr

from judgeray.stats.correlation import SUMS, correlation_sums, pearson, pearson_difference
from judgeray.stats.functions_of_sums import clustered_statistics
from judgeray.stats.question_means import Matrix

LEVELS = np.arange(5.0)
numbers = st.one_of(st.integers(-3, 3).map(float), st.just(math.nan))
studies = st.lists(st.lists(numbers, min_size=5, max_size=5), min_size=1, max_size=6).map(np.array)


def whole(scores: Matrix) -> float:
    """Correlate scores with their levels."""
    return float(pearson(correlation_sums(LEVELS, scores).sum(axis=1)[:, None])[0])


@given(scores=studies)
def test_pearson_is_that_of_scipy(scores: Matrix) -> None:
    """Over all answers with a score, however they are split among questions."""
    known = ~np.isnan(scores)
    x, y = np.broadcast_to(LEVELS, scores.shape)[known], scores[known]
    if len(set(x)) < 2 or len(set(y)) < 2:
        assert math.isnan(whole(scores))
    else:
        assert whole(scores) == pytest.approx(pearsonr(x, y).statistic, abs=1e-12)


@given(scores=studies, shift=st.floats(-1e3, 1e3), factor=st.floats(1e-2, 1e6))
def test_no_scale_changes_a_correlation(scores: Matrix, shift: float, factor: float) -> None:
    """Scores from 0 to 1, from 1 to 5 or around a thousand say the same."""
    moved = scores * factor + shift
    assume(np.unique(moved[~np.isnan(moved)]).size == np.unique(scores[~np.isnan(scores)]).size)
    assert whole(moved) == pytest.approx(whole(scores), abs=1e-6, nan_ok=True)


def test_a_constant_correlates_with_nothing() -> None:
    """Scores that are all equal, whatever their value, have no correlation; neither has one level alone."""
    for value in (0.0, 0.1, 1 / 3, 1e9 + 0.1):
        assert math.isnan(whole(np.full((7, 5), value)))
    only_first = np.full((3, 5), math.nan)
    only_first[:, 0] = (1, 2, 3)
    assert math.isnan(whole(only_first))


def test_a_resample_of_equal_scores_is_undefined_too() -> None:
    """Questions that are constant by themselves leave nothing where they alone are drawn."""
    scores = np.array([[0.1] * 5, [0.1] * 5, [0.5, 0.4, 0.3, 0.2, 0.1]])
    constant = correlation_sums(LEVELS, scores)[:, :1] * 3
    assert math.isnan(pearson(constant)[0])


def test_a_difference_is_that_of_two_correlations() -> None:
    """Second minus first; scores against their inverse differ by twice their correlation."""
    falling = np.array([[4, 3, 2, 1, 0], [8, 6, 4, 2, 0]], dtype=float)
    sums = np.concatenate([correlation_sums(LEVELS, -falling), correlation_sums(LEVELS, falling)])
    assert sums.shape == (2 * SUMS, 2)
    rising = whole(-falling)
    assert rising > 0.8
    assert pearson_difference(sums.sum(axis=1)[:, None])[0] == pytest.approx(-2 * rising)


def test_intervals_cover_the_truth_as_often_as_they_claim() -> None:
    """Over 300 studies of 200 questions whose answers share a shift, 95 % intervals cover 90 to 97 %."""
    rng = np.random.default_rng(3)

    def study(questions: int) -> Matrix:
        shared, own = rng.normal(0, 0.5, (questions, 1)), rng.normal(0, 0.7, (questions, 5))
        return correlation_sums(LEVELS, -LEVELS + shared + own)

    truth = float(pearson(study(200_000).sum(axis=1)[:, None])[0])
    stack = np.stack([study(200) for _ in range(300)])
    estimates = clustered_statistics(stack, pearson, "correlation", np.full(300, 200), 500)
    covered = [e.low <= truth <= e.high for e in estimates if e.low is not None and e.high is not None]
    assert len(covered) == 300
    assert 0.9 <= np.mean(covered) <= 0.97
