"""Table `parsing`: how verdicts were read from replies (study 1, Table 20)."""

from __future__ import annotations

import polars as pl

_KEYS = ("design", "judge", "parse_branch")


def parsing(log: pl.DataFrame) -> pl.DataFrame:
    """Tabulate design, judge, parse_branch and rows, over all datasets, conditions and replicates.

    Rows without a verdict are counted under their status in place of a branch, so that the counts add up to all
    rows. The branch is null where a log does not tell it.
    """
    branch = pl.when(pl.col("status") == "ok").then("parse_branch").otherwise("status").alias("parse_branch")
    return log.group_by("design", "judge", branch).agg(pl.len().cast(pl.Int64).alias("rows")).sort(_KEYS)
