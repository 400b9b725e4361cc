"""Cluster-robust errors against statsmodels, closed forms and simulation."""

from __future__ import annotations

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st

from judgeray.stats.clustered_errors import mean_errors, ratio_errors
from tests.benchmarks.clustered_draws import Study

questions = st.lists(st.tuples(st.integers(0, 3), st.integers(1, 3)), min_size=3, max_size=30).filter(
    lambda rows: len({min(right, size) / size for right, size in rows}) > 1
)


@settings(max_examples=60, deadline=None)
@given(rows=questions)
def test_accuracy_has_the_error_of_a_clustered_regression(rows: list[tuple[int, int]]) -> None:
    """Value, CR1 error and t interval are those of OLS on a constant with clustered errors."""
    right = [min(r, size) for r, size in rows]
    sizes = [size for _, size in rows]
    y = np.concatenate([np.arange(size) < r for r, size in zip(right, sizes, strict=True)]).astype(float)
    groups = np.repeat(np.arange(len(rows)), sizes)
    fit = sm.OLS(y, np.ones_like(y)).fit(cov_type="cluster", cov_kwds={"groups": groups}, use_t=True)
    (error,) = ratio_errors(right, sizes, "share of rows")
    assert (error.estimate.value, error.standard_error) == pytest.approx((fit.params[0], fit.bse[0]))
    assert (error.estimate.low, error.estimate.high) == pytest.approx(tuple(fit.conf_int()[0]))


@settings(max_examples=60, deadline=None)
@given(rows=questions)
def test_a_mean_of_questions_is_a_weighted_regression(rows: list[tuple[int, int]]) -> None:
    """Weighing each row by one over its question's rows gives the mean of question means and its CR1 error."""
    sizes = [size for _, size in rows]
    y = np.repeat([min(r, size) / size for r, size in rows], sizes)
    groups = np.repeat(np.arange(len(rows)), sizes)
    fit = sm.WLS(y, np.ones_like(y), weights=1 / np.repeat(sizes, sizes)).fit(
        cov_type="cluster", cov_kwds={"groups": groups}, use_t=True
    )
    (error,) = mean_errors([min(r, size) for r, size in rows], sizes, "share of rows")
    assert (error.estimate.value, error.standard_error) == pytest.approx((fit.params[0], fit.bse[0]))


def test_the_error_of_a_mean_is_the_textbook_one() -> None:
    """With one difference a question it is s over the square root of n."""
    differences = np.array([1, 0, 0, -1, 1, 1, 0, 0])
    (error,) = mean_errors(differences, np.ones(8), "share of rows")
    assert error.standard_error == pytest.approx(differences.std(ddof=1) / np.sqrt(8))


def test_repeating_rows_adds_no_certainty() -> None:
    """Ten copies of each row leave the error as it is."""
    right = np.array([0, 1, 1, 0, 1, 1])
    once, often = ratio_errors([right, 10 * right], [np.ones(6), np.full(6, 10)], "share of rows")
    assert often.standard_error == pytest.approx(once.standard_error)


def test_one_question_has_no_error_and_none_no_value() -> None:
    """Unknown is None, never 0."""
    (single,) = ratio_errors([1], [2], "share of rows")
    assert (single.estimate.value, single.standard_error, single.estimate.low) == (0.5, None, None)
    (nothing,) = ratio_errors([0, 0], [0, 0], "share of rows")
    assert (nothing.estimate.value, nothing.standard_error, nothing.estimate.missing) == (None, None, 2)


def test_intervals_of_differences_cover_the_truth_as_often_as_they_claim() -> None:
    """Over 600 studies of 200 questions with about 65 discordant ones, 95 % intervals cover 93 to 97 %."""
    a, b = Study(200, 0.85, 0.80).rows(600, np.random.default_rng(2))
    differences = a.sum(axis=2) - b.sum(axis=2)
    errors = mean_errors(differences, np.full(differences.shape, 2), "share of rows")
    covered = [e.estimate.low <= 0.05 <= e.estimate.high for e in errors if e.estimate.low and e.estimate.high]
    assert len(covered) == 600
    assert 0.93 <= np.mean(covered) <= 0.97
