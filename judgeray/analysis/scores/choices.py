"""Choices of human evaluators between answers of the pipeline and of an expert (study 2, section 4)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from judgeray.analysis.columns import shown
from judgeray.analysis.schema import counts, texts
from judgeray.analysis.scores.records import needed_text, places
from judgeray.core.errors import BadInputError, bad_value
from judgeray.datasets.cells import Place, count_in

CHOICES = ("ai", "both_good", "both_bad", "expert")
"""What an evaluator can say of a pair of answers, in the order of study 2, Table 1."""

SCHEMA = texts("question_id") | counts("level") | texts("evaluator", "choice")

_ITEM = ("question_id", "level")
_EVALUATORS = 2


@dataclass(frozen=True, eq=False)
class Rated:
    """Items that both evaluators rated, sorted by question and level.

    `levels` says which they are of; `first` and `second` hold places in CHOICES, `index` numbers the question of
    each item from 0. `unpaired` items were rated by one evaluator only.
    """

    levels: str
    evaluators: tuple[str, str]
    first: NDArray[np.intp]
    second: NDArray[np.intp]
    index: NDArray[np.intp]
    unpaired: int


def read_choices(path: Path | str) -> pl.DataFrame:
    """Read the choices of two evaluators from a Parquet, CSV, JSON or JSONL file, with the columns of `SCHEMA`.

    Returns one row a choice, sorted. Raises BadInputError, naming file, row, column, value found and what is
    allowed, for a file that cannot be read, is empty or lacks a column, for an empty or unknown value, for an item
    that an evaluator rated twice, and for any number of evaluators but two.
    """
    fields = {name: (name,) for name in SCHEMA}
    rows = [_row(place) for place in places(Path(path), fields, tuple(SCHEMA))]
    choices = pl.DataFrame(rows, schema=SCHEMA, orient="row").sort(*_ITEM, "evaluator")
    twice = choices.filter(choices.select(*_ITEM, "evaluator").is_duplicated())
    for question, level, evaluator, _ in twice.head(1).rows():
        raise BadInputError(
            f"{path}: one choice stands twice: question_id '{shown(question)}', level {level}, evaluator "
            f"'{shown(evaluator)}'"
        )
    names = choices["evaluator"].unique().sort()
    if len(names) != _EVALUATORS:
        listed = ", ".join(f"'{shown(name)}'" for name in names.head(5))
        raise BadInputError(f"{path}: evaluator: found {len(names)} ({listed}), allowed: two evaluators")
    return choices


def rated_by_level(choices: pl.DataFrame) -> Iterator[Rated]:
    """Yield the items of each level (`A0`, `A1`, ...), and those of all levels but A0 together (`A1-A4`)."""
    levels = choices["level"].unique().sort().to_list()
    for level in levels:
        yield _rated(f"A{level}", choices, [level])
    degraded = [level for level in levels if level]
    if len(degraded) > 1:
        yield _rated(f"A{degraded[0]}-A{degraded[-1]}", choices, degraded)


def _row(place: Place) -> tuple[Any, ...]:
    level, choice = count_in(place, "level"), needed_text(place, "choice")
    if level is None:
        raise BadInputError(f"{place.row}: level: found nothing, allowed: a whole number from 0")
    if choice not in CHOICES:
        raise bad_value(place.row, "choice", shown(choice), CHOICES)
    return needed_text(place, "question_id"), level, needed_text(place, "evaluator"), choice


def _rated(name: str, choices: pl.DataFrame, levels: list[int]) -> Rated:
    a, b = choices["evaluator"].unique().sort()
    code = pl.col("choice").replace_strict(CHOICES, range(len(CHOICES)), return_dtype=pl.Int64)
    codes = [code.filter(pl.col("evaluator") == evaluator).first().alias(side)
             for evaluator, side in ((a, "first"), (b, "second"))]  # fmt: skip
    items = choices.filter(pl.col("level").is_in(levels)).group_by(_ITEM).agg(codes).sort(_ITEM)
    paired = items.drop_nulls()
    first, second = (paired[side].to_numpy().astype(np.intp) for side in ("first", "second"))
    index = (paired["question_id"].rank("dense") - 1).to_numpy().astype(np.intp)
    return Rated(name, (a, b), first, second, index, items.height - paired.height)
