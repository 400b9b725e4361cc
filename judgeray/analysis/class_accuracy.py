"""Table `class_accuracy`: accuracy within each label, for accuracy alone hides a class (study 1, Table 15)."""

from __future__ import annotations

import numpy as np
import polars as pl

from judgeray.analysis.accuracy import accuracy_table, part_of
from judgeray.analysis.arms import CELL
from judgeray.analysis.grid import Grid


def class_accuracy(grid: Grid) -> pl.DataFrame:
    """Tabulate the columns of `accuracy`, with `label` after `condition`, over the rows that carry the label."""
    parts = [
        part_of(cell, (*cell.key, grid.labels[label]), labels == label)
        for cell in grid.cells
        for labels in [cell.codes("label")]
        for label in np.unique(labels).tolist()
    ]
    return accuracy_table((*CELL, "label"), parts)
