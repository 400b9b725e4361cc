"""Equivalence tests against statsmodels, closed forms and simulation."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom
from statsmodels.stats.weightstats import DescrStatsW

from judgeray.stats.equivalence import Equivalence, equivalence
from tests.benchmarks.clustered_draws import Study

differences = st.lists(st.integers(-2, 2), min_size=3, max_size=60).filter(lambda d: len(set(d)) > 1)


def _test(values: list[int], margin: float = 0.02) -> Equivalence:
    (test,) = equivalence(values, np.full(len(values), 2), "share of rows", margin)
    return test


@settings(max_examples=100, deadline=None)
@given(values=differences, margin=st.floats(0.001, 0.5))
def test_p_t_is_that_of_statsmodels(values: list[int], margin: float) -> None:
    """Two one-sided t tests on question means, and the 90 % interval that goes with them."""
    described = DescrStatsW(np.array(values) / 2)
    test = _test(values, margin)
    assert test.p_t == pytest.approx(described.ttost_mean(-margin, margin)[0], rel=1e-7, abs=1e-12)
    assert (test.estimate.low, test.estimate.high) == pytest.approx(described.tconfint_mean(0.10), abs=1e-12)


@settings(max_examples=100, deadline=None)
@given(values=differences)
def test_p_exact_is_a_binomial_bound_on_questions_lost_and_won(values: list[int]) -> None:
    """So few questions lost (or won) would be rare if a share of at least the margin were."""
    more = max(sum(v < 0 for v in values), sum(v > 0 for v in values))
    assert _test(values).p_exact == pytest.approx(binom.cdf(more, len(values), 0.02))
    assert _test([-v for v in values]).p_exact == _test(values).p_exact


def test_without_any_difference_only_the_exact_test_speaks() -> None:
    """Two hundred ties: the t test has no error to compare with, the bound is .98 to the 200th."""
    test = _test([0] * 200)
    assert test.p_t is None
    assert test.p_exact == pytest.approx(0.98**200)
    assert (test.estimate.value, test.estimate.low, test.estimate.high) == (0.0, 0.0, 0.0)


def test_one_question_shows_nothing() -> None:
    """No interval, no t test; the bound is as weak as one question is."""
    test = _test([0])
    assert (test.p_t, test.estimate.low) == (None, None)
    assert test.p_exact == pytest.approx(0.98)


def test_no_question_is_not_known() -> None:
    """Nothing compared, nothing said."""
    (test,) = equivalence(np.zeros((1, 0)), np.zeros((1, 0)), "share of rows")
    assert (test.estimate.value, test.p_t, test.p_exact) == (None, None, None)


def test_both_keep_their_level_at_the_margin() -> None:
    """With designs exactly the margin apart, 5 % tests on 1,000 questions call few studies equivalent."""
    a, b = Study(1_000, 0.90, 0.88).rows(400, np.random.default_rng(4))
    values = a.sum(axis=2) - b.sum(axis=2)
    tests = equivalence(values, np.full(values.shape, 2), "share of rows")
    assert np.mean([t.p_t is not None and t.p_t <= 0.05 for t in tests]) <= 0.075
    assert np.mean([t.p_exact is not None and t.p_exact <= 0.05 for t in tests]) <= 0.05
