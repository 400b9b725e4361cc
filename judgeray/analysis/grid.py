"""A verdict log laid out for computing: its cells, and every pair of designs within a judge."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

import polars as pl

from judgeray.analysis.arms import main_condition
from judgeray.analysis.cell import Cell
from judgeray.analysis.cell_rows import CellRows, cell_places
from judgeray.analysis.compact import compact, enum_values
from judgeray.analysis.pairs import Pair, design_pairs, pair_of


@dataclass(frozen=True, eq=False)
class Grid:
    """The cells of a log, sorted by dataset, design, judge and condition (as strings).

    `labels` names the codes of labels and verdicts. `main` is the condition of tables without that column.
    """

    cells: tuple[Cell, ...]
    labels: tuple[str, ...]
    main: str

    @cached_property
    def places(self) -> tuple[dict[str, Cell], ...]:
        """Cells by design, for each dataset, judge and condition, sorted."""
        ordered = sorted(self.cells, key=lambda cell: (cell.dataset, cell.judge, cell.condition))
        groups = groupby(ordered, key=lambda cell: (cell.dataset, cell.judge, cell.condition))
        return tuple({cell.design: cell for cell in group} for _, group in groups)

    @cached_property
    def pairs(self) -> tuple[Pair, ...]:
        """Every pair of designs of one place, sorted by place and pair."""
        return tuple(pair_of(arms[a], arms[b]) for arms in self.places for a, b in sorted(design_pairs(list(arms))))


def grid_of(log: pl.DataFrame) -> Grid:
    """Lay out a log as `read_log` returns it; the order of its rows has no effect."""
    log = compact(log)
    rows = CellRows(log)
    cells = [rows.cell(place) for place in cell_places(log)]
    labels = tuple(enum_values(log["label"]))
    return Grid(tuple(sorted(cells, key=lambda cell: cell.key)), labels, main_condition(log))
