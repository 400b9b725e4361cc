"""Table `claim_lists`: what became of the lists of claims, and what writing them used."""

from __future__ import annotations

import polars as pl

from judgeray.analysis.diagnostics.estimates import fitted
from judgeray.analysis.schema import counts, numbers, texts
from judgeray.core.status import STATUSES

_KEY = ("dataset", "writer")
_TOKENS = ("input_tokens", "output_tokens")

_SCHEMA = texts(*_KEY) | counts("sentences", *STATUSES, "without_fact", "calls", *_TOKENS) | numbers("cost_usd")


def claim_lists(lists: pl.DataFrame) -> pl.DataFrame:
    """Tabulate lists of claims by dataset and writer (study 3, appendix D.2).

    `lists` has the columns of `TEXT_SCHEMA`. Columns: dataset, writer (the judge's name), sentences, a count for
    each status, without_fact (of those ok, where the writer found no fact to list), calls (which equal sentences
    share), and over these input_tokens, output_tokens and cost_usd, null where one of them does not tell.
    """
    named = lists.with_columns(writer=pl.col("generator"))
    is_ok = pl.col("status") == "ok"
    sentences = named.group_by(_KEY).agg(
        pl.len().cast(pl.Int64).alias("sentences"),
        *((pl.col("status") == status).sum().cast(pl.Int64).alias(status) for status in STATUSES),
        (is_ok & (pl.col("text") == "")).sum().cast(pl.Int64).alias("without_fact"),
    )
    return fitted(sentences.join(_used(named), on=list(_KEY), how="left"), _SCHEMA).sort(_KEY)


def _used(named: pl.DataFrame) -> pl.DataFrame:
    """Add up what calls used, each once; a sum with an unknown part is unknown."""
    answered = named.filter(pl.col("simulated").is_not_null())
    calls = answered.with_columns(pl.col("call_keys").list.join("+")).unique([*_KEY, "call_keys"], keep="first")
    whole = {name: pl.col(name).null_count() == 0 for name in (*_TOKENS, "cost_usd")}
    return calls.group_by(_KEY).agg(
        pl.len().cast(pl.Int64).alias("calls"),
        *(pl.when(known).then(pl.col(name).sort().sum()).alias(name) for name, known in whole.items()),
    )
