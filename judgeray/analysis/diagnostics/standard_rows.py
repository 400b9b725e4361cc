"""Verdicts scored against every standard, and the same rows once more for all datasets together."""

from __future__ import annotations

import polars as pl

from judgeray.analysis.diagnostics.judged import judged

CLUSTER = ("source", "question_id")
"""What makes a question one: `source` is its dataset, also where `dataset` is null."""

_ROW = ("dataset", "row_id")


def scored(log: pl.DataFrame, standards: pl.DataFrame) -> pl.DataFrame:
    """Give the columns of `judged`, standard, right_construction and source, of each row that a standard labels.

    `right` is by the standard, `right_construction` by the log's own label. A row stands once for each standard,
    and each of these once more with `dataset` null.
    """
    named = standards.select("standard", *_ROW, pl.col("label").alias("given"))
    texts = [pl.col(name).cast(pl.String) for name in _ROW]
    mentioned = log.with_columns(texts).join(named.select(_ROW).unique(), on=_ROW, how="semi")
    rows = judged(mentioned).rename({"right": "right_construction"}).join(named, on=_ROW)
    right = pl.col("settled") & (pl.col("verdict") == pl.col("given")).fill_null(value=False)
    return pooled(rows.with_columns(right=right))


def pooled(rows: pl.DataFrame) -> pl.DataFrame:
    """Add the dataset as `source`, and all rows once more with `dataset` null."""
    named = rows.with_columns(source=pl.col("dataset"))
    return pl.concat([named, named.with_columns(dataset=pl.lit(None, pl.String))])
