"""From question sums in a frame to estimates with their intervals, beside the keys they belong to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import polars as pl

from judgeray.analysis.schema import Schema, numbers
from judgeray.analysis.stacks import per_cell
from judgeray.stats.bootstrap import clustered_ratios
from judgeray.stats.estimate import Estimate

QUESTION = ("question_id",)


@dataclass(frozen=True)
class Measure:
    """A quantity `name`: the columns that hold its sums and counts, one row a question, and its estimator."""

    name: str
    sums: str
    counts: str
    unit: str = "share of rows"
    estimator: Callable[..., list[Estimate]] = clustered_ratios

    @property
    def columns(self) -> tuple[str, str, str]:
        """Names of value and interval ends."""
        return interval(self.name)


def interval(name: str) -> tuple[str, str, str]:
    """Name the columns of an estimate: NAME, NAME_low, NAME_high."""
    return name, f"{name}_low", f"{name}_high"


def with_estimates(
    table: pl.DataFrame,
    questions: pl.DataFrame,
    keys: Sequence[str],
    measures: Sequence[Measure],
    question: Sequence[str] = QUESTION,
) -> pl.DataFrame:
    """Add value, low and high of each measure to `table`, which has one row for each value of `keys`.

    `questions` has one row for each value of `keys` and `question`; a question with count 0 carries nothing. A
    null key is a key like any other. Value and interval are null where no question carries anything.
    """
    for measure in measures:
        found = _estimated(questions, keys, measure, question)
        table = table.join(found, on=keys, how="left", nulls_equal=True, maintain_order="left")
    return table


def fitted(table: pl.DataFrame, schema: Schema) -> pl.DataFrame:
    """Select the columns of `schema` with its types."""
    return table.select(pl.col(name).cast(kind) for name, kind in schema.items())


def _estimated(
    questions: pl.DataFrame, keys: Sequence[str], measure: Measure, question: Sequence[str]
) -> pl.DataFrame:
    known = questions.filter(pl.col(measure.counts) > 0).sort(*question)
    groups = known.group_by(keys, maintain_order=True).agg(measure.sums, measure.counts)
    columns = [[values.to_numpy() for values in groups[name]] for name in (measure.sums, measure.counts)]
    estimates = per_cell(columns, partial(measure.estimator, unit=measure.unit))
    ends = [(e.value, e.low, e.high) for e in estimates]
    found = pl.DataFrame(ends, schema=numbers(*measure.columns), orient="row")
    return pl.concat([groups.select(keys), found], how="horizontal")
