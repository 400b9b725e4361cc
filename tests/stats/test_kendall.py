"""Tau-b question by question: against SciPy, closed forms, and where it is not defined."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau

from judgeray.stats.kendall import falls_throughout, level_pairs, tau_b

nan = math.nan
scores = st.lists(st.one_of(st.integers(0, 3).map(float), st.just(nan)), min_size=5, max_size=5)


@given(rows=st.lists(scores, min_size=1, max_size=6))
def test_tau_b_is_that_of_scipy(rows: list[list[float]]) -> None:
    """Ties and missing levels included; NaN exactly where SciPy finds nothing to correlate."""
    found = tau_b(level_pairs(np.array(rows)))
    for tau, row in zip(found, rows, strict=True):
        known = [(level, score) for level, score in enumerate(row) if not math.isnan(score)]
        if len({score for _, score in known}) < 2:
            assert math.isnan(tau)
        else:
            assert tau == pytest.approx(kendalltau(*zip(*known, strict=True), variant="b").statistic)


@pytest.mark.parametrize(
    ("row", "tau"),
    [
        ([4, 3, 2, 1, 0], -1.0),
        ([0, 1, 2, 3, 4], 1.0),
        ([1, 0], -1.0),
        ([1, nan, nan, nan, 0], -1.0),
        ([1, 1, 0, 0, 0], -6 / math.sqrt(6 * 10)),
        ([1, 0, 0, 1, nan], 0.0),
    ],
)
def test_tau_b_by_hand(row: list[float], tau: float) -> None:
    """Falling scores give -1; with ties, rising less falling pairs over the root of untied times all."""
    assert tau_b(level_pairs(np.array([row])))[0] == pytest.approx(tau)


@pytest.mark.parametrize("row", [[2, 2, 2], [nan, nan, nan], [nan, 5, nan]])
def test_what_ranks_nothing_has_no_tau(row: list[float]) -> None:
    """Equal scores and single scores leave tau undefined, which is not zero."""
    assert math.isnan(tau_b(level_pairs(np.array([row])))[0])


def test_pairs_are_counted_by_what_they_do() -> None:
    """Of 3, 1, 1, unknown, 2: pairs 31, 31, 32 fall, 12, 12 rise, 11 is tied, and the unknown is in none."""
    pairs = level_pairs(np.array([[3, 1, 1, nan, 2]]))
    assert (pairs.falling[0], pairs.rising[0], pairs.tied[0], pairs.all[0]) == (3, 2, 1, 6)


def test_a_strict_fall_bears_no_tie_and_no_gap() -> None:
    """Every step goes down; one level alone does not fall."""
    rows = np.array([[3, 2, 1], [3, 3, 1], [3, nan, 1], [1, 2, 3]])
    assert falls_throughout(rows).tolist() == [True, False, False, False]
    assert falls_throughout(rows[:, :1]).tolist() == [False] * 4
