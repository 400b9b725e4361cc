"""Parts and wholes: the sentences of a summary, or one level down the claims of a sentence."""

from __future__ import annotations

import polars as pl

from judgeray.core.errors import bad_value
from judgeray.sentence_verdicts import UNITS, Unit

WHOLE = ("dataset", "document_id", "summary_id", "sentence_index")
"""What names a whole; `sentence_index` is null for a summary."""

PART = (*WHOLE, "part")
"""What names a part; `part` is its index, null for the row of a sentence whose claims could not be had."""

FEWEST_PARTS = 2
"""Minimum and mean of fewer parts are the same (study 3, section 4)."""


def parts_of(log: pl.DataFrame, unit: Unit = "sentence") -> pl.DataFrame:
    """Take the rows of one unit from a log with the columns of `SENTENCE_SCHEMA`, in an order of their own.

    Columns: PART, subset, judge, replicate, label, parts, fragment, sentence, faithful, soft. `parts` counts
    those of the whole: sentences as the log states them, claims as they occur in it under any judge, null where
    they could not be had. Raises BadInputError for another unit.
    """
    if unit not in UNITS:
        raise bad_value("sentence verdicts", "unit", unit, UNITS)
    is_claim = unit == "claim"
    texts = [pl.col(name).cast(pl.String) for name in ("dataset", "document_id", "summary_id")]
    whole = pl.col("sentence_index") if is_claim else pl.lit(None, pl.Int64).alias("sentence_index")
    part = pl.col("claim_index" if is_claim else "sentence_index").alias("part")
    rows = log.filter(pl.col("unit").cast(pl.String) == unit).select(
        *texts,
        whole,
        part,
        *(pl.col(name).cast(pl.String) for name in ("subset", "judge")),
        pl.col("replicate", "label"),
        pl.col("sentences").alias("parts"),
        "fragment",
        pl.col("sentence").cast(pl.String),
        pl.col("faithful"),
        pl.col("soft").cast(pl.Float64),
    )
    if is_claim:
        claims = pl.col("part").drop_nulls().n_unique().over(WHOLE).cast(pl.Int64)
        rows = rows.with_columns(parts=pl.when(claims > 0).then(claims))
    return rows.sort(*PART, "judge", "replicate")


def wholes_of(parts: pl.DataFrame) -> pl.DataFrame:
    """List wholes once each, sorted: WHOLE, label, parts."""
    return parts.select(*WHOLE, "label", "parts").unique(WHOLE, keep="first", maintain_order=True)


def several(parts: pl.DataFrame) -> pl.DataFrame:
    """Keep the parts of wholes that have several."""
    return parts.filter(pl.col("parts") >= FEWEST_PARTS)


def named(table: pl.DataFrame, unit: Unit) -> pl.DataFrame:
    """Call the wholes of a table what they are: where parts are claims, they are sentences."""
    return table.rename({"summaries": "sentences"}) if unit == "claim" else table
