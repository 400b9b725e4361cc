"""Views of `contrasts` and `complexity`: design minus design (study 1, Tables 3, 17, 18 and 19)."""

from __future__ import annotations

from typing import Any

import polars as pl

from judgeray.analysis.arms import design_order
from judgeray.report.numbers import UNKNOWN, fixed, interval, p_value, signed
from judgeray.report.view import View, places

Record = dict[str, Any]

_HEADER = ("pair", "judge", "questions", "Δ accuracy", "Δ tokens", "wins", "p", "p Holm", "p BH", "stability")


def contrast_views(table: pl.DataFrame) -> list[View]:
    """Show every contrast: differences with intervals, questions won a:b, sign tests and stability."""
    return [View(title, _HEADER, tuple(map(_contrast, _ordered(part)))) for title, part in places(table)]


def complexity_views(table: pl.DataFrame) -> list[View]:
    """Show accuracy differences by complexity bin, the number of rows in parentheses."""
    return [_complexity(title, part) for title, part in places(table)]


def _contrast(row: Record) -> tuple[str, ...]:
    return (
        f"{row['a']} - {row['b']}",
        row["judge"],
        str(row["questions"]),
        _difference(row, "delta_accuracy", 4),
        _difference(row, "delta_tokens", 2),
        f"{row['wins_a']}:{row['wins_b']}",
        p_value(row["p_sign"]),
        p_value(row["p_holm"]),
        p_value(row["p_bh"]),
        fixed(row["stability"], 3),
    )


def _difference(row: Record, name: str, digits: int) -> str:
    low, high = signed(row[f"{name}_low"], digits), signed(row[f"{name}_high"], digits)
    return signed(row[name], digits) + interval(low, high)


def _complexity(title: str, part: pl.DataFrame) -> View:
    bins = sorted(set(part["bin"]), key=_lower_edge)
    cells = {(row["a"], row["b"], row["judge"], row["bin"]): row for row in part.to_dicts()}
    lines = list(dict.fromkeys((row["a"], row["b"], row["judge"]) for row in _ordered(part)))
    rows = [
        (f"{a} - {b}", judge, *(_bin(cells.get((a, b, judge, name))) for name in bins)) for a, b, judge in lines
    ]
    return View(title, ("pair", "judge", *bins), tuple(rows))


def _bin(cell: Record | None) -> str:
    return UNKNOWN if cell is None else f"{signed(cell['delta_accuracy'], 3)} ({cell['rows']})"


def _lower_edge(name: str) -> int:
    return int(name.rstrip("+").split("-")[0])


def _ordered(part: pl.DataFrame) -> list[Record]:
    return sorted(part.to_dicts(), key=lambda row: (design_order(row["a"]), design_order(row["b"]), row["judge"]))
