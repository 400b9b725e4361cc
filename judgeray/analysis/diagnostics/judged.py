"""Recorded rows as the diagnostics take them: text as text, and whether a row is settled and right."""

from __future__ import annotations

import polars as pl

from judgeray.core.status import UNSETTLED

_TEXTS = ("dataset", "judge", "design", "condition", "question_id", "row_id", "variant", "label", "verdict")


def judged(log: pl.DataFrame) -> pl.DataFrame:
    """Give the columns of `_TEXTS`, replicate, score, settled and right of each row of `log`.

    `log` is compact (`read_log`) or has the columns of `VERDICT_SCHEMA`. A settled row without a verdict is not
    right, as everywhere.
    """
    texts = [pl.col(name).cast(pl.String) for name in _TEXTS]
    rows = log.select(*texts, pl.col("status").cast(pl.String), "replicate", pl.col("score").cast(pl.Float64))
    settled = ~pl.col("status").is_in(UNSETTLED)
    right = settled & (pl.col("verdict") == pl.col("label")).fill_null(value=False)
    return rows.with_columns(settled=settled, right=right).drop("status")
