"""Tables of a page: typed columns, cells that are spelled for people and sort as numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from judgeray.report.numbers import UNKNOWN, fixed, p_value, signed
from judgeray.report.text import visible

MOST_ROWS = 2_000
"""Rows that a page shows of one table; all are in `tables/NAME.csv`."""

PARTS = ("dataset", "judge", "design", "condition")
"""What the page's controls restrict, in the order of its letters d, j, g, c."""

_SIGNED = ("delta_accuracy", "delta_tokens")
_TOKENS = ("tokens", "mean", "p05", "p25", "p50", "p75", "p95")


@dataclass(frozen=True)
class Column:
    """A column: `digits` None holds text, 0 counts; `title` is what people read."""

    name: str
    title: str
    digits: int | None = None
    form: str = "fixed"


@dataclass(frozen=True)
class Cell:
    """What is shown, and the number by which a column sorts (None: by its text)."""

    text: str
    value: str | None = None


@dataclass(frozen=True)
class Line:
    """One row: its cells, and for each of `PARTS` the indices that the controls know it by."""

    cells: tuple[Cell, ...]
    parts: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Grid:
    """A table as the template draws it; `left_out` rows are not on the page."""

    name: str
    title: str
    columns: tuple[Column, ...]
    lines: tuple[Line, ...]
    left_out: int = 0


class Places:
    """Knows each name of the report by an index, so that no text from data becomes an attribute."""

    def __init__(self, names: Mapping[str, Sequence[str]]) -> None:
        self._index = {part: {name: n for n, name in enumerate(names[part])} for part in PARTS}

    def of(self, row: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
        """Give the attribute (letter, indices) pairs of a row, as far as it has such columns."""
        values = {"design": [row["a"], row["b"]]} if "a" in row and "b" in row else {}
        if "judge_a" in row:
            values["judge"] = [row["judge_a"], row["judge_b"]]
        found = []
        for part, letter in zip(PARTS, "djgc", strict=True):
            names = values.get(part, [row[part]] if part in row else [])
            known = [str(self._index[part][name]) for name in names if name in self._index[part]]
            if known:
                found.append((letter, " ".join(known)))
        return tuple(found)


def grid(
    name: str, title: str, table: pl.DataFrame, places: Places, columns: Sequence[Column] | None = None
) -> Grid:
    """Lay a table out, its columns guessed from names and types unless they are given."""
    laid = tuple(columns or [guessed(column, table[column].dtype) for column in table.columns])
    rows = table.head(MOST_ROWS).to_dicts()
    lines = tuple(Line(tuple(cell(row.get(c.name), c) for c in laid), places.of(row)) for row in rows)
    return Grid(name, title, laid, lines, max(0, table.height - MOST_ROWS))


def guessed(name: str, kind: pl.DataType) -> Column:
    """Choose how a column is spelled from its name and type."""
    title = visible(name.replace("_", " "))
    if name.startswith("p_"):
        return Column(name, title, 4, "p")
    if kind.is_integer():
        return Column(name, title, 0)
    if not kind.is_numeric():
        return Column(name, title)
    digits = 2 if any(name.endswith(end) for end in _TOKENS) or "tokens" in name else 4
    return Column(name, title, digits, "signed" if name.startswith(_SIGNED) else "fixed")


def cell(value: object, column: Column) -> Cell:
    """Spell one value; null is a dash and sorts last."""
    if value is None or value != value:
        return Cell(UNKNOWN, "")
    if isinstance(value, bool) or not isinstance(value, int | float) or column.digits is None:
        return Cell(visible(str(value)))
    return Cell(_spelled(value, column), repr(value))


def _spelled(value: float, column: Column) -> str:
    if column.form == "p":
        return p_value(value)
    if column.digits == 0:
        return str(value)
    return (signed if column.form == "signed" else fixed)(value, column.digits or 0)
