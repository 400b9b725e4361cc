"""The one-sided bound and the power behind it: closed forms, simulation, and an independent implementation."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom
from statsmodels.stats.power import TTestPower

from judgeray.stats.non_inferiority import MARGIN, non_inferiority, post_hoc_power


@pytest.mark.parametrize("alpha", [0.025, 0.05, 0.1])
def test_the_bound_is_the_quantile_of_resampled_means(alpha: float) -> None:
    """Of 50 items 30 are preferred: resampled means are binomial, and the bound is their quantile."""
    values = [1.0] * 30 + [0.0] * 20
    found = non_inferiority(values, [1] * 50, alpha=alpha)
    assert found.mean == 0.6
    assert found.bound == pytest.approx(binom.ppf(alpha, 50, 0.6) / 50, abs=0.0201)


def test_clusters_are_resampled_whole() -> None:
    """Ten questions of four like items are ten observations: the bound lies lower than that of forty items."""
    signs = np.array([1] * 6 + [-1] * 4, dtype=float)
    together = non_inferiority(signs * 4, [4] * 10)
    apart = non_inferiority(np.repeat(signs, 4), [1] * 40)
    assert together.mean == apart.mean == pytest.approx(0.2)
    assert together.bound is not None
    assert apart.bound is not None
    assert together.bound < apart.bound
    assert (together.holds(), apart.holds()) == (False, True)
    assert together.bound == non_inferiority(signs, [1] * 10).bound


def test_power_is_that_of_the_one_sided_t_test() -> None:
    """Against statsmodels, with the spread of the items themselves."""
    values = np.array([1] * 27 + [-1] * 17 + [0] * 36, dtype=float)
    effect = (values.mean() - MARGIN) / values.std(ddof=1)
    for alpha in (0.025, 0.05):
        expected = TTestPower().power(effect, 80, alpha, alternative="larger")
        assert non_inferiority(values, [1] * 80, alpha=alpha).power == pytest.approx(expected)


def test_power_is_alpha_at_the_margin() -> None:
    """Where the truth is the margin itself, the test rejects as often as its level says."""
    assert post_hoc_power(MARGIN, 0.08, 40) == pytest.approx(0.05)


def test_power_is_how_often_the_test_succeeds() -> None:
    """In 2,000 simulated studies, t tests against the margin succeed as often as predicted, within 3 points."""
    rng = np.random.default_rng(1)
    studies = rng.normal(0.1, 0.6, (2_000, 50))
    t = (studies.mean(axis=1) - MARGIN) / (studies.std(axis=1, ddof=1) / np.sqrt(50))
    predicted = post_hoc_power(0.1, 0.6 / np.sqrt(50), 50)
    assert np.mean(t > 1.6766) == pytest.approx(predicted, abs=0.03)


def test_too_little_says_nothing() -> None:
    """No item: nothing. One cluster: a mean. No spread: a bound without power."""
    nothing, single, same = (non_inferiority([1.0] * n, [1] * n) for n in (0, 1, 5))
    assert (nothing.mean, nothing.bound, nothing.holds(), nothing.power) == (None, None, None, None)
    assert (single.mean, single.bound, single.power) == (1.0, None, None)
    assert (same.mean, same.bound, same.holds(), same.power) == (1.0, 1.0, True, None)
