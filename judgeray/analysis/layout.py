"""Which rows a cell holds, in one order: arms that judged the same rows share one layout."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

Indices = NDArray[np.intp]
Codes = NDArray[np.integer[Any]]

_REPLICATE_BITS = 31


@dataclass(frozen=True, eq=False)
class Layout:
    """Rows (with their replicates) sorted by question, row and replicate.

    `order` sorts a cell's rows of the log; None where they stand sorted. `row` and `question` are ranks of ids in
    lexicographic order, so that no sum depends on the order of the log; `replicate` is a code.
    """

    order: Indices | None
    row: Codes
    replicate: Codes
    question: Codes

    @cached_property
    def unit(self) -> NDArray[np.int64]:
        """Row and replicate in one number, the same in all layouts of a log."""
        return _units(self.row, self.replicate)

    @cached_property
    def index(self) -> Indices:
        """Number the question of each row, from 0."""
        return run_numbers(self.question)

    @cached_property
    def questions(self) -> Codes:
        """Rank of each question, rising."""
        return self.question[run_starts(self.question)]

    @cached_property
    def sizes(self) -> Indices:
        """Count the rows of each question."""
        return np.bincount(self.index)

    @property
    def size(self) -> int:
        """Number of rows."""
        return int(self.row.size)

    @property
    def repeats(self) -> bool:
        """Whether a row stands twice (with one replicate, in one question)."""
        return bool(((np.diff(self.unit) == 0) & (np.diff(self.question) == 0)).any())


def layout_of(row: Codes, replicate: Codes, question: Codes) -> Layout:
    """Sort rows by question, row and replicate; codes are below 2^31."""
    unit = _units(row, replicate)
    later = np.diff(question)
    if ((later > 0) | ((later == 0) & (np.diff(unit) > 0))).all():
        return Layout(None, row, replicate, question)
    order = np.lexsort((unit, question))
    return Layout(order, row[order], replicate[order], question[order])


def common_rows(a: Layout, b: Layout) -> tuple[Indices | None, Indices | None]:
    """Find the rows that two layouts share, as positions in each, sorted by question; None stands for all."""
    if a is b:
        return None, None
    _, in_a, in_b = np.intersect1d(a.unit, b.unit, assume_unique=True, return_indices=True)
    order = np.argsort(in_a)
    return in_a[order], in_b[order]


def run_starts(sorted_codes: Codes) -> Indices:
    """Find where each run of equal numbers begins."""
    changes = np.flatnonzero(np.diff(sorted_codes)) + 1
    return np.concatenate([np.zeros(min(1, sorted_codes.size), dtype=np.intp), changes])


def run_numbers(sorted_codes: Codes) -> Indices:
    """Number the run that each entry belongs to, from 0."""
    numbers = np.zeros(sorted_codes.size, dtype=np.intp)
    np.cumsum(np.diff(sorted_codes) != 0, out=numbers[1:])
    return numbers


def _units(row: Codes, replicate: Codes) -> NDArray[np.int64]:
    return (row.astype(np.int64) << _REPLICATE_BITS) | replicate
