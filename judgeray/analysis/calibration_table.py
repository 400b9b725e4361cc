"""Table `calibration`: whether stated confidences and scores come true, in one number a cell."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np
import polars as pl

from judgeray.analysis.arms import CELL
from judgeray.analysis.cell import Cell
from judgeray.analysis.forecasts import Forecasts, confidences, scores
from judgeray.analysis.grid import Grid
from judgeray.analysis.schema import ESTIMATE, counts, fields, texts
from judgeray.analysis.stacks import in_parts, per_cell
from judgeray.stats.bootstrap import clustered_ratios
from judgeray.stats.calibration import BIAS_CAUTION, bin_gaps, calibration_error
from judgeray.stats.estimate import Estimate
from judgeray.stats.functions_of_sums import clustered_statistics
from judgeray.stats.question_means import Matrix

Stated = tuple[Cell, Forecasts]

_SCHEMA = texts(*CELL, "forecast", "measure") | counts("rows", "unknown", "bins") | ESTIMATE | texts("caution")


def calibration_table(grid: Grid) -> pl.DataFrame:
    """Tabulate CELL columns, forecast, measure, rows, unknown, bins, the estimate, a caution.

    `forecast` is `confidence`, for the chance that the verdict is the label, or `score`, for the chance that
    the label is supported: (score - 1) / 4. `measure` is `brier` (mean squared error) or `ece`, the expected
    calibration error over `bins`: ten of equal width for confidence, one for each score. `rows` have a verdict
    and a forecast, `unknown` a verdict alone. Cells without any forecast have no rows here.
    """
    rows = [row for part in in_parts(stated_forecasts(grid), _size) for row in _rows(part)]
    return pl.DataFrame(rows, schema=_SCHEMA, orient="row")


def _rows(stated: list[Stated]) -> list[tuple[object, ...]]:
    briers = per_cell(_squares(stated), partial(clustered_ratios, unit="squared error"))
    errors = per_cell((_gaps(stated),), _calibration_errors)
    return [
        (*cell.key, f.kind, measure, f.forecast.size, f.unknown, bins, *fields(estimate), caution)
        for (cell, f), brier, error in zip(stated, briers, errors, strict=True)
        for measure, bins, estimate, caution in (
            ("brier", None, brier, None),
            ("ece", len(f.bin_names), error, BIAS_CAUTION),
        )
    ]


def stated_forecasts(grid: Grid) -> Iterator[Stated]:
    """Yield what cells forecast, without those that forecast nothing."""
    for cell in grid.cells:
        for forecasts in (confidences(cell), scores(cell, grid.labels)):
            if forecasts is not None and forecasts.forecast.size:
                yield cell, forecasts


def _size(stated: Stated) -> int:
    cell, forecasts = stated
    return int(forecasts.forecast.size + cell.layout.questions.size * len(forecasts.bin_names))


def _squares(found: list[Stated]) -> tuple[list[Matrix], list[Matrix]]:
    errors, rows = [], []
    for cell, f in found:
        squared = np.zeros(f.rows.size)
        squared[f.rows] = (f.forecast - f.outcome) ** 2
        errors.append(cell.sums(squared))
        rows.append(cell.sums(f.rows))
    return errors, rows


def _gaps(found: list[Stated]) -> list[Matrix]:
    places = [(cell.layout.index[f.rows], cell.layout.questions.size) for cell, f in found]
    return [
        bin_gaps(f.forecast - f.outcome, f.bins, len(f.bin_names), *place)
        for (_, f), place in zip(found, places, strict=True)
    ]


def _calibration_errors(sums: Matrix) -> list[Estimate]:
    carrying = (sums[:, 0] > 0).sum(axis=1)
    filled = sums.any(axis=(0, 2))  # bins that no cell fills need no resampling
    return clustered_statistics(sums[:, filled], calibration_error, "share of rows", carrying)
