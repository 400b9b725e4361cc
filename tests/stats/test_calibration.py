"""Calibration sums against their definition."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judgeray.stats.calibration import bin_gaps, calibration_error

forecasts = st.lists(st.tuples(st.integers(0, 100), st.booleans()), min_size=1, max_size=60)


@settings(max_examples=100, deadline=None)
@given(rows=forecasts)
def test_the_error_is_the_weighed_distance_over_bins(rows: list[tuple[int, bool]]) -> None:
    """Bin by bin: mean forecast minus share of outcomes, weighed by the bin's part of the rows."""
    forecast, outcome = np.array([f / 100 for f, _ in rows]), np.array([o for _, o in rows], dtype=float)
    bins = np.minimum(np.array([f for f, _ in rows]) // 10, 9)
    expected = sum(
        abs(forecast[bins == b].mean() - outcome[bins == b].mean()) * (bins == b).mean() for b in np.unique(bins)
    )
    sums = bin_gaps(forecast - outcome, bins, 10, np.arange(len(rows)) // 2, (len(rows) + 1) // 2)
    assert sums[0].sum() == len(rows)
    assert calibration_error(sums.sum(axis=1)[None, :, None])[0, 0] == pytest.approx(expected)


def test_calibrated_forecasts_have_no_error_and_no_rows_no_value() -> None:
    """Half of those at 50 % come true: 0. Without rows nothing is known."""
    outcomes = np.array([1.0, 0.0, 1.0, 0.0])
    sums = bin_gaps(0.5 - outcomes, np.full(4, 5), 10, np.arange(4), 4)
    assert calibration_error(sums.sum(axis=1)[None, :, None])[0, 0] == 0.0
    assert np.isnan(calibration_error(np.zeros((1, 11, 1)))[0, 0])
