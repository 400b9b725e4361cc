"""Table `texts_written`: what generators wrote, with which settings and at what cost (study 1, section 6.2)."""

from __future__ import annotations

import polars as pl

from judgeray.analysis import schema
from judgeray.analysis.diagnostics.estimates import fitted
from judgeray.analysis.schema import counts, numbers
from judgeray.core.status import UNSETTLED

KEY = ("dataset", "generator")

CUT_OFF = frozenset(
    {
        *("max_tokens", "model_context_window_exceeded", "pause_turn"),
        *("length", "model_length", "max_output_tokens", "incomplete"),
        *("MAX_TOKENS", "CONTINUATION"),
    }
)
"""Finish reasons of a reply that was cut off, as Anthropic, OpenAI and Google spell them."""

_STATUSES = ("ok", "unparsed", "refused", "undelivered", "pending")
_SCHEMA = (
    schema.texts(*KEY, "model", "served_models")
    | counts("answers", *_STATUSES, "truncated", "identical")
    | numbers("mean_words", "mean_output_tokens", "cost_usd")
    | schema.texts("parameters")
)


def texts_written(texts: pl.DataFrame) -> pl.DataFrame:
    """Tabulate dataset, generator, model, served_models, and counts of answers by status.

    `texts` has the columns of `TEXT_SCHEMA`. `truncated` answers were cut off, by finish reason or status;
    where text was kept their status is ok all the same. `identical` partials are the whole text plus a period,
    null where no text is known. `mean_words` counts what stands between white space. `cost_usd` is the sum over
    replies; null where one reply's cost is not known or there is none. Several models or `parameters` (JSON, as
    sent) of one generator are joined by `+`.
    """
    status, finish = (pl.col(name).cast(pl.String) for name in ("status", "finish_reason"))
    cut = finish.str.split("+").list.eval(pl.element().is_in(list(CUT_OFF))).list.any().fill_null(value=False)
    replied = ~status.is_in(UNSETTLED)
    identical, cost = pl.col("identical").cast(pl.Boolean), pl.col("cost_usd").filter(replied)
    table = texts.group_by(pl.col(name).cast(pl.String) for name in KEY).agg(
        _distinct("model"),
        _distinct("served_model").alias("served_models"),
        _distinct("parameters"),
        pl.len().alias("answers"),
        *((status == name).sum().alias(name) for name in _STATUSES),
        (cut | (status == "truncated")).sum().alias("truncated"),
        pl.when(identical.is_not_null().any()).then(identical.sum()).alias("identical"),
        pl.col("text").cast(pl.String).str.count_matches(r"\S+").mean().alias("mean_words"),
        pl.col("output_tokens").cast(pl.Float64).mean().alias("mean_output_tokens"),
        pl.when(cost.is_not_null().all() & replied.any()).then(cost.sort().sum()).alias("cost_usd"),
    )
    return fitted(table, _SCHEMA).sort(KEY)


def _distinct(name: str) -> pl.Expr:
    values = pl.col(name).cast(pl.String).drop_nulls().unique().sort()
    return pl.when(values.len() > 0).then(values.str.join("+")).alias(name)
