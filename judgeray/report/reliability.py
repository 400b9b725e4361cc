"""How often a judge is right when it says how sure it is."""

from __future__ import annotations

import polars as pl

from judgeray.analysis.arms import main_condition

BINS = 10
"""Bins of equal width from 0 to 1; the last one holds 1."""

_KEYS = ("dataset", "judge", "design")
_SCHEMA = {
    **dict.fromkeys((*_KEYS, "bin"), pl.String),
    "rows": pl.Int64,
    **dict.fromkeys(("confidence", "accuracy"), pl.Float64),
}


def reliability(log: pl.DataFrame) -> pl.DataFrame:
    """Tabulate dataset, judge, design, bin of stated confidence, rows, mean confidence and accuracy, sorted.

    Over rows of the main condition with a verdict and a confidence from 0 to 1; empty where the log tells none.
    """
    if "confidence" not in log.columns:
        return pl.DataFrame(schema=_SCHEMA)
    stated = log.filter(
        (pl.col("condition") == main_condition(log))
        & (pl.col("status") == "ok")
        & pl.col("confidence").is_between(0, 1)
    )
    lower = (pl.col("confidence") * BINS).floor().clip(upper_bound=BINS - 1).cast(pl.Int64).alias("lower")
    names = [f"{n / BINS:.1f} to {(n + 1) / BINS:.1f}" for n in range(BINS)]
    return (
        stated.group_by(*_KEYS, lower)
        .agg(
            pl.len().alias("rows"),
            pl.col("confidence").mean(),
            (pl.col("verdict") == pl.col("label")).mean().alias("accuracy"),
        )
        .sort(*_KEYS, "lower")
        .with_columns(pl.col("lower").replace_strict(list(range(BINS)), names, return_dtype=pl.String).alias("bin"))
        .select(pl.col(name).cast(kind) for name, kind in _SCHEMA.items())
    )
