"""Views of `accuracy` and `class_accuracy`: designs down, judges across (study 1, Tables 2 and 15)."""

from __future__ import annotations

from typing import Any

import polars as pl

from judgeray.analysis.arms import design_order
from judgeray.core.status import STATUSES
from judgeray.report.numbers import UNKNOWN, fixed, interval
from judgeray.report.view import View, in_order, places

Record = dict[str, Any]

_ENDS = ("accuracy_low", "accuracy_high")


def accuracy_views(table: pl.DataFrame) -> list[View]:
    """Show accuracy with its interval, and mean total tokens; a judge's most accurate designs stand out."""
    return [_accuracy(title, part) for title, part in places(table)]


def accuracy_lists(table: pl.DataFrame) -> list[View]:
    """Show the same one line a cell: as narrow as a terminal, however many judges there are."""
    return [_list(title, part) for title, part in places(table)]


def class_views(table: pl.DataFrame) -> list[View]:
    """Show accuracy within each label."""
    return [_classes(title, part) for title, part in places(table)]


def status_view(table: pl.DataFrame) -> View:
    """Count rows by status for every cell that has a row without a verdict."""
    header = ("dataset", "design", "judge", "condition", "rows", *STATUSES)
    lacking = table.filter(pl.col("ok") < pl.col("rows"))
    rows = tuple(tuple(str(value) for value in row) for row in lacking.select(header).rows())
    return View("Rows without a verdict", header, rows)


def _accuracy(title: str, part: pl.DataFrame) -> View:
    cells = {(row["design"], row["judge"]): row for row in part.to_dicts()}
    judges = sorted(set(part["judge"]))
    header = ("design", *(name for judge in judges for name in (judge, f"{judge}: tokens")))
    rows, strong = [], set()
    for number, design in enumerate(in_order(part["design"])):
        cells_of_row = [design]
        for column, judge in enumerate(judges):
            cell = cells.get((design, judge))
            cells_of_row += [_interval(cell), fixed(cell["mean_total_tokens"], 2) if cell else UNKNOWN]
            if cell and _is_best(cell, part):
                strong.add((number, 1 + 2 * column))
        rows.append(tuple(cells_of_row))
    return View(title, header, tuple(rows), frozenset(strong))


def _list(title: str, part: pl.DataFrame) -> View:
    cells = sorted(part.to_dicts(), key=lambda cell: (cell["judge"], design_order(cell["design"])))
    rows = [(cell["judge"], cell["design"], _interval(cell), fixed(cell["mean_total_tokens"], 2)) for cell in cells]
    strong = {(row, 2) for row, cell in enumerate(cells) if _is_best(cell, part)}
    return View(title, ("judge", "design", "accuracy", "tokens"), tuple(rows), frozenset(strong))


def _is_best(cell: Record, part: pl.DataFrame) -> bool:
    best = part.filter(pl.col("judge") == cell["judge"])["accuracy"].max()
    return cell["accuracy"] is not None and bool(cell["accuracy"] == best)


def _classes(title: str, part: pl.DataFrame) -> View:
    cells = {(row["label"], row["design"], row["judge"]): row for row in part.to_dicts()}
    judges = sorted(set(part["judge"]))
    rows = [
        (label, design, *(_interval(cells.get((label, design, judge))) for judge in judges))
        for label in sorted(set(part["label"]))
        for design in in_order(part["design"])
    ]
    return View(title, ("label", "design", *judges), tuple(rows))


def _interval(cell: Record | None) -> str:
    if cell is None:
        return UNKNOWN
    low, high = (fixed(cell[end], 4) for end in _ENDS)
    return fixed(cell["accuracy"], 4) + interval(low, high)
