"""Two designs on the same rows: the question-level sums that every comparison stands on."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from judgeray.analysis.arms import design_order
from judgeray.analysis.cell import Cell, Numbers
from judgeray.analysis.layout import Codes, Indices, common_rows, run_numbers, run_starts

PAIR = ("dataset", "judge", "condition", "a", "b")

Entry = TypeVar("Entry", bound=np.generic)


@dataclass(frozen=True, eq=False)
class Pair:
    """Designs a and b of one judge on the rows that both settled; differences are a minus b.

    A row (with its replicate) that is absent or unsettled under either design is left out under both, so a
    difference never compares different rows. Arrays hold one entry a question, in the order of question ids:
    `questions` their ranks, `rows` row pairs, `differences` of correct rows, `token_rows` the row pairs whose
    total tokens are known on both sides, `token_differences` their sums.

    `only_a` and `only_b` count rows that one design alone got right, `both` those that both did.
    """

    dataset: str
    judge: str
    condition: str
    a: str
    b: str
    questions: Codes
    rows: Codes
    differences: Codes
    token_rows: Codes
    token_differences: Numbers
    only_a: int
    only_b: int
    both: int

    @property
    def key(self) -> tuple[str, str, str, str, str]:
        """The values of `PAIR`."""
        return self.dataset, self.judge, self.condition, self.a, self.b


@dataclass(frozen=True, eq=False)
class CommonRows:
    """Rows that two cells share: their places in each (None for all), and how they fall into questions."""

    in_a: Indices | None
    in_b: Indices | None
    questions: Codes
    index: Indices
    sizes: Codes

    def sums(self, values: NDArray[Any]) -> Numbers:
        """Add up one value a row within each question."""
        return np.asarray(np.bincount(self.index, weights=values, minlength=self.questions.size), dtype=float)


def design_pairs(designs: list[str]) -> list[tuple[str, str]]:
    """List all pairs (a, b), a the later of both in the order C, H, R, B, others: so H:C, R:H, as in study 1."""
    return [(a, b) for b, a in combinations(sorted(set(designs), key=design_order), 2)]


def pair_of(a: Cell, b: Cell) -> Pair:
    """Compare two cells that differ in their design."""
    rows = settled_rows(a, b)
    right_a, right_b = entries(a.correct, rows.in_a), entries(b.correct, rows.in_b)
    only_a, only_b = right_a & ~right_b, right_b & ~right_a
    tokens = entries(a.numbers("total_tokens"), rows.in_a) - entries(b.numbers("total_tokens"), rows.in_b)
    known = ~np.isnan(tokens)
    return Pair(
        dataset=a.dataset,
        judge=a.judge,
        condition=a.condition,
        a=a.design,
        b=b.design,
        questions=rows.questions,
        rows=rows.sizes,
        differences=(rows.sums(only_a) - rows.sums(only_b)).astype(np.int32),
        token_rows=rows.sizes if known.all() else rows.sums(known).astype(np.int32),
        token_differences=rows.sums(np.where(known, tokens, 0.0)),
        only_a=int(only_a.sum()),
        only_b=int(only_b.sum()),
        both=int((right_a & right_b).sum()),
    )


def settled_rows(a: Cell, b: Cell) -> CommonRows:
    """Find the rows that both cells settled."""
    rows = shared_rows(a, b)
    settled = entries(a.settled, rows.in_a) & entries(b.settled, rows.in_b)
    if settled.all():
        return rows
    kept = np.flatnonzero(settled)
    return _common(a, *(kept if places is None else places[kept] for places in (rows.in_a, rows.in_b)))


def shared_rows(a: Cell, b: Cell) -> CommonRows:
    """Find the rows that both cells hold, whatever their status."""
    return _common(a, *common_rows(a.layout, b.layout))


def entries(values: NDArray[Entry], places: Indices | None) -> NDArray[Entry]:
    """Take the entries of some rows, or all."""
    return values if places is None else values[places]


def _common(a: Cell, in_a: Indices | None, in_b: Indices | None) -> CommonRows:
    if in_a is None:
        return CommonRows(in_a, in_b, a.layout.questions, a.layout.index, a.layout.sizes)
    question = a.layout.question[in_a]
    index = run_numbers(question)
    return CommonRows(in_a, in_b, question[run_starts(question)], index, np.bincount(index))
