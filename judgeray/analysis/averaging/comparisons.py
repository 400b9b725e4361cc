"""Minimum against mean: how both correlate with the label of the whole, under each judge and score."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from judgeray.analysis.averaging.parts import FEWEST_PARTS, WHOLE, parts_of, wholes_of
from judgeray.analysis.averaging.whole_scores import SCORES, Score, whole_scores
from judgeray.sentence_verdicts import Unit
from judgeray.stats.bootstrap import RESAMPLES
from judgeray.stats.label_correlations import Resampled, resampled_correlations
from judgeray.stats.ordered_items import Items

AGGREGATORS = ("min", "mean")


@dataclass(frozen=True, eq=False)
class Comparison:
    """Minimum and mean under one judge, on the same wholes.

    `wholes` have a judgment that is complete; `judgments` counts these (a replicate each), `missing` the incomplete
    ones, and `single` wholes of one part, which are left out. `told_apart` says that the mean is not the minimum in
    other units: some wholes with the same minimum have different means. `why` says why correlations are not known.
    """

    dataset: str
    judge: str
    score: Score
    wholes: int
    judgments: int
    missing: int
    single: int
    minimum: Resampled
    mean: Resampled
    told_apart: bool
    why: Sequence[str | None]


def compare(log: pl.DataFrame, unit: Unit = "sentence", resamples: int = RESAMPLES) -> list[Comparison]:
    """Compare minimum and mean for each dataset, judge and score, sorted; the order of the log has no effect.

    `log` has the columns of `SENTENCE_SCHEMA`. Raises BadInputError for another unit.
    """
    parts = parts_of(log, unit)
    single = _single(parts)
    cells = sorted(_cells(parts), key=lambda cell: cell[:3])
    items = [_items(frame, column) for *_, frame in cells for column in ("minimum", "mean")]
    resampled = iter(resampled_correlations(items, resamples))
    return [
        _comparison(dataset, judge, score, frame, single.get(dataset, 0), next(resampled), next(resampled))
        for dataset, judge, score, frame in cells
    ]


def _cells(parts: pl.DataFrame) -> Iterator[tuple[str, str, Score, pl.DataFrame]]:
    for score in SCORES:
        judged = whole_scores(parts, score).partition_by("dataset", "judge", as_dict=True)
        for (dataset, judge), frame in judged.items():
            yield str(dataset), str(judge), score, frame


def _comparison(
    dataset: str, judge: str, score: Score, frame: pl.DataFrame, single: int, minimum: Resampled, mean: Resampled
) -> Comparison:
    complete = frame.drop_nulls("mean")
    return Comparison(
        dataset=dataset,
        judge=judge,
        score=score,
        wholes=complete.select(WHOLE).n_unique() if complete.height else 0,
        judgments=complete.height,
        missing=frame.height - complete.height,
        single=single,
        minimum=minimum,
        mean=mean,
        told_apart=bool((complete.group_by("minimum").agg(pl.col("mean").n_unique())["mean"] > 1).any()),
        why=[_why(complete, column, found) for column, found in (("minimum", minimum), ("mean", mean))],
    )


def _items(frame: pl.DataFrame, column: str) -> Items:
    complete = frame.drop_nulls("mean")
    return Items(
        labels=complete["label"].to_numpy().astype(np.intp),
        scores=complete[column].to_numpy().astype(float),
        clusters=complete["document_id"].rank("dense").to_numpy().astype(np.intp) - 1,
    )


def _single(parts: pl.DataFrame) -> dict[str, int]:
    alone = wholes_of(parts).filter(pl.col("parts") < FEWEST_PARTS)
    return dict(alone.group_by("dataset").len().rows())


def _why(complete: pl.DataFrame, column: str, resampled: Resampled) -> str | None:
    """Say why something is not known, None where all is."""
    if complete.is_empty():
        return "no whole is complete"
    for name, reason in (("label", "all labels are alike"), (column, "all scores are alike")):
        if complete[name].n_unique() == 1:
            return reason
    if resampled.draws is None:
        return "one document shows no spread"
    return "some resamples leave it undefined" if np.isnan(resampled.draws).any() else None
