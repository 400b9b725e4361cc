"""Table `reliability`: forecast against outcome, bin by bin: the curve behind `calibration`."""

from __future__ import annotations

import numpy as np
import polars as pl

from judgeray.analysis.arms import CELL
from judgeray.analysis.calibration_table import stated_forecasts
from judgeray.analysis.cell import Cell, Numbers
from judgeray.analysis.forecasts import Forecasts
from judgeray.analysis.grid import Grid
from judgeray.analysis.schema import ESTIMATE, counts, fields, numbers, texts
from judgeray.stats.effective_sample import effective_samples

_SCHEMA = texts(*CELL, "forecast", "bin") | counts("rows") | numbers("mean_forecast") | ESTIMATE


def reliability(grid: Grid) -> pl.DataFrame:
    """Tabulate CELL columns, forecast, bin, rows, mean_forecast, and the observed share with its interval.

    Forecasts and bins are those of `calibration`; a bin holds its lower edge, the last also its upper. The 95 %
    interval of the share is Wilson's with the rows' design effect. Bins without rows are left out.
    """
    rows = [row for cell, forecasts in stated_forecasts(grid) for row in _bins(cell, forecasts)]
    return pl.DataFrame(rows, schema=_SCHEMA, orient="row")


def _bins(cell: Cell, f: Forecasts) -> list[tuple[object, ...]]:
    """Sum up each bin that has rows; all bins of a cell are estimated together."""
    questions = cell.layout.questions.size
    places = f.bins * questions + cell.layout.index[f.rows]

    def sums(values: Numbers) -> Numbers:
        flat = np.bincount(places, weights=values, minlength=len(f.bin_names) * questions)
        return np.asarray(flat, dtype=float).reshape(-1, questions)

    rows = sums(np.ones(places.size))
    filled = np.flatnonzero(rows.sum(axis=1))
    sizes = rows.sum(axis=1)[filled]
    means = sums(f.forecast).sum(axis=1)[filled] / sizes
    samples = effective_samples(sums(f.outcome)[filled], rows[filled])
    found = zip(filled.tolist(), sizes.tolist(), means.tolist(), samples, strict=True)
    return [
        (*cell.key, f.kind, f.bin_names[place], int(size), mean, *fields(sample.estimate))
        for place, size, mean, sample in found
    ]
