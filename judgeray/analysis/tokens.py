"""Table `tokens`: how many tokens calls took, by kind (study 1, Table 16)."""

from __future__ import annotations

import numpy as np
import polars as pl

from judgeray.analysis.cell import Numbers
from judgeray.analysis.grid import Grid
from judgeray.stats.quantiles import quantiles

KINDS = ("cached", "input", "output", "reasoning", "total")

_KEYS = ("dataset", "judge", "design")
_SCHEMA = {
    **dict.fromkeys((*_KEYS, "kind"), pl.String),
    "n": pl.Int64,
    **dict.fromkeys(("mean", "p25", "p50", "p75"), pl.Float64),
}


def tokens(grid: Grid) -> pl.DataFrame:
    """Tabulate dataset, judge, design, kind, n, mean, p25, p50, p75 over settled rows of the main condition.

    `n` counts rows whose provider reported that kind; with none, mean and quartiles are null. Input includes
    cached input, output includes reasoning. Quantiles are type 7.
    """
    cells = [cell for cell in grid.cells if cell.condition == grid.main]
    found = [
        (cell.dataset, cell.judge, cell.design, kind, *_summary(cell.numbers(f"{kind}_tokens")[cell.settled]))
        for cell in cells
        for kind in KINDS
    ]
    return pl.DataFrame(found, schema=_SCHEMA, orient="row").sort(*_KEYS, "kind")


def _summary(counts: Numbers) -> tuple[float | None, ...]:
    known = counts[~np.isnan(counts)]
    mean = int(known.sum()) / known.size if known.size else None
    return (known.size, mean, *quantiles(known, (0.25, 0.5, 0.75)))
