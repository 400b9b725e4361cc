"""Table `accuracy`: how often each cell's verdicts are the labels (study 1, Table 2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import polars as pl

from judgeray.analysis.arms import CELL
from judgeray.analysis.cell import Cell, Flags, Numbers
from judgeray.analysis.grid import Grid
from judgeray.analysis.schema import counts, numbers, texts
from judgeray.analysis.stacks import per_cell
from judgeray.core.status import STATUSES
from judgeray.stats.bootstrap import clustered_ratios

_COUNTS = ("rows", "questions")
_NUMBERS = ("accuracy", "accuracy_low", "accuracy_high", "mean_total_tokens")


@dataclass(frozen=True, eq=False)
class Part:
    """Some rows of a cell: `correct` and `settled` hold rows a question, for the questions with settled rows."""

    key: tuple[str, ...]
    counts: tuple[int, int]
    correct: Numbers
    settled: Numbers
    mean_total_tokens: float | None
    statuses: tuple[int, ...]


def accuracy(grid: Grid) -> pl.DataFrame:
    """Tabulate one row a cell: dataset, design, judge, condition, rows, questions, accuracy with its interval.

    `rows` and `questions` count everything in the log, and the statuses (ok, unparsed, refused, truncated,
    undelivered, pending) add up to `rows`. `accuracy` is the share of settled rows whose verdict is the label,
    `mean_total_tokens` the mean over the settled rows that report tokens; both are null where there are none.
    """
    parts = [part_of(cell, cell.key, np.ones(cell.layout.size, dtype=bool)) for cell in grid.cells]
    return accuracy_table(CELL, parts)


def part_of(cell: Cell, key: tuple[str, ...], chosen: Flags) -> Part:
    """Sum up the chosen rows of a cell."""
    settled = cell.sums(cell.settled & chosen)
    asked = settled > 0
    tokens = cell.numbers("total_tokens")[cell.settled & chosen]
    tokens = tokens[~np.isnan(tokens)]
    statuses = np.bincount(cell.codes("status")[chosen], minlength=len(STATUSES))
    return Part(
        key,
        (int(chosen.sum()), int((cell.sums(chosen) > 0).sum())),
        cell.sums(cell.correct & chosen)[asked],
        settled[asked],
        float(tokens.sum() / tokens.size) if tokens.size else None,
        tuple(statuses.tolist()),
    )


def accuracy_table(keys: Sequence[str], parts: Sequence[Part]) -> pl.DataFrame:
    """Tabulate the columns of `accuracy` for parts, whose keys have the names `keys`."""
    columns = [part.correct for part in parts], [part.settled for part in parts]
    estimates = per_cell(columns, partial(clustered_ratios, unit="share of rows"))
    rows = [
        (*part.key, *part.counts, e.value, e.low, e.high, part.mean_total_tokens, *part.statuses)
        for part, e in zip(parts, estimates, strict=True)
    ]
    schema = texts(*keys) | counts(*_COUNTS) | numbers(*_NUMBERS) | counts(*STATUSES)
    return pl.DataFrame(rows, schema=schema, orient="row").sort(keys)
