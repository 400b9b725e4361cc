"""Table `class_accuracy`: accuracy within each label, for accuracy alone hides a class (study 1, Table 15)."""

from __future__ import annotations

import polars as pl

from judgeray.analysis.accuracy import accuracy_by
from judgeray.analysis.arms import CELL


def class_accuracy(log: pl.DataFrame) -> pl.DataFrame:
    """Tabulate the columns of `accuracy`, with `label` after `condition`, over the rows that carry the label."""
    return accuracy_by(log, (*CELL, "label"))
