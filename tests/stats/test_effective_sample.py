"""Wilson intervals with effective rows against statsmodels, closed forms and simulation."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.proportion import proportion_confint

from judgeray.stats.effective_sample import effective_samples
from tests.benchmarks.clustered_draws import Study


@settings(max_examples=100, deadline=None)
@given(right=st.lists(st.integers(0, 1), min_size=1, max_size=80))
def test_one_row_a_question_is_the_plain_wilson_interval(right: list[int]) -> None:
    """With a design effect of 1 the interval is that of statsmodels, also where all rows agree."""
    (sample,) = effective_samples(right, np.ones(len(right)))
    expected = proportion_confint(sum(right), len(right), method="wilson")
    assert sample.design_effect == pytest.approx(1.0)
    assert (sample.estimate.low, sample.estimate.high) == pytest.approx(expected, abs=1e-12)


@settings(max_examples=100, deadline=None)
@given(right=st.lists(st.integers(0, 1), min_size=1, max_size=80), copies=st.integers(2, 5))
def test_rows_that_always_agree_are_worth_one(right: list[int], copies: int) -> None:
    """Copies of a row have a design effect of their number, and the interval is that of the questions."""
    (sample,) = effective_samples(np.array(right) * copies, np.full(len(right), copies))
    assert sample.design_effect == pytest.approx(copies)
    assert sample.effective_rows == pytest.approx(len(right))
    expected = proportion_confint(sum(right), len(right), method="wilson")
    assert (sample.estimate.low, sample.estimate.high) == pytest.approx(expected, abs=1e-12)


def test_the_design_effect_is_one_plus_the_intraclass_correlation() -> None:
    """For two rows a question it is 1 + rho, with rho from counting agreeing pairs by hand."""
    right = np.array([2, 2, 2, 1, 0, 2, 1, 2, 0, 0])
    share = right.sum() / 20
    covariance = np.mean(
        [(r == 2) * (1 - share) ** 2 + (r == 0) * share**2 - (r == 1) * share * (1 - share) for r in right]
    )
    (sample,) = effective_samples(right, np.full(10, 2))
    assert sample.design_effect == pytest.approx(1 + covariance / (share * (1 - share)))


def test_rows_that_differ_within_questions_are_no_better_than_independent() -> None:
    """A design effect below 1 is taken as 1."""
    (sample,) = effective_samples(np.ones(30), np.full(30, 2))
    assert (sample.design_effect, sample.effective_rows) == (1.0, 60.0)


def test_nothing_known_is_none() -> None:
    """Without rows there is no share and nothing that rows are worth."""
    (sample,) = effective_samples([0, 0], [0, 0])
    assert (sample.estimate.value, sample.estimate.low, sample.design_effect, sample.effective_rows) == (None,) * 4


@pytest.mark.parametrize("accuracy", [0.8, 0.975])
def test_intervals_cover_the_truth_as_often_as_they_claim(accuracy: float) -> None:
    """Over 600 studies of 200 questions with rows that are alike, 95 % intervals cover 93 to 97 %."""
    rows, _ = Study(200, accuracy, accuracy).rows(600, np.random.default_rng(5))
    right = rows.sum(axis=2)
    covered = [
        s.estimate.low <= accuracy <= s.estimate.high
        for s in effective_samples(right, np.full(right.shape, 2))
        if s.estimate.low is not None and s.estimate.high is not None
    ]
    assert len(covered) == 600
    assert 0.93 <= np.mean(covered) <= 0.975
