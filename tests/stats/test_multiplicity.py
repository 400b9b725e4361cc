"""Adjusted p-values against statsmodels and SciPy."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import false_discovery_control
from statsmodels.stats.multitest import multipletests

from judgeray.stats.multiplicity import benjamini_hochberg, holm

families = st.lists(st.floats(0, 1), min_size=1, max_size=60)


@pytest.fixture(scope="module", autouse=True)
def frozen() -> Iterator[None]:
    """Nothing that is old now is looked at again: statsmodels collects garbage at each call."""
    gc.freeze()
    yield
    gc.unfreeze()


@settings(max_examples=100, deadline=None)
@given(p=families)
def test_holm_is_that_of_statsmodels(p: list[float]) -> None:
    """Holm's adjustment agrees with statsmodels, ties and order included."""
    assert holm(p).tolist() == pytest.approx(multipletests(p, method="holm")[1].tolist(), abs=1e-15)


@settings(max_examples=150, deadline=None)
@given(p=families)
def test_benjamini_hochberg_is_that_of_statsmodels_and_scipy(p: list[float]) -> None:
    """The step-up adjustment agrees with statsmodels and SciPy."""
    adjusted = benjamini_hochberg(p).tolist()
    assert adjusted == pytest.approx(multipletests(p, method="fdr_bh")[1].tolist(), abs=1e-15)
    assert adjusted == pytest.approx(false_discovery_control(p).tolist(), abs=1e-15)


@settings(max_examples=100, deadline=None)
@given(p=families)
def test_adjusting_never_helps(p: list[float]) -> None:
    """No adjustment lowers a p-value, and Holm's is never below the other."""
    assert (benjamini_hochberg(p) >= np.array(p)).all()
    assert (holm(p) >= benjamini_hochberg(p) - 1e-15).all()


def test_a_test_that_was_not_made_is_no_member_of_the_family() -> None:
    """NaN stays NaN and makes no other p-value larger."""
    assert holm([0.01, np.nan, 0.04]).tolist() == pytest.approx([0.02, np.nan, 0.04], nan_ok=True)
    assert benjamini_hochberg([np.nan, 0.03]).tolist() == pytest.approx([np.nan, 0.03], nan_ok=True)


def test_an_empty_family_stays_empty() -> None:
    """No tests, nothing to adjust."""
    assert holm([]).size == 0
    assert benjamini_hochberg([]).size == 0
