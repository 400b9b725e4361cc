"""All tables of an analysis, by name."""

from __future__ import annotations

from collections.abc import Callable

import polars as pl

from judgeray.analysis.accuracy import accuracy
from judgeray.analysis.class_accuracy import class_accuracy
from judgeray.analysis.complexity import complexity
from judgeray.analysis.contrasts import contrasts
from judgeray.analysis.grid import Grid, grid_of
from judgeray.analysis.parsing import parsing
from judgeray.analysis.tokens import tokens

TABLES: dict[str, Callable[[Grid], pl.DataFrame]] = {
    "accuracy": accuracy,
    "class_accuracy": class_accuracy,
    "tokens": tokens,
    "contrasts": contrasts,
    "complexity": complexity,
    "parsing": parsing,
}


def analyze(log: pl.DataFrame) -> dict[str, pl.DataFrame]:
    """Compute every table from a log as `read_log` returns it. The order of the log's rows has no effect."""
    grid = grid_of(log)
    return {name: table(grid) for name, table in TABLES.items()}
