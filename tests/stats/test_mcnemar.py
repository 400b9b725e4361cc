"""McNemar's test on rows against statsmodels and closed forms."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom
from statsmodels.stats.contingency_tables import mcnemar as statsmodels_mcnemar

from judgeray.stats.mcnemar import mcnemar
from judgeray.stats.sign_test import sign_test_p
from tests.benchmarks.clustered_draws import Study

counts = st.integers(0, 150)


@settings(max_examples=100, deadline=None)
@given(only_a=counts, only_b=counts)
def test_the_exact_p_is_that_of_statsmodels(only_a: int, only_b: int) -> None:
    """Concordant rows play no part."""
    expected = statsmodels_mcnemar([[7, only_a], [only_b, 3]], exact=True).pvalue if only_a + only_b else 1.0
    assert mcnemar(only_a, only_b).p_exact == pytest.approx(expected, rel=1e-9)


@settings(max_examples=100, deadline=None)
@given(only_a=counts, only_b=counts)
def test_mid_p_counts_half_of_what_was_seen(only_a: int, only_b: int) -> None:
    """It is both tails beyond the observed outcome plus half of the observed ones."""
    n, least = only_a + only_b, min(only_a, only_b)
    beyond = 2 * (binom.cdf(least, n, 0.5) - binom.pmf(least, n, 0.5))
    expected = beyond + binom.pmf(least, n, 0.5) if only_a != only_b else 1.0
    assert mcnemar(only_a, only_b).p_mid == pytest.approx(expected, rel=1e-9, abs=1e-15)
    assert mcnemar(only_b, only_a) == mcnemar(only_a, only_b)


def test_rows_that_fall_together_break_its_level_and_not_that_of_the_sign_test() -> None:
    """Where designs have easy questions of their own, 5 % tests on rows reject over 6 % of 2,000 true nulls."""
    a, b = Study(200, 0.8, 0.8, shared=0.0).rows(2_000, np.random.default_rng(1))
    only_a, only_b = (a & ~b).sum(axis=(1, 2)), (b & ~a).sum(axis=(1, 2))
    by_row = [mcnemar(x, y).p_mid <= 0.05 for x, y in zip(only_a.tolist(), only_b.tolist(), strict=True)]
    differences = a.sum(axis=2) - b.sum(axis=2)
    by_question = sign_test_p((differences > 0).sum(axis=1), (differences < 0).sum(axis=1)) <= 0.05
    assert np.mean(by_row) > 0.06
    assert np.mean(by_question) <= 0.055
