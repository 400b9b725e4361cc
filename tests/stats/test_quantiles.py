"""Type 7 quantiles against their definition."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judgeray.stats.quantiles import quantiles, row_quantiles


@settings(max_examples=150, deadline=None)
@given(values=st.lists(st.integers(0, 10_000), min_size=1, max_size=80), p=st.floats(0, 1))
def test_a_quantile_lies_on_the_line_between_order_statistics(values: list[int], p: float) -> None:
    """Hyndman and Fan's type 7: position (n - 1) p among the sorted values, linear in between."""
    ordered, place = sorted(values), (len(values) - 1) * p
    low = math.floor(place)
    high = min(low + 1, len(values) - 1)
    expected = ordered[low] + (place - low) * (ordered[high] - ordered[low])
    assert quantiles(values, [p]) == [pytest.approx(expected)]


def test_unknown_values_are_left_out() -> None:
    """NaN is no number: it moves no quantile."""
    assert quantiles([1.0, float("nan"), 3.0], (0.25, 0.5)) == [1.5, 2.0]


def test_nothing_known_gives_nothing() -> None:
    """Without numbers a quantile is None, never 0."""
    assert quantiles([float("nan")], (0.25, 0.5)) == [None, None]
    assert quantiles([], (0.5,)) == [None]


@settings(max_examples=150, deadline=None)
@given(
    rows=st.integers(1, 30).flatmap(
        lambda size: st.lists(
            st.lists(st.floats(-1e6, 1e6) | st.just(math.nan), min_size=size, max_size=size), min_size=1, max_size=4
        )
    ),
    p=st.floats(0, 1),
)
def test_quantiles_of_rows_are_those_of_numpy(rows: list[list[float]], p: float) -> None:
    """Bit for bit, also NaN where a row holds NaN."""
    found, expected = row_quantiles(np.array(rows), p), np.quantile(rows, p, axis=1, method="linear")
    assert np.array_equal(found, expected, equal_nan=True)


def test_quantiles_of_many_numbers_are_those_of_numpy() -> None:
    """Also where numbers are many, repeated or not."""
    rng = np.random.default_rng(2)
    for rows in (rng.normal(size=(4, 10_000)), rng.integers(0, 30, (4, 10_000)) / 7):
        for p in (0.025, 0.5, 0.975):
            assert (row_quantiles(rows, p) == np.quantile(rows, p, axis=1, method="linear")).all()
