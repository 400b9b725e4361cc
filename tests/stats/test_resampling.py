"""Resampled sums: exact, whatever the order, the precision or the company."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judgeray.stats import draws
from judgeray.stats.draws import bootstrap_weights
from judgeray.stats.resampling import on_grid, resampled_sums

whole = st.lists(st.integers(-1000, 1000), min_size=5, max_size=5)
_NUMBERS = ([0.25, 0.5, 3.0], [0.01, 0.37, 2.5], [0.0001, 0.1234], [1 / 3, 0.1 + 0.2, 1e9], [1e15, 1e-3])
floats = st.lists(
    st.floats(-1e6, 1e6, allow_nan=False).filter(lambda x: x == 0 or abs(x) > 1e-200), min_size=7, max_size=7
)


@settings(max_examples=60, deadline=None)
@given(rows=st.lists(whole, min_size=1, max_size=6))
def test_sums_of_whole_numbers_are_those_of_integer_arithmetic(rows: list[list[int]]) -> None:
    """Single or double precision, alone or among others, repeated or not: every sum is exact."""
    weights = np.concatenate(list(bootstrap_weights(5, 40))).astype(np.int64)
    expected = np.array(rows) @ weights.T
    assert (resampled_sums([*rows, rows[0]], 40) == [*expected, expected[0]]).all()


def test_large_whole_numbers_are_not_rounded() -> None:
    """Numbers beyond single precision are summed in double."""
    row = np.array([2**24 + 1, 1, 3])
    weights = np.concatenate(list(bootstrap_weights(3, 20))).astype(np.int64)
    assert (resampled_sums(row, 20)[0] == weights @ row).all()


@settings(max_examples=60, deadline=None)
@given(row=floats)
def test_on_the_grid_sums_are_exact_and_near(row: list[float]) -> None:
    """Any order of summing gives one result, within 2^-48 of the largest sum of the numbers given."""
    (gridded,) = on_grid(np.array([row]))
    exact = float(sum(map(Fraction, gridded.tolist())))
    assert {float(np.sum(gridded)), float(np.sum(gridded[::-1])), float(np.cumsum(gridded)[-1])} == {exact}
    assert np.abs(gridded - row).max() <= 7 * max(map(abs, row)) * 2.0**-48


@settings(max_examples=60, deadline=None)
@given(
    rows=st.lists(
        st.one_of(whole, *(st.lists(st.sampled_from(n), min_size=5, max_size=5) for n in _NUMBERS)),
        min_size=2,
        max_size=6,
    )
)
def test_a_row_is_summed_alike_in_any_company(rows: list[list[float]]) -> None:
    """Whole numbers, quarters, decimals and others: a neighbour moves no bit."""
    together = resampled_sums(rows, 50)
    assert (together == np.concatenate([resampled_sums(row, 50) for row in rows])).all()


def test_numbers_too_large_to_be_cut_are_summed() -> None:
    """The largest numbers that can be summed at all are, without a warning."""
    row = [1e305, 0.5, -1e305]
    assert np.isfinite(resampled_sums(row, 20)).all()


def test_equal_numbers_need_no_product() -> None:
    """A row of one value sums to that value times the number of questions in every resample."""
    assert (resampled_sums(np.full((1, 9), 2.0), 30) == 18.0).all()


def test_a_row_of_nothing_sums_to_nothing() -> None:
    """Zeros stay zeros, also beside other rows."""
    sums = resampled_sums([[0.0, 0.0], [0.3, 0.6]], 10)
    assert (sums[0] == 0.0).all()
    assert 0.6 <= sums[1].min() <= sums[1].max() <= 1.2 + 1e-12


@pytest.mark.parametrize("block_cells", [1, 60, 100_000])
def test_blocks_change_no_sum(block_cells: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """However a plan is cut, sums stand in the order of its resamples."""
    rows = np.random.default_rng(1).normal(size=(5, 30))
    whole = resampled_sums(rows, 200)
    monkeypatch.setattr(draws, "BLOCK_CELLS", block_cells)
    assert (resampled_sums(rows, 200) == whole).all()


def test_hundredths_are_summed_as_whole_numbers() -> None:
    """What has few decimals gives the sums of its hundredths, in single precision and exactly."""
    hundredths = np.array([[95, 80, 100, 7, 50]])
    weights = np.concatenate(list(bootstrap_weights(5, 60))).astype(np.int64)
    assert (resampled_sums(hundredths / 100, 60) == (hundredths @ weights.T) / 100).all()
