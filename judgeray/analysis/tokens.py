"""Table `tokens`: how many tokens calls took, by kind (study 1, Table 16)."""

from __future__ import annotations

import polars as pl

from judgeray.analysis.arms import main_condition
from judgeray.core.status import UNSETTLED
from judgeray.stats.quantiles import quantiles

KINDS = ("cached", "input", "output", "reasoning", "total")

_KEYS = ("dataset", "judge", "design")
_SCHEMA = {
    **dict.fromkeys((*_KEYS, "kind"), pl.String),
    "n": pl.Int64,
    **dict.fromkeys(("mean", "p25", "p50", "p75"), pl.Float64),
}


def tokens(log: pl.DataFrame) -> pl.DataFrame:
    """Tabulate dataset, judge, design, kind, n, mean, p25, p50, p75 over settled rows of the main condition.

    `n` counts rows whose provider reported that kind; with none, mean and quartiles are null. Input includes
    cached input, output includes reasoning. Quantiles are type 7.
    """
    rows = log.filter(pl.col("condition") == main_condition(log))
    settled = ~pl.col("status").is_in(UNSETTLED)
    counts = rows.select(*_KEYS, *(pl.when(settled).then(f"{kind}_tokens").alias(kind) for kind in KINDS))
    cells = counts.partition_by(_KEYS, as_dict=True)
    found = [(*key, kind, *_summary(cell[kind])) for key, cell in cells.items() for kind in KINDS]
    return pl.DataFrame(found, schema=_SCHEMA, orient="row").sort(*_KEYS, "kind")


def _summary(counts: pl.Series) -> tuple[float | None, ...]:
    known = counts.drop_nulls().to_numpy()
    mean = int(known.sum()) / known.size if known.size else None
    return (known.size, mean, *quantiles(known, (0.25, 0.5, 0.75)))
