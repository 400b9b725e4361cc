"""Table `equivalence`: which designs differ by less than a margin."""

from __future__ import annotations

from functools import partial

import polars as pl

from judgeray.analysis.grid import Grid
from judgeray.analysis.pairs import PAIR
from judgeray.analysis.schema import ESTIMATE, fields, numbers, texts
from judgeray.analysis.stacks import per_cell
from judgeray.stats.equivalence import MARGIN, Equivalence, equivalence

FEW_DIFFER = 100
CAUTION = "fewer than 100 questions differ: p_t is too sure of itself, decide by p_exact"

_SCHEMA = texts(*PAIR) | numbers("margin", "p_t", "p_exact") | ESTIMATE | texts("caution")


def equivalence_tests(grid: Grid, margin: float = MARGIN) -> pl.DataFrame:
    """Tabulate PAIR columns, margin, p_t, p_exact, the difference with its 90 % t interval, and a caution.

    A small p says that a and b differ by less than `margin` (in accuracy). `p_t` is the two one-sided t tests by
    question; `p_exact` needs no normal shape and is the one to decide by where few questions differ. A large p
    says nothing: not shown to be equivalent is not shown to differ. Null without common questions.
    """
    columns = [pair.differences for pair in grid.pairs], [pair.rows for pair in grid.pairs]
    tests = per_cell(columns, partial(equivalence, unit="share of rows", margin=margin))
    differing = [int((pair.differences != 0).sum()) for pair in grid.pairs]
    found = zip(grid.pairs, tests, differing, strict=True)
    rows = [(*pair.key, *_fields(test, number)) for pair, test, number in found]
    return pl.DataFrame(rows, schema=_SCHEMA, orient="row")


def _fields(test: Equivalence, differing: int) -> tuple[object, ...]:
    caution = CAUTION if differing < FEW_DIFFER else None
    return (test.margin, test.p_t, test.p_exact, *fields(test.estimate), caution)
