"""What annotations tell: how many sentences are faithful, and how often each judge is wrong about one."""

from __future__ import annotations

import polars as pl

from judgeray.analysis.averaging.parts import PART, parts_of
from judgeray.analysis.diagnostics.estimates import Measure, with_estimates
from judgeray.sentence_verdicts import Unit

_DOCUMENT = ("document_id",)


def faithful_shares(located: pl.DataFrame) -> pl.DataFrame:
    """Estimate p, the share of faithful sentences among clear ones, for each annotated dataset.

    `located` is as `annotations.located` gives it. Columns: dataset, annotated (clear annotations), unclear, p,
    p_low, p_high (95 % interval by document). Every annotation weighs the same; unclear ones are left out (study
    3, appendix C). p is null where all are unclear.
    """
    table = located.group_by("dataset").agg(
        pl.col("clear").sum().cast(pl.Int64).alias("annotated"),
        (~pl.col("clear")).sum().cast(pl.Int64).alias("unclear"),
    )
    documents = located.group_by("dataset", "document_id").agg(
        pl.col("faithful").sum().alias("sums"), pl.col("faithful").count().cast(pl.Int64).alias("counts")
    )
    measure = Measure("p", "sums", "counts", "share of sentences")
    return with_estimates(table, documents, ["dataset"], [measure], _DOCUMENT).sort("dataset")


def judge_errors(located: pl.DataFrame, log: pl.DataFrame, unit: Unit = "sentence") -> pl.DataFrame:
    """Estimate each judge's error rate on clear sentences: how often its label is not the annotator's.

    Columns: dataset, judge, compared (pairs of label and annotation), eps, eps_low, eps_high (95 % interval by
    document). Replicates and annotators are pairs of their own; sentences on which the judge has no label are left
    out. What annotators get wrong counts as the judge's error. A judge without any error has the interval 0 to 0,
    which few sentences do not bear out: read it beside `compared`.
    """
    judged = parts_of(log, unit).drop_nulls("faithful").select(*PART, "judge", "faithful")
    pairs = judged.join(
        located.filter("clear").select(*PART, "annotator", said="faithful"), on=list(PART), nulls_equal=True
    )
    wrong = (pl.col("faithful") != pl.col("said")).sum().cast(pl.Int64)
    documents = pairs.group_by("dataset", "judge", "document_id").agg(
        wrong.alias("sums"), pl.len().cast(pl.Int64).alias("counts")
    )
    keys = ["dataset", "judge"]
    table = documents.group_by(keys).agg(pl.col("counts").sum().alias("compared"))
    measure = Measure("eps", "sums", "counts", "share of sentences")
    return with_estimates(table, documents, keys, [measure], _DOCUMENT).sort(keys)
