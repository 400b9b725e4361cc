"""A cell: what one arm (design, judge, condition) said about the rows of one dataset, as arrays."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from judgeray.analysis.compact import enum_values
from judgeray.analysis.layout import Codes, Indices, Layout
from judgeray.core.status import STATUSES, UNSETTLED

Flags = NDArray[np.bool_]
Numbers = NDArray[np.float64]

_IS_SETTLED = np.array([status not in UNSETTLED for status in STATUSES])


@dataclass(frozen=True, eq=False)
class Asked:
    """Counts of rows, one entry a question."""

    correct: Codes
    settled: Codes


@dataclass(frozen=True, eq=False)
class Cell:
    """The rows of one dataset under one arm, in the order of `layout`.

    `log` is compact, `physical` the same with codes in place of text; `place` says where the cell's rows stand.
    """

    dataset: str
    design: str
    judge: str
    condition: str
    layout: Layout
    log: pl.DataFrame
    physical: pl.DataFrame
    place: slice | Indices

    @property
    def key(self) -> tuple[str, str, str, str]:
        """Dataset, design, judge, condition."""
        return self.dataset, self.design, self.judge, self.condition

    def numbers(self, name: str) -> Numbers:
        """Read a column of numbers; NaN where it is not known."""
        numbers: Numbers = self._values(name).astype(float)
        return numbers

    def codes(self, name: str) -> Codes:
        """Read an Enum column as places in its categories; -1 where nothing stands."""
        codes = self._values(name)
        if codes.dtype.kind == "f":
            codes = np.nan_to_num(codes, nan=-1)
        return codes.astype(np.int16)

    def categories(self, name: str) -> list[str]:
        """List what an Enum column may hold, in the order of its codes."""
        return enum_values(self.log.get_column(name))

    def _values(self, name: str) -> NDArray[Any]:
        """Take the cell's part of a column in the order of `layout`: floats with NaN where something is missing."""
        values: NDArray[Any] = taken(self.physical, name, self.place).to_numpy()
        return values if self.layout.order is None else values[self.layout.order]

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

    @cached_property
    def without_verdict(self) -> Flags:
        """Whether no verdict stands, settled or not."""
        missing: Flags = self.codes("status") != STATUSES.index("ok")
        return missing

    @cached_property
    def asked(self) -> Asked:
        """Right and settled rows of each question that has settled rows."""
        settled = self.sums(self.settled)
        asked = settled > 0
        return Asked(self.sums(self.correct)[asked].astype(np.int32), settled[asked].astype(np.int32))

    def sums(self, values: NDArray[Any]) -> Numbers:
        """Add up one value a row within each question of the layout, in the order of questions."""
        return np.asarray(
            np.bincount(self.layout.index, weights=values, minlength=self.layout.questions.size), dtype=float
        )


def taken(log: pl.DataFrame, name: str, place: slice | Indices) -> pl.Series:
    """Take the rows at `place` from a column; a slice is a view."""
    column = log.get_column(name)
    return column.slice(place.start, place.stop - place.start) if isinstance(place, slice) else column.gather(place)
