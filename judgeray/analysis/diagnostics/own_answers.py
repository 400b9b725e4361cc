"""Own answers against others' answers, question by question, as every judge sees them."""

from __future__ import annotations

import polars as pl

ARM = ("dataset", "judge", "design")

_QUESTION = ("dataset", "design", "question_id")
_DECIMALS = 12


def own_contrasts(rows: pl.DataFrame, value: str) -> pl.DataFrame:
    """Contrast the answers of each judge's family with those of other families: one row a judge and question.

    `rows` has dataset, judge, design, question_id, `family` (the judge's), `author` (the answer's family) and
    `value`; rows that lack one are left out, and so are questions without answers of both kinds. Columns: ARM,
    question_id, family, own_sum, own_rows, others_sum, others_rows, numerator, denominator (of the difference
    between the means, own minus others), control, controls and adjusted.

    `control` is the mean, over the judges of other families, of the difference that they make between the same
    answers; `controls` counts these judges. `adjusted` is difference minus control, rounded so that equal numbers
    stay equal. Null without such a judge.
    """
    known = rows.drop_nulls(["family", "author", value])
    families = sorted(known["family"].unique().to_list())
    parts = [_of_family(known, family, value) for family in families]
    return pl.concat(parts) if parts else _of_family(known, "", value)


def _of_family(rows: pl.DataFrame, family: str, value: str) -> pl.DataFrame:
    """Contrast the answers of one family with all others, for its own judges."""
    differences = _differences(rows, family, value)
    mine = pl.col("family") == family
    difference = pl.col("numerator") / pl.col("denominator")
    control = (
        differences.filter(~mine)
        .sort(*_QUESTION, "judge")
        .group_by(_QUESTION, maintain_order=True)
        .agg(difference.mean().alias("control"), pl.len().alias("controls"))
    )
    own = differences.filter(mine).join(control, on=_QUESTION, how="left")
    return own.with_columns(adjusted=(difference - pl.col("control")).round(_DECIMALS) + 0.0)


def _differences(rows: pl.DataFrame, family: str, value: str) -> pl.DataFrame:
    own = pl.col("author") == family
    numbers = pl.col(value).cast(pl.Float64)
    sums = rows.group_by(*ARM, "question_id", "family").agg(
        numbers.filter(own).sort().sum().alias("own_sum"),
        own.sum().cast(pl.Int64).alias("own_rows"),
        numbers.filter(~own).sort().sum().alias("others_sum"),
        (~own).sum().cast(pl.Int64).alias("others_rows"),
    )
    both = sums.filter((pl.col("own_rows") > 0) & (pl.col("others_rows") > 0))
    return both.with_columns(
        numerator=pl.col("own_sum") * pl.col("others_rows") - pl.col("others_sum") * pl.col("own_rows"),
        denominator=pl.col("own_rows") * pl.col("others_rows"),
    )
