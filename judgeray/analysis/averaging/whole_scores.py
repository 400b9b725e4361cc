"""Minimum and mean of what a judge said of the parts of a whole."""

from __future__ import annotations

from typing import Literal, get_args

import polars as pl

from judgeray.analysis.averaging.parts import WHOLE, several

Score = Literal["hard", "soft"]
SCORES: tuple[Score, ...] = get_args(Score)
"""The judge's label (0 or 1), and its probability of label 1."""

COLUMNS: dict[Score, str] = {"hard": "faithful", "soft": "soft"}
"""Where a score stands in `SENTENCE_SCHEMA`."""

JUDGMENT = (*WHOLE, "judge", "replicate")

_STEPS = 2**40
"""Scores in whole steps add up to the same in any order; a probability changes by less than 1e-12."""


def whole_scores(parts: pl.DataFrame, score: Score) -> pl.DataFrame:
    """Score each judgment of a whole with several parts: JUDGMENT, label, parts, minimum, mean.

    `parts` is as `parts_of` gives it. A replicate judges every whole anew: its parts are not averaged over
    replicates, which would make hard labels soft and the minimum milder. Minimum and mean are null where a part of
    the whole has no value in that replicate, or is not there.
    """
    steps = (pl.col(COLUMNS[score]) * float(_STEPS)).round().cast(pl.Int64)
    whole = (pl.len() == pl.col("parts").first()) & (steps.count() == pl.len())
    judged = several(parts).group_by(JUDGMENT, maintain_order=True).agg(
        pl.col("label", "parts").first(),
        pl.when(whole).then(steps.min()).alias("minimum"),
        pl.when(whole).then(steps.sum()).alias("mean"),
    )  # fmt: skip
    return judged.with_columns(
        minimum=pl.col("minimum") / _STEPS,
        mean=pl.col("mean") / (pl.col("parts") * _STEPS),
    ).sort(*JUDGMENT)
