"""Tables `aggregation` and `mean_against_min`: which of the two the label of the whole goes with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import polars as pl

from judgeray.analysis.averaging.comparisons import AGGREGATORS, Comparison
from judgeray.analysis.averaging.parts import named
from judgeray.analysis.diagnostics.estimates import interval
from judgeray.analysis.schema import counts, flags, numbers, texts
from judgeray.sentence_verdicts import Unit
from judgeray.stats.estimate import Estimate
from judgeray.stats.rank_correlations import MEASURES

_KEY = ("dataset", "judge", "score")

_AGGREGATION = (
    texts(*_KEY, "aggregator")
    | counts("summaries", "documents", "judgments", "missing", "single")
    | numbers(*(column for measure in MEASURES for column in interval(measure)))
    | texts("reason")
)

_MEAN_AGAINST_MIN = (
    texts(*_KEY)
    | counts("summaries", "documents")
    | numbers("pearson_min", "half_width_min", "pearson_mean", "half_width_mean")
    | numbers(*interval("difference"))
    | flags("mean_at_least_min", "told_apart")
    | texts("reason")
)


def aggregation(comparisons: Sequence[Comparison], unit: Unit = "sentence") -> pl.DataFrame:
    """Tabulate minimum and mean of judgments against the label of the whole (study 3, Table 2 and appendix E).

    Columns: dataset, judge, score (hard: the label 0 or 1 of a part; soft: the probability of 1), aggregator (min,
    mean), summaries, documents, judgments, missing, single; pearson, spearman, kendall (tau-b) and roc_auc, each
    with a 95 % interval that resamples documents; reason.

    A summary counts where all its sentences have a value. Replicates are judgments of their own: a summary with
    two complete ones counts twice (`judgments`), with its document as ever the unit of resampling. `missing`
    judgments lack a value, `single` summaries have one sentence and are left out. Correlations are null where
    labels or scores do not vary, the AUC (then 1/2) where labels do not; an interval is null where that happens
    in a resample. `reason` says so. Where `unit` is claim, wholes are sentences, and the column is called so.
    """
    rows = [row for comparison in comparisons for row in _rows(comparison)]
    return named(pl.DataFrame(rows, schema=_AGGREGATION, orient="row"), unit)


def mean_against_min(comparisons: Sequence[Comparison], unit: Unit = "sentence") -> pl.DataFrame:
    """Tabulate Pearson's correlations of both aggregators as study 3 prints them, and their difference.

    Columns: dataset, judge, score, summaries, documents, pearson_min, half_width_min, pearson_mean,
    half_width_mean (half of the 95 % interval: rho +- delta), difference (mean minus minimum) with paired
    interval, mean_at_least_min, told_apart, reason.

    `mean_at_least_min` is the verdict on the sample, ties included (study 3, section 3.2); its interval says how
    sure it is. `told_apart` is false where the mean orders summaries as the minimum does, in other units: such a
    judge gave no summary the chance to tell an averaging rater, and the tie means nothing. Null where a
    correlation is.
    """
    rows = [_contrast(comparison) for comparison in comparisons]
    return named(pl.DataFrame(rows, schema=_MEAN_AGAINST_MIN, orient="row"), unit)


def _rows(found: Comparison) -> Iterator[tuple[object, ...]]:
    size = (found.wholes, found.minimum.clusters, found.judgments, found.missing, found.single)
    for aggregator, resampled, why in zip(AGGREGATORS, (found.minimum, found.mean), found.why, strict=True):
        estimates = resampled.estimates().values()
        ends = [number for e in estimates for number in (e.value, e.low, e.high)]
        yield (found.dataset, found.judge, found.score, aggregator, *size, *ends, why)


def _contrast(found: Comparison) -> tuple[object, ...]:
    minimum, mean = (resampled.estimates()["pearson"] for resampled in (found.minimum, found.mean))
    difference = found.mean.minus(found.minimum).estimates()["pearson"]
    return (
        *(found.dataset, found.judge, found.score, found.wholes, found.minimum.clusters),
        *(minimum.value, _half_width(minimum), mean.value, _half_width(mean)),
        *(difference.value, difference.low, difference.high),
        None if difference.value is None else difference.value >= 0,
        found.told_apart,
        next((why for why in found.why if why is not None), None),
    )


def _half_width(estimate: Estimate) -> float | None:
    return None if estimate.low is None or estimate.high is None else (estimate.high - estimate.low) / 2
