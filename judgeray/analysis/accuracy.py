"""Table `accuracy`: how often each cell's verdicts are the labels (study 1, Table 2)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import polars as pl

from judgeray.analysis.arms import CELL, settled_rows
from judgeray.analysis.cells import per_cell
from judgeray.core.status import STATUSES
from judgeray.stats.bootstrap import clustered_ratios

_ESTIMATES = {"accuracy": pl.Float64, "accuracy_low": pl.Float64, "accuracy_high": pl.Float64}


def accuracy(log: pl.DataFrame) -> pl.DataFrame:
    """Tabulate one row a cell: dataset, design, judge, condition, rows, questions, accuracy with its interval.

    `rows` and `questions` count everything in the log, and the statuses (ok, unparsed, refused, truncated,
    undelivered, pending) add up to `rows`. `accuracy` is the share of settled rows whose verdict is the label,
    `mean_total_tokens` the mean over the settled rows that report tokens; both are null where there are none.
    """
    return accuracy_by(log, CELL)


def accuracy_by(log: pl.DataFrame, keys: Sequence[str]) -> pl.DataFrame:
    """Tabulate the columns of `accuracy` for each combination of `keys`."""
    counts = log.group_by(keys).agg(
        pl.len().alias("rows"),
        pl.col("question_id").n_unique().alias("questions"),
        *((pl.col("status") == status).sum().alias(status) for status in STATUSES),
    )
    settled = settled_rows(log)
    known = pl.col("total_tokens").count()
    tokens = settled.group_by(keys).agg((pl.col("total_tokens").sum() / known).alias("mean_total_tokens"))
    return (
        counts.join(_estimates(settled, keys), on=keys, how="left")
        .join(tokens, on=keys, how="left")
        .select(
            *keys,
            pl.col("rows", "questions").cast(pl.Int64),
            *_ESTIMATES,
            pl.col("mean_total_tokens").fill_nan(None),
            pl.col(*STATUSES).cast(pl.Int64),
        )
        .sort(keys)
    )


def _estimates(settled: pl.DataFrame, keys: Sequence[str]) -> pl.DataFrame:
    questions = (
        settled.group_by(*keys, "question_id")
        .agg(pl.col("correct").sum(), pl.len().alias("rows"))
        .sort(*keys, "question_id")
    )
    ratios = partial(clustered_ratios, unit="share of rows")
    estimates = per_cell(questions, keys, ["correct", "rows"], ratios)
    columns = [(e.value, e.low, e.high) for e in estimates]
    cells = questions.select(keys).unique(maintain_order=True)
    return cells.hstack(pl.DataFrame(columns, schema=_ESTIMATES, orient="row"))
