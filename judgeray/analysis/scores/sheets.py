"""A sheet: what one metric under one judge gave the answers of a dataset, laid out for computing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import polars as pl
from numpy.typing import NDArray

from judgeray.analysis.stacks import per_cell
from judgeray.stats.bootstrap import clustered_means
from judgeray.stats.estimate import Estimate

KEY = ("dataset", "metric", "judge")

Numbers = NDArray[np.float64]

_ANSWER = (*KEY, "question_id", "level", "variant")
_DIGITS = 12
"""Significant digits of a mean over replicates: rounding of sums must not part scores that are tied."""


@dataclass(frozen=True, eq=False)
class Sheet:
    """The scores of one dataset by one metric under one judge; NaN is a missing score.

    `levels` are all that occur in the dataset, rising, whoever scored them; `questions` are this sheet's, sorted.
    `scores` is (questions, levels), the mean over replicates that have a value; `controls` holds one number a
    question by name of the control. `rows` are the log's rows that have a level.
    """

    dataset: str
    metric: str
    judge: str
    levels: tuple[int, ...]
    questions: tuple[str, ...]
    scores: Numbers
    controls: Mapping[str, Numbers]
    rows: pl.DataFrame

    @property
    def key(self) -> tuple[str, str, str]:
        """Dataset, metric, judge."""
        return self.dataset, self.metric, self.judge

    def at(self, level: int) -> Numbers:
        """Give the scores (questions,) at a level, NaN where it does not occur."""
        if level in self.levels:
            scores: Numbers = self.scores[:, self.levels.index(level)]
            return scores
        return np.full(len(self.questions), np.nan)


def sheets_of(log: pl.DataFrame) -> list[Sheet]:
    """Lay out a log as `read_scores` gives it, sorted by KEY; the order of its rows has no effect."""
    ordered = log.sort(*_ANSWER, "replicate")
    value = pl.col("value").drop_nulls()
    score = pl.when(value.len() > 1).then(value.mean().round_sig_figs(_DIGITS)).otherwise(value.first())
    answers = ordered.group_by(_ANSWER, maintain_order=True).agg(score.alias("score"))
    levels = dict(ordered.group_by("dataset").agg(pl.col("level").drop_nulls().unique().sort()).rows())
    rows = ordered.partition_by(KEY, as_dict=True)
    parts = answers.partition_by(KEY, as_dict=True)
    return [_sheet(part, rows[key], tuple(levels[part["dataset"][0]])) for key, part in parts.items()]


def mean_estimates(values: Sequence[Numbers], unit: str) -> list[Estimate]:
    """Estimate the mean over questions of each array, one number a question, NaN where it is not known."""
    known = [~np.isnan(numbers) for numbers in values]
    columns = [np.nan_to_num(numbers) for numbers in values], known
    return per_cell(columns, partial(clustered_means, unit=unit))


def _sheet(answers: pl.DataFrame, rows: pl.DataFrame, levels: tuple[int, ...]) -> Sheet:
    dataset, metric, judge = answers.select(KEY).row(0)
    questions = tuple(answers["question_id"].unique().sort())
    place = answers.select(pl.col("question_id").rank("dense") - 1, "variant", "score")
    columns = {str(variant): _column(part, len(questions))
               for (variant,), part in place.partition_by("variant", as_dict=True).items()}  # fmt: skip
    unscored = np.full(len(questions), np.nan)
    on_ladder = [columns.pop(f"A{level}", unscored) for level in levels]
    scores = np.stack(on_ladder, axis=1) if levels else np.empty((len(questions), 0))
    controls = dict(sorted(columns.items()))
    return Sheet(dataset, metric, judge, levels, questions, scores, controls, rows.drop_nulls("level"))


def _column(part: pl.DataFrame, questions: int) -> Numbers:
    """Give one number a question, NaN where `part` has none."""
    column = np.full(questions, np.nan)
    column[part["question_id"].to_numpy()] = part["score"].cast(pl.Float64).to_numpy()
    return column
