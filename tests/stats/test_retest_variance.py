"""Variance within and between items: closed forms, and what is unbiased."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgeray.stats.retest_variance import RetestVariance, retest_variance


@given(right=st.lists(st.integers(0, 4), min_size=2, max_size=12))
def test_the_split_is_the_analysis_of_variance(right: list[int]) -> None:
    """Against numpy's variances of the tries themselves."""
    tries = np.array([[1] * r + [0] * (4 - r) for r in right], dtype=float)
    found = retest_variance(right, 4)
    within = tries.var(axis=1, ddof=1).mean()
    between = max(0.0, tries.mean(axis=1).var(ddof=1) - within / 4)
    assert found.mean == pytest.approx(tries.mean())
    assert found.within == pytest.approx(within, abs=1e-12)
    assert found.between == pytest.approx(between, abs=1e-12)
    if within + between > 1e-9:
        assert found.share_within == pytest.approx(within / (within + between), abs=1e-9)


@pytest.mark.parametrize("tries", [2, 3, 5])
@pytest.mark.parametrize("p", [0.0, 0.2, 0.5, 0.9])
def test_variance_within_is_unbiased(tries: int, p: float) -> None:
    """Over all outcomes of an item that is right with probability p, the mean is p (1 - p), whatever the tries."""
    chances = [comb(tries, r) * p**r * (1 - p) ** (tries - r) for r in range(tries + 1)]
    values = [retest_variance([r], tries).within for r in range(tries + 1)]
    assert sum(c * v for c, v in zip(chances, values, strict=True) if v is not None) == pytest.approx(p * (1 - p))


def test_nothing_known() -> None:
    """No item: nothing. One item: no variance between. No variance: no share."""
    assert retest_variance([], 2) == RetestVariance(None, None, None, None)
    assert retest_variance([1], 2) == RetestVariance(0.5, 0.5, None, None)
    assert retest_variance([2, 2], 2) == RetestVariance(1.0, 0.0, 0.0, None)


def test_variance_below_zero_is_none() -> None:
    """Items alike beyond chance: between is 0 and all is within."""
    assert retest_variance([1, 1, 1], 2) == RetestVariance(0.5, 0.5, 0.0, 1.0)
