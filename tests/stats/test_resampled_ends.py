"""Interval ends: those of NumPy's quantiles over all resamples, however the cells are parted."""

from __future__ import annotations

import numpy as np
import pytest

from judgeray.stats import resampled_ends as module
from judgeray.stats.draws import bootstrap_weights
from judgeray.stats.question_means import Matrix
from judgeray.stats.resampled_ends import resampled_ends

LEVEL = 0.95
TAILS = [(1 - LEVEL) / 2, 1 - (1 - LEVEL) / 2]


def _share(sums: Matrix) -> Matrix:
    with np.errstate(invalid="ignore"):
        shares: Matrix = sums[:, 0] / sums[:, 1]
    return shares


def _cells(cells: int, questions: int) -> Matrix:
    rng = np.random.default_rng(3)
    rows = rng.integers(1, 4, (cells, questions))
    return np.stack([rng.binomial(rows, 0.8), rows], axis=1).astype(float)


def test_ends_are_quantiles_of_the_statistic_over_all_resamples() -> None:
    """Bit for bit those of weights, product, statistic and `numpy.quantile`."""
    cells = _cells(5, 30)
    weights = np.concatenate(list(bootstrap_weights(30, 400))).astype(float)
    expected = np.quantile(_share(cells @ weights.T), TAILS, axis=1, method="linear")
    assert (resampled_ends(cells, _share, 400, LEVEL) == expected).all()


@pytest.mark.parametrize("rows_at_once", [1, 6, 1_000])
def test_parting_the_cells_changes_no_end(rows_at_once: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many cells are resampled at a time."""
    cells = _cells(23, 20)
    ends = resampled_ends(cells, _share, 200, LEVEL)
    monkeypatch.setattr(module, "_ROWS_AT_ONCE", rows_at_once)
    assert (resampled_ends(cells, _share, 200, LEVEL) == ends).all()


def test_an_undefined_resample_leaves_no_end() -> None:
    """A statistic that some resample does not define has no interval; its neighbours keep theirs."""
    cells = _cells(3, 12)
    cells[1, :, 2:] = 0.0
    ends = resampled_ends(cells, _share, 300, LEVEL)
    assert np.isnan(ends).tolist() == [[False, True, False]] * 2


def test_one_cell_may_have_several_estimates() -> None:
    """A statistic may tell more than one number of a cell."""
    cells = _cells(1, 15)
    ends = resampled_ends(cells, lambda sums: sums[0], 100, LEVEL)
    assert ends.shape == (2, 2)
    assert (ends[0] < cells[0].sum(axis=1)).all()
    assert resampled_ends(cells[:0], _share, 100, LEVEL).shape == (2, 0)
