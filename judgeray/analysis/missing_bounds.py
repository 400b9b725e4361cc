"""Table `missing_bounds`: how far rows without a verdict could move accuracies and differences."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import polars as pl

from judgeray.analysis.cell import Cell, Numbers
from judgeray.analysis.grid import Grid
from judgeray.analysis.layout import Codes
from judgeray.analysis.pairs import PAIR, design_pairs, entries, shared_rows
from judgeray.analysis.schema import ESTIMATE, counts, fields, texts
from judgeray.analysis.stacks import in_parts, per_cell
from judgeray.stats.bootstrap import clustered_means, clustered_ratios
from judgeray.stats.estimate import Estimate

_SCHEMA = texts(*PAIR, "assumption") | counts("rows", "missing_a", "missing_b") | ESTIMATE


@dataclass(frozen=True, eq=False)
class _Case:
    """Question sums under one assumption about rows without a verdict."""

    key: tuple[str | None, ...]
    missing: tuple[int, int | None]
    sums: Numbers
    rows: Codes


def missing_bounds(grid: Grid) -> pl.DataFrame:
    """Tabulate PAIR columns, assumption, rows, missing_a, missing_b, and accuracy or difference with its interval.

    Rows without a verdict (unparsed, refused, truncated, undelivered, pending) are missing. `assumption` says what
    they are taken for: `all wrong`, `all right`, and for a difference also `lowest` (a's wrong and b's right) and
    `highest` (the reverse). With b null the value is the accuracy of a. Whatever the missing rows would have said,
    the value lies between the extremes. Unlike elsewhere, undelivered and pending rows are in.
    """
    tables = [
        *(_estimated(part, clustered_ratios) for part in in_parts(_accuracies(grid), _size)),
        *(_estimated(part, clustered_means) for part in in_parts(_differences(grid), _size)),
    ]
    return pl.concat(tables).sort(*PAIR, "assumption")


def _size(case: _Case) -> int:
    return int(case.sums.size)


def _accuracies(grid: Grid) -> Iterator[_Case]:
    for cell in grid.cells:
        key = (cell.dataset, cell.judge, cell.condition, cell.design, None)
        missing = cell.without_verdict
        counts = (int(missing.sum()), None)
        for assumption, right in (("all wrong", cell.correct), ("all right", cell.correct | missing)):
            yield _Case((*key, assumption), counts, cell.sums(right), cell.layout.sizes)


def _differences(grid: Grid) -> Iterator[_Case]:
    for arms in grid.places:
        for a, b in design_pairs(list(arms)):
            yield from _pair(arms[a], arms[b])


def _pair(a: Cell, b: Cell) -> Iterator[_Case]:
    shared = shared_rows(a, b)
    missing_a, missing_b = entries(a.without_verdict, shared.in_a), entries(b.without_verdict, shared.in_b)
    wrong = shared.sums(entries(a.correct, shared.in_a)) - shared.sums(entries(b.correct, shared.in_b))
    more_a, more_b = shared.sums(missing_a), shared.sums(missing_b)
    counts = (int(missing_a.sum()), int(missing_b.sum()))
    key = (a.dataset, a.judge, a.condition, a.design, b.design)
    cases = {
        "all wrong": wrong,
        "all right": wrong + more_a - more_b,
        "lowest": wrong - more_b,
        "highest": wrong + more_a,
    }
    for assumption, sums in cases.items():
        yield _Case((*key, assumption), counts, sums, shared.sizes)


def _estimated(cases: list[_Case], estimate: Callable[..., list[Estimate]]) -> pl.DataFrame:
    columns = [case.sums for case in cases], [case.rows for case in cases]
    estimates = per_cell(columns, partial(estimate, unit="share of rows"))
    found = zip(cases, estimates, strict=True)
    rows = [(*case.key, int(case.rows.sum()), *case.missing, *fields(e)) for case, e in found]
    return pl.DataFrame(rows, schema=_SCHEMA, orient="row")
