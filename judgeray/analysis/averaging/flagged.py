"""What judges flag: parts called unfaithful, and human-faithful wholes in which every judge flags one."""

from __future__ import annotations

import polars as pl

from judgeray.analysis.averaging.parts import PART, WHOLE, parts_of, several
from judgeray.sentence_verdicts import Unit

_TEXTS = ("subset", "sentence", "fragment")


def flagged_parts(log: pl.DataFrame, unit: Unit = "sentence") -> pl.DataFrame:
    """List the parts of human-faithful wholes of several parts, sorted: PART, subset, sentence, fragment, judges.

    `judges_flagging` counts the judges that call a part unfaithful, of `judges` who judged the dataset: a judge
    does where most of its replicates that have a label do.
    """
    parts = several(parts_of(log, unit)).filter(pl.col("label") == 1)
    said = _said(parts).group_by(PART).agg(pl.col("flagged").sum().cast(pl.Int64).alias("judges_flagging"))
    texts = parts.select(*PART, *_TEXTS).unique(PART, keep="first", maintain_order=True)
    judges = _judges(log, unit)
    return texts.join(said, on=PART, nulls_equal=True).join(judges, on="dataset").sort(*PART)


def flagged_wholes(log: pl.DataFrame, unit: Unit = "sentence") -> pl.DataFrame:
    """List human-faithful wholes of several parts, sorted: WHOLE, suspicious.

    `suspicious` is true where every judge of the dataset flags at least one part (not always the same), false where
    one has a label for every part and flags none, and null where neither is known.
    """
    parts = several(parts_of(log, unit)).filter(pl.col("label") == 1)
    judges = _said(parts).group_by(*WHOLE, "judge").agg(
        pl.col("flagged").any(),
        ((pl.len() == pl.col("parts").first()) & (pl.col("labels") > 0).all()).alias("known"),
    )  # fmt: skip
    flagging = judges.group_by(WHOLE).agg(
        pl.col("flagged").sum().alias("flagging"), (pl.col("known") & ~pl.col("flagged")).any().alias("cleared")
    )
    everyone = pl.col("flagging") == pl.col("judges")
    suspicious = pl.when(everyone | pl.col("cleared")).then(everyone)
    counted = flagging.join(_judges(log, unit), on="dataset")
    return counted.select(*WHOLE, suspicious.alias("suspicious")).sort(*WHOLE)


def _said(parts: pl.DataFrame) -> pl.DataFrame:
    """Gather what each judge said of a part over its replicates: PART, judge, parts, labels, flagged."""
    labels, faithful = pl.col("faithful").count(), pl.col("faithful").sum()
    return parts.group_by(*PART, "judge").agg(
        pl.col("parts").first(), labels.alias("labels"), (2 * faithful < labels).alias("flagged")
    )


def _judges(log: pl.DataFrame, unit: Unit) -> pl.DataFrame:
    of_unit = log.filter(pl.col("unit").cast(pl.String) == unit)
    names = of_unit.select(pl.col("dataset", "judge").cast(pl.String))
    return names.group_by("dataset").agg(pl.col("judge").n_unique().cast(pl.Int64).alias("judges"))
