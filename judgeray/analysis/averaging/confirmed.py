"""Table `confirmed`: how many of the sentences that every judge flags an annotator finds unfaithful."""

from __future__ import annotations

import polars as pl

from judgeray.analysis.averaging.annotation_files import FAITHFUL, UNCLEAR, UNFAITHFUL
from judgeray.analysis.diagnostics.estimates import Measure, fitted, interval, with_estimates
from judgeray.analysis.schema import counts as whole_numbers
from judgeray.analysis.schema import numbers, texts
from judgeray.stats.effective_sample import effective_samples
from judgeray.stats.estimate import Estimate
from judgeray.stats.question_means import Matrix

_ANSWERS = {"unfaithful": UNFAITHFUL, "faithful": FAITHFUL, "unclear": UNCLEAR}

_SCHEMA = (
    texts("dataset")
    | whole_numbers("summaries", "sentences", "blank", *_ANSWERS)
    | numbers(*interval("confirmed_share"))
)


def confirmed(reviews: pl.DataFrame) -> pl.DataFrame:
    """Tabulate a filled-in review sheet by dataset (study 3, Figure 4 and Table 4).

    `reviews` is as `read_review_sheet` gives it. Columns: dataset (null where the sheet does not tell it),
    summaries and sentences (on the sheet), blank, unfaithful, faithful, unclear, confirmed_share: the unfaithful
    ones of all that are filled in, unclear ones included, for what is unclear is not confirmed. Its interval is
    Wilson's, with as many sentences as their clustering in summaries leaves. Null where nothing is filled in.
    """
    answer = pl.col("annotation")
    found = [(answer == value).sum().cast(pl.Int64).alias(name) for name, value in _ANSWERS.items()]
    filled = answer.count().cast(pl.Int64).alias("filled")
    table = reviews.group_by("dataset").agg(
        pl.col("summary_id").n_unique().alias("summaries"),
        pl.len().alias("sentences"),
        answer.null_count().alias("blank"),
        *found,
    )
    summaries = reviews.group_by("dataset", "summary_id").agg(filled, *found)
    measure = Measure("confirmed_share", "unfaithful", "filled", "share of sentences", _wilson)
    shares = with_estimates(table, summaries, ["dataset"], [measure], ("summary_id",))
    return fitted(shares, _SCHEMA).sort("dataset")


def _wilson(sums: Matrix, counts: Matrix, unit: str) -> list[Estimate]:
    return [sample.estimate for sample in effective_samples(sums, counts, unit)]
