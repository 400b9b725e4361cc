"""Whether the rows of a log agree with each other: found in arrays, at little cost for any number of rows."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import numpy as np
import polars as pl

from judgeray.analysis.cell import Cell
from judgeray.analysis.grid import grid_of
from judgeray.analysis.layout import Codes


def is_consistent(log: pl.DataFrame) -> bool:
    """Whether no row stands twice and every row of a dataset has one label and one question.

    False may be a false alarm for a row that stands twice in different questions; True never is.
    """
    cells = grid_of(log).cells
    if any(cell.layout.repeats for cell in cells):
        return False
    return all(_is_dataset_consistent(list(group)) for _, group in groupby(cells, key=lambda cell: cell.dataset))


def _is_dataset_consistent(cells: list[Cell]) -> bool:
    labels = [(cell.layout.row, cell.codes("label")) for cell in cells]
    layouts = {id(cell.layout): cell.layout for cell in cells}
    questions = [(layout.row, layout.question) for layout in layouts.values()]
    return _has_one_value(labels) and _has_one_value(questions)


def _has_one_value(parts: Sequence[tuple[Codes, Codes]]) -> bool:
    """Whether equal row codes come with equal values: what is written for a row last must be all there is."""
    smallest = min(int(rows.min()) for rows, _ in parts)
    largest = max(int(rows.max()) for rows, _ in parts)
    written = np.zeros(largest - smallest + 1, dtype=np.int32)
    for rows, values in parts:
        written[rows - smallest] = values
    return all(bool((written[rows - smallest] == values).all()) for rows, values in parts)
