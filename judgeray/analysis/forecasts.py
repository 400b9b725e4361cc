"""What judges state about themselves, as forecasts of outcomes: `confidence` and `score`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from judgeray.analysis.cell import Cell, Flags, Numbers
from judgeray.analysis.layout import Indices
from judgeray.rows import LABELS

CONFIDENCE_BINS = tuple(f"{low / 10:.1f}-{(low + 1) / 10:.1f}" for low in range(10))
SCORE_BINS = ("1", "2", "3", "4", "5")

_SUPPORTED = LABELS[0]


@dataclass(frozen=True, eq=False)
class Forecasts:
    """Forecasts of a cell: `kind` confidence or score, `rows` with a verdict and a forecast, `bins` their bins.

    `forecast`, `outcome` and `bins` hold one entry a row that `rows` marks; `unknown` counts rows with a verdict
    but without a forecast.
    """

    kind: str
    rows: Flags
    forecast: Numbers
    outcome: Numbers
    bins: Indices
    bin_names: Sequence[str]
    unknown: int


def confidences(cell: Cell) -> Forecasts:
    """Take confidence (0 to 1) for the chance that the verdict is the label; others are not known."""
    stated = cell.numbers("confidence")
    rows = ~cell.without_verdict & (stated >= 0) & (stated <= 1)
    forecast = stated[rows]
    bins = np.minimum((forecast * 10 + 1e-9).astype(np.intp), 9)
    return _forecasts("confidence", cell, rows, forecast, cell.correct[rows], bins, CONFIDENCE_BINS)


def scores(cell: Cell, labels: Sequence[str]) -> Forecasts | None:
    """Take score (1 to 5) for the chance that the label is `supported`, (score - 1) / 4; None without one."""
    if _SUPPORTED not in labels:
        return None
    stated = cell.numbers("score")
    rows = ~cell.without_verdict & (stated >= 1) & (stated <= 5)
    supported = cell.codes("label")[rows] == labels.index(_SUPPORTED)
    bins = np.floor(stated[rows] + 0.5).astype(np.intp) - 1
    return _forecasts("score", cell, rows, (stated[rows] - 1) / 4, supported, bins, SCORE_BINS)


def _forecasts(
    kind: str, cell: Cell, rows: Flags, forecast: Numbers, outcome: Flags, bins: Indices, names: Sequence[str]
) -> Forecasts:
    unknown = int((~cell.without_verdict & ~rows).sum())
    return Forecasts(kind, rows, forecast, outcome.astype(float), bins, names, unknown)
