"""What cells cost and how much they write: read from the log beside the tables of the analysis."""

from __future__ import annotations

import polars as pl

from judgeray.analysis.arms import CELL, main_condition, settled_rows
from judgeray.stats.quantiles import quantiles

SPREAD = (0.05, 0.25, 0.5, 0.75, 0.95)

_ARM = ("dataset", "judge", "design")
_SPREAD_NAMES = tuple(f"p{round(100 * share):02d}" for share in SPREAD)


def cell_costs(log: pl.DataFrame) -> pl.DataFrame:
    """Tabulate dataset, design, judge, condition, priced_rows, cost_usd and usd_per_1000_rows, sorted.

    Costs sum the rows whose cost is known; both are null where none is.
    """
    priced = pl.col("cost_usd").count()
    total = pl.when(priced > 0).then(pl.col("cost_usd").sum())
    return (
        log.group_by(CELL)
        .agg(
            priced.cast(pl.Int64).alias("priced_rows"),
            total.alias("cost_usd"),
            (1000 * total / priced).alias("usd_per_1000_rows"),
        )
        .with_columns(pl.col(*CELL).cast(pl.String))
        .sort(CELL)
    )


def output_spread(log: pl.DataFrame) -> pl.DataFrame:
    """Tabulate dataset, judge, design, rows, p05, p25, p50, p75, p95 of output tokens under the main condition.

    Over settled rows that report output tokens; arms without any are left out. Quantiles are type 7.
    """
    rows = settled_rows(log.filter(pl.col("condition") == main_condition(log))).drop_nulls("output_tokens")
    found = [
        (*key, part.height, *quantiles(part["output_tokens"].to_numpy(), SPREAD))
        for key, part in rows.partition_by(_ARM, as_dict=True).items()
    ]
    schema = {
        **dict.fromkeys(_ARM, pl.String),
        "rows": pl.Int64,
        **dict.fromkeys(_SPREAD_NAMES, pl.Float64),
    }
    return pl.DataFrame(found, schema=schema, orient="row").sort(_ARM)
