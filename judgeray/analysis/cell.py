"""A cell: what one arm (design, judge, condition) said about the rows of one dataset, as arrays."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from judgeray.analysis.layout import Codes, Indices, Layout
from judgeray.core.status import STATUSES, UNSETTLED

Flags = NDArray[np.bool_]
Numbers = NDArray[np.float64]

_IS_SETTLED = np.array([status not in UNSETTLED for status in STATUSES])


@dataclass(frozen=True, eq=False)
class Cell:
    """The rows of one dataset under one arm, in the order of `layout`.

    `log` is compact; `place` says where the cell's rows stand in it.
    """

    dataset: str
    design: str
    judge: str
    condition: str
    layout: Layout
    log: pl.DataFrame
    place: slice | Indices

    @property
    def key(self) -> tuple[str, str, str, str]:
        """Dataset, design, judge, condition."""
        return self.dataset, self.design, self.judge, self.condition

    def frame(self, *names: str) -> pl.DataFrame:
        """Take columns of the log, in no order."""
        return pl.DataFrame([taken(self.log[name], self.place) for name in names])

    def numbers(self, name: str) -> Numbers:
        """Read a column of numbers; NaN where it is not known."""
        numbers: Numbers = taken(self.log[name], self.place).cast(pl.Float64).to_numpy()
        return numbers if self.layout.order is None else numbers[self.layout.order]

    def codes(self, name: str) -> Codes:
        """Read an Enum column as places in its categories; -1 where nothing stands."""
        column = taken(self.log[name], self.place)
        codes: Codes = column.to_physical().cast(pl.Int16).fill_null(-1).to_numpy()
        return codes if self.layout.order is None else codes[self.layout.order]

    @cached_property
    def settled(self) -> Flags:
        """Whether a reply settled the row; undelivered and pending rows say nothing about a design."""
        settled: Flags = _IS_SETTLED[self.codes("status")]
        return settled

    @cached_property
    def correct(self) -> Flags:
        """Whether the row is settled and its verdict is the label.

        A reply without a verdict (unparsed, refused, truncated) is settled and not correct: the design was asked
        and failed to say the label. Study 1 had neither kind.
        """
        verdict = self.codes("verdict")
        correct: Flags = (verdict == self.codes("label")) & (verdict >= 0) & self.settled
        return correct

    def sums(self, values: NDArray[Any]) -> Numbers:
        """Add up one value a row within each question of the layout, in the order of questions."""
        return np.asarray(
            np.bincount(self.layout.index, weights=values, minlength=self.layout.questions.size), dtype=float
        )


def taken(column: pl.Series, place: slice | Indices) -> pl.Series:
    """Take the rows of one cell from a column."""
    return column[place] if isinstance(place, slice) else column.gather(place)
