"""Table `contingency`: what one evaluator said where the other said what (study 2, Table 1)."""

from __future__ import annotations

import numpy as np
import polars as pl

from judgeray.analysis.schema import counts, texts
from judgeray.analysis.scores.choices import CHOICES, Rated, rated_by_level

_SCHEMA = texts("levels", "evaluator", "other_evaluator", "choice") | counts(*CHOICES)


def contingency(choices: pl.DataFrame) -> pl.DataFrame:
    """Tabulate levels, evaluator, other_evaluator, choice, and a count for each choice of the other.

    `choices` is as `read_choices` gives it. Each level has four rows, and so have all levels but A0 together; only
    items that both rated are counted.
    """
    rows = [
        (rated.levels, *rated.evaluators, choice, *counted)
        for rated in rated_by_level(choices)
        for choice, counted in zip(CHOICES, _joint(rated), strict=True)
    ]
    return pl.DataFrame(rows, schema=_SCHEMA, orient="row")


def _joint(rated: Rated) -> list[list[int]]:
    size = len(CHOICES)
    joint = np.bincount(rated.first * size + rated.second, minlength=size * size)
    table: list[list[int]] = joint.reshape(size, size).tolist()
    return table
