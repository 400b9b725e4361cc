"""Table `standard_accuracy`: the same verdicts scored against every label standard (study 1, Tables 4 and 13)."""

from __future__ import annotations

import polars as pl

from judgeray.analysis.diagnostics.estimates import Measure, fitted, interval, with_estimates
from judgeray.analysis.diagnostics.standard_rows import CLUSTER, scored
from judgeray.analysis.schema import counts, numbers, texts

KEY = ("standard", "dataset", "judge", "design", "condition")

_SCHEMA = texts(*KEY) | counts("rows", "right") | numbers(*interval("accuracy"))


def standard_accuracy(log: pl.DataFrame, standards: pl.DataFrame) -> pl.DataFrame:
    """Tabulate standard, dataset (null for all), judge, design, condition, rows, right, accuracy with interval.

    `standards` is as `read_standards` gives it. `rows` have a label by the standard and were settled by the arm,
    replicates count as rows; `accuracy` is the share whose verdict is the standard's label, clustered by question.
    Null without rows.
    """
    marks = pl.col("right").cast(pl.Int64).sum(), pl.col("settled").cast(pl.Int64).sum().alias("rows")
    questions = scored(log, standards).group_by(*KEY, *CLUSTER).agg(marks)
    table = questions.group_by(KEY).agg(pl.col("rows", "right").sum())
    table = with_estimates(table, questions, KEY, [Measure("accuracy", "right", "rows")], CLUSTER)
    return fitted(table, _SCHEMA).sort(KEY)
