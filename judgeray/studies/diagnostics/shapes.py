"""Shapes of views: one line an arm, one column a condition, as the tables of study 1 stand."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import polars as pl

from judgeray.analysis.arms import design_order
from judgeray.report.numbers import UNKNOWN, fixed, interval, p_value, signed
from judgeray.report.view import View

Record = Mapping[str, Any]
Cell = Callable[[Record], str]


def pivot(
    title: str, table: pl.DataFrame, lines: Sequence[str], column: str, columns: Sequence[str], cell: Cell
) -> View:
    """Lay a table out: a line for each combination of `lines`, a column for each value of `column`.

    A cell that the table lacks is a dash; lines stand in the order of their names, designs as study 1 lists them.
    """
    found = {(tuple(row[name] for name in lines), row[column]): cell(row) for row in table.to_dicts()}
    keys = sorted({key for key, _ in found}, key=lambda key: _place(lines, key))
    rows = tuple(
        (*(_text(part) for part in key), *(found.get((key, name), UNKNOWN) for name in columns)) for key in keys
    )
    return View(title, (*lines, *columns), rows)


def listing(title: str, table: pl.DataFrame, columns: Mapping[str, Cell]) -> View:
    """Lay a table out line by line; `columns` maps a heading to what stands below it."""
    rows = tuple(tuple(cell(row) for cell in columns.values()) for row in table.to_dicts())
    return View(title, tuple(columns), rows)


def text_of(name: str) -> Cell:
    """Spell a name or a count."""
    return lambda row: _text(row[name])


def share(name: str, digits: int = 3, low: str | None = None, high: str | None = None) -> Cell:
    """Spell a share with its interval, whose columns are `name_low` and `name_high` unless they are given."""
    ends = low or f"{name}_low", high or f"{name}_high"
    return lambda row: fixed(row[name], digits) + interval(*(fixed(row[end], digits) for end in ends))


def change(name: str, digits: int = 3) -> Cell:
    """Spell a difference with its interval."""
    return lambda row: (
        signed(row[name], digits) + interval(*(signed(row[f"{name}_{end}"], digits) for end in ("low", "high")))
    )


def number(name: str, digits: int) -> Cell:
    """Spell a number."""
    return lambda row: fixed(row[name], digits)


def probability(name: str) -> Cell:
    """Spell a p-value."""
    return lambda row: p_value(row[name])


def by_design(table: pl.DataFrame, *before: str) -> pl.DataFrame:
    """Sort lines by the columns named, then designs as study 1 lists them."""
    known = sorted(set(table["design"]), key=design_order)
    rank = pl.col("design").replace_strict(known, list(range(len(known))), return_dtype=pl.Int64)
    return table.sort(*before, rank, maintain_order=True) if known else table


def _place(lines: Sequence[str], key: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(
        design_order(part) if name == "design" else (part is None, part)
        for name, part in zip(lines, key, strict=True)
    )


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return UNKNOWN if value is None else str(value)
