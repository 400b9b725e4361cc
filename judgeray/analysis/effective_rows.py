"""Table `effective_rows`: what the rows of a cell are worth, and Wilson intervals of accuracy from that."""

from __future__ import annotations

import polars as pl

from judgeray.analysis.arms import CELL
from judgeray.analysis.grid import Grid
from judgeray.analysis.schema import ESTIMATE, counts, fields, numbers, texts
from judgeray.analysis.stacks import per_cell
from judgeray.stats.effective_sample import effective_samples

_SCHEMA = texts(*CELL) | counts("rows") | numbers("design_effect", "effective_rows") | ESTIMATE


def effective_rows(grid: Grid) -> pl.DataFrame:
    """Tabulate CELL columns, rows, design_effect, effective_rows, and accuracy with its interval.

    `rows` counts settled rows. `design_effect` is how many rows are worth one independent row, for rows of a
    question tend to be right or wrong together. The 95 % interval is Wilson's at `effective_rows`; unlike the
    bootstrap's it has a width also where all rows agree. Null without settled rows.
    """
    asked = [cell.asked for cell in grid.cells]
    samples = per_cell(([c.correct for c in asked], [c.settled for c in asked]), effective_samples)
    table = [
        (*cell.key, int(rows.settled.sum()), s.design_effect, s.effective_rows, *fields(s.estimate))
        for cell, rows, s in zip(grid.cells, asked, samples, strict=True)
    ]
    return pl.DataFrame(table, schema=_SCHEMA, orient="row")
