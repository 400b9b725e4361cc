"""Tables `ladder_losses` and `ladder_flags`: what became of questions whose answers were to be made wrong."""

from __future__ import annotations

import polars as pl

from judgeray.analysis import schema
from judgeray.analysis.diagnostics.estimates import fitted
from judgeray.analysis.schema import counts, numbers

_LOSS = ("dataset", "outcome", "step", "reason")
_LOSSES = schema.texts(*_LOSS) | counts("questions") | numbers("share")
_FLAG = ("dataset", "variant", "flag")
_FLAGS = schema.texts(*_FLAG) | counts("answers", "flagged") | numbers("share")


def ladder_losses(ladders: pl.DataFrame) -> pl.DataFrame:
    """Tabulate dataset, outcome, step, reason, questions, and their share of the dataset's questions.

    `ladders` has the columns of `LADDER_SCHEMA`. `outcome` is whole, lost (at which `step` and why), or undelivered
    and pending, as a question's rows say.
    """
    said = pl.col("lost").cast(pl.String).str.splitn(": ", 2).struct
    status = pl.col("status").cast(pl.String)
    lost = pl.when(pl.col("lost").is_null()).then(pl.lit("whole")).otherwise(pl.lit("lost"))
    questions = ladders.select(
        pl.col("dataset").cast(pl.String),
        pl.col("question_id").cast(pl.String),
        pl.when(status == "ok").then(lost).otherwise(status).alias("outcome"),
        said.field("field_0").alias("step"),
        said.field("field_1").alias("reason"),
    ).unique()
    table = questions.group_by(_LOSS).agg(pl.len().alias("questions"))
    share = pl.col("questions") / pl.col("questions").sum().over("dataset")
    return fitted(table.with_columns(share.alias("share")), _LOSSES).sort(_LOSS)


def ladder_flags(ladders: pl.DataFrame) -> pl.DataFrame:
    """Tabulate dataset, variant, flag, answers, flagged, and the share of flagged answers.

    `answers` counts the answers written of a variant, `flagged` those that bear the flag. A variant none of whose
    answers is flagged has one row without a flag.
    """
    written = ladders.select(
        pl.col("dataset").cast(pl.String),
        pl.col("variant").cast(pl.String),
        pl.col("text").is_not_null().alias("written"),
        pl.col("flags").cast(pl.List(pl.String)).alias("flag"),
    )
    answers = written.group_by("dataset", "variant").agg(pl.col("written").sum().alias("answers"))
    flagged = written.explode("flag").drop_nulls("flag").group_by(_FLAG).agg(pl.len().alias("flagged"))
    table = answers.join(flagged, on=["dataset", "variant"], how="left").with_columns(
        pl.col("flagged").fill_null(0)
    )
    share = pl.when(pl.col("answers") > 0).then(pl.col("flagged") / pl.col("answers"))
    return fitted(table.with_columns(share.alias("share")), _FLAGS).sort(_FLAG)
