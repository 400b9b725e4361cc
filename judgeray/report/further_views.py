"""Views of the tables beyond study 1: one short table each, the details stay in the CSV files."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import polars as pl

from judgeray.analysis.arms import design_order
from judgeray.report.numbers import UNKNOWN, fixed, interval
from judgeray.report.view import View, in_order, places

Record = dict[str, Any]

_MOST_CELLS = 10


def power_views(table: pl.DataFrame) -> list[View]:
    """Show the smallest difference that a pair's questions reliably show, and how many the observed one needs."""
    return [_by_judge(title, part, "pair", _pair, _power) for title, part in places(table)]


def agreement_views(table: pl.DataFrame) -> list[View]:
    """Show Krippendorff's alpha between judges, designs down."""
    alpha = table.filter((pl.col("measure") == "krippendorff_alpha") & (pl.col("between") == "judges"))
    return [View(title, ("design", "judges", "rows", "alpha"), _alphas(part)) for title, part in places(alpha)]


def cost_views(table: pl.DataFrame) -> list[View]:
    """Show tokens and dollars a right verdict, designs down; those that no other design beats stand out."""
    return [_costs(title, part) for title, part in places(table)]


def variance_views(table: pl.DataFrame) -> list[View]:
    """Show which share of the variance lies with questions, designs and judges."""
    header = ("source", "share of variance")
    return [View(title, header, tuple(map(_share, part.to_dicts()))) for title, part in places(table)]


def calibration_views(table: pl.DataFrame) -> list[View]:
    """Show the expected calibration error of stated confidence, designs down, judges across."""
    stated = table.filter((pl.col("forecast") == "confidence") & (pl.col("measure") == "ece"))
    return [_by_judge(title, part, "design", _design, _estimate) for title, part in places(stated)]


def bounds_views(table: pl.DataFrame) -> list[View]:
    """Show accuracy if all rows without a verdict were wrong and if all were right, for the cells it moves most."""
    alone = table.filter(pl.col("b").is_null() & (pl.col("missing_a") > 0)).drop_nulls("value")
    cell = ["dataset", "judge", "condition", "a", "missing_a"]
    ends = alone.group_by(cell).agg(pl.col("value").min().alias("wrong"), pl.col("value").max().alias("right"))
    widest = ends.sort(pl.col("wrong") - pl.col("right"), *cell).head(_MOST_CELLS)
    rows = tuple((*map(str, place), fixed(low, 4), fixed(high, 4)) for *place, low, high in widest.rows())
    header = ("dataset", "judge", "condition", "design", "rows without a verdict", "all wrong", "all right")
    return [View("Accuracy if these rows were", header, rows)]


def _by_judge(
    title: str, part: pl.DataFrame, name: str, line: Callable[[Record], str], cell: Callable[[Record], str]
) -> View:
    """Lay out one line a pair or design, one column a judge."""
    records = sorted(part.to_dicts(), key=_design_places)
    cells = {(line(row), row["judge"]): cell(row) for row in records}
    judges = sorted(set(part["judge"]))
    lines = dict.fromkeys(line(row) for row in records)
    return View(
        title, (name, *judges), tuple((text, *(cells.get((text, j), UNKNOWN) for j in judges)) for text in lines)
    )


def _costs(title: str, part: pl.DataFrame) -> View:
    cells = {(row["design"], row["judge"], row["currency"]): row for row in part.to_dicts()}
    columns = [(judge, currency) for judge in sorted(set(part["judge"])) for currency in ("tokens", "usd")]
    rows, strong = [], set()
    for number, design in enumerate(in_order(part["design"])):
        found = [cells.get((design, *column)) for column in columns]
        rows.append((design, *map(_cost, found)))
        strong |= {(number, place) for place, row in enumerate(found, 1) if row and row["on_frontier"]}
    header = ("design", *(f"{judge}: {'USD' if currency == 'usd' else currency}" for judge, currency in columns))
    return View(title, header, tuple(rows), frozenset(strong))


def _cost(row: Record | None) -> str:
    return UNKNOWN if row is None else fixed(row["value"], 2 if row["currency"] == "tokens" else 6)


def _power(row: Record) -> str:
    needed = UNKNOWN if row["questions_needed"] is None else str(row["questions_needed"])
    return f"{fixed(row['detectable_delta'], 3)}; {needed}"


def _alphas(part: pl.DataFrame) -> tuple[tuple[str, ...], ...]:
    ordered = sorted(part.to_dicts(), key=lambda row: design_order(row["design"]))
    return tuple((row["design"], str(row["raters"]), str(row["items"]), _estimate(row)) for row in ordered)


def _estimate(row: Record) -> str:
    return fixed(row["value"], 3) + interval(fixed(row["low"], 3), fixed(row["high"], 3))


def _share(row: Record) -> tuple[str, str]:
    return row["source"], UNKNOWN if row["share"] is None else f"{row['share']:.1%}"


def _pair(row: Record) -> str:
    return f"{row['a']} - {row['b']}"


def _design(row: Record) -> str:
    return str(row["design"])


def _design_places(row: Record) -> tuple[Any, ...]:
    names: Iterable[str] = (row["a"], row["b"]) if "a" in row else (row["design"],)
    return tuple(design_order(name) for name in names)
