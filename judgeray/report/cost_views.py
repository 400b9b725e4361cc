"""Views of `tokens` and `parsing`: what calls took, and how their replies were read (study 1, Tables 16, 20)."""

from __future__ import annotations

from typing import Any

import polars as pl

from judgeray.report.numbers import UNKNOWN, fixed, interval
from judgeray.report.view import View, in_order, places

Record = dict[str, Any]

_KINDS = ("total", "input", "output", "reasoning", "cached")


def token_views(table: pl.DataFrame) -> list[View]:
    """Show the median of each kind of tokens a call, quartiles in brackets."""
    return [_tokens(title, part) for title, part in places(table)]


def parsing_view(table: pl.DataFrame) -> View:
    """Count rows by the branch that read the verdict, or by the status of rows without one."""
    counts = {(row["design"], row["judge"], row["parse_branch"]): row["rows"] for row in table.to_dicts()}
    branches = sorted({branch for _, _, branch in counts}, key=_branch_order)
    rows = [
        (design, judge, *(str(counts.get((design, judge, branch), 0)) for branch in branches))
        for design in in_order(table["design"])
        for judge in sorted(set(table.filter(pl.col("design") == design)["judge"]))
    ]
    names = ("branch not recorded" if branch is None else branch for branch in branches)
    return View("Rows by parse branch", ("design", "judge", *names), tuple(rows))


def _branch_order(branch: str | None) -> tuple[int, str]:
    known = ("whole", "embedded", "regex")
    return (known.index(branch), "") if branch in known else (len(known), branch or "")


def _tokens(title: str, part: pl.DataFrame) -> View:
    cells = {(row["judge"], row["design"], row["kind"]): row for row in part.to_dicts()}
    rows = [
        (judge, design, *(_quartiles(cells[judge, design, kind]) for kind in _KINDS))
        for judge in sorted(set(part["judge"]))
        for design in in_order(part.filter(pl.col("judge") == judge)["design"])
    ]
    return View(title, ("judge", "design", *_KINDS), tuple(rows))


def _quartiles(cell: Record) -> str:
    if not cell["n"]:
        return UNKNOWN
    return fixed(cell["p50"], 2) + interval(fixed(cell["p25"], 2), fixed(cell["p75"], 2))
