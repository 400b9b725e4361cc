"""Table `caching`: how much of the input a provider had read before, and what that saved."""

from __future__ import annotations

from collections.abc import Callable

import polars as pl

from judgeray.analysis.diagnostics.estimates import fitted
from judgeray.analysis.schema import counts, numbers, texts

UncachedCost = Callable[[str, int, int], float | None]
"""What a call would have cost in US dollars with nothing cached: of judge, input tokens and output tokens."""

_KEY = ("dataset", "judge")

_PRICED_BY = ("judge", "input_tokens", "output_tokens")
_TOKENS = ("input_tokens", "cached_tokens")

_SCHEMA = (
    texts(*_KEY)
    | counts("calls", "told", "input_tokens", "cached_tokens")
    | numbers("cached_share")
    | counts("priced")
    | numbers("cost_usd", "uncached_cost_usd", "saving_usd", "saving_share")
)


def caching(log: pl.DataFrame, uncached_cost: UncachedCost | None = None) -> pl.DataFrame:
    """Tabulate cached input by dataset and judge, whatever the unit.

    Columns: dataset, judge, calls (that were answered), told (of these, those of which input and cached tokens are
    known), input_tokens and cached_tokens (over told ones), cached_share, priced (calls whose cost is known),
    cost_usd, uncached_cost_usd, saving_usd and saving_share (over priced ones). Rows that share their calls count
    once: the same sentence in two summaries of a document is bought once.

    What calls would have cost with nothing cached is null without `uncached_cost`, and where it knows no price
    for one of them. A saving is negative where writing a cache cost more than reading it saved.
    """
    table = _calls(log, uncached_cost).group_by(_KEY).agg(*_totals())
    shares = table.with_columns(
        cached_share=_share("cached_tokens", "input_tokens"),
        saving_usd=pl.col("uncached_cost_usd") - pl.col("cost_usd"),
    ).with_columns(saving_share=_share("saving_usd", "uncached_cost_usd"))
    return fitted(shares, _SCHEMA).sort(*_KEY)


def _calls(log: pl.DataFrame, uncached_cost: UncachedCost | None) -> pl.DataFrame:
    """List answered calls once each, with what they would have cost."""
    tokens = pl.col("input_tokens", "output_tokens", "cached_tokens").cast(pl.Int64)
    alone = pl.format("row {}", pl.int_range(pl.len()))
    keys = pl.when(pl.col("call_keys").list.len() > 0).then(pl.col("call_keys").list.join("+")).otherwise(alone)
    rows = log.select(
        *(pl.col(name).cast(pl.String) for name in _KEY),
        tokens,
        pl.col("cost_usd").cast(pl.Float64),
        keys.alias("calls"),
    )
    answered = rows.filter(pl.col("input_tokens").is_not_null() | pl.col("cost_usd").is_not_null())
    calls = answered.unique([*_KEY, "calls"], keep="first", maintain_order=True)
    return calls.join(_uncached(calls, uncached_cost), on=list(_PRICED_BY), how="left", nulls_equal=True)


def _uncached(calls: pl.DataFrame, uncached_cost: UncachedCost | None) -> pl.DataFrame:
    """Price each combination of judge and tokens once."""
    kinds = calls.select(_PRICED_BY).unique()
    costs = [None if uncached_cost is None or None in kind else uncached_cost(*kind) for kind in kinds.rows()]
    return kinds.with_columns(pl.Series("uncached_cost_usd", costs, pl.Float64))


def _totals() -> list[pl.Expr]:
    told = pl.col("input_tokens").is_not_null() & pl.col("cached_tokens").is_not_null()
    priced = pl.col("cost_usd").is_not_null()
    uncached = pl.col("uncached_cost_usd").filter(priced)
    known = priced.any() & (uncached.null_count() == 0)
    return [
        pl.len().alias("calls"),
        told.sum().alias("told"),
        *(pl.when(told.any()).then(pl.col(name).filter(told).sum()).alias(name) for name in _TOKENS),
        priced.sum().alias("priced"),
        pl.when(priced.any()).then(pl.col("cost_usd").drop_nulls().sort().sum()).alias("cost_usd"),
        pl.when(known).then(uncached.sort().sum()).alias("uncached_cost_usd"),
    ]


def _share(part: str, whole: str) -> pl.Expr:
    return pl.when(pl.col(whole) > 0).then(pl.col(part) / pl.col(whole))
