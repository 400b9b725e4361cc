"""Verdicts as ratings: items by raters, whatever rows each rater happened to judge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from judgeray.analysis.cell import Cell
from judgeray.analysis.layout import Codes, Indices, run_numbers
from judgeray.stats.agreement import Ratings


@dataclass(frozen=True, eq=False)
class RatedItems:
    """`ratings` (items, raters) holds verdict codes, -1 for none; `index` numbers the question of each item."""

    raters: tuple[str, ...]
    ratings: Ratings
    index: Indices


def ratings_by_judges(cells: Sequence[Cell]) -> RatedItems:
    """Let judges rate rows (each replicate an item); `cells` differ in their judge only."""
    layouts = {id(cell.layout): cell.layout for cell in cells}
    judges = tuple(cell.judge for cell in cells)
    if len(layouts) == 1:
        verdicts = np.stack([cell.codes("verdict") for cell in cells], axis=1)
        return RatedItems(judges, verdicts, cells[0].layout.index)
    units, first = np.unique(np.concatenate([cell.layout.unit for cell in cells]), return_index=True)
    questions = np.concatenate([cell.layout.question for cell in cells])[first]
    order = np.argsort(questions, kind="stable")
    place = np.empty(order.size, dtype=np.intp)
    place[order] = np.arange(order.size)
    ratings = np.full((units.size, len(cells)), -1, dtype=np.int16)
    for rater, cell in enumerate(cells):
        ratings[place[np.searchsorted(units, cell.layout.unit)], rater] = cell.codes("verdict")
    return RatedItems(judges, ratings, run_numbers(questions[order]))


def ratings_by_replicates(cell: Cell) -> RatedItems:
    """Let a cell's replicates rate its rows."""
    layout = cell.layout
    replicates, rater = np.unique(layout.replicate, return_inverse=True)
    item = run_numbers(layout.row)
    starts: Codes = np.flatnonzero(np.diff(item, prepend=-1))
    ratings = np.full((starts.size, replicates.size), -1, dtype=np.int16)
    ratings[item, rater] = cell.codes("verdict")
    return RatedItems(tuple(map(str, replicates.tolist())), ratings, layout.index[starts])
