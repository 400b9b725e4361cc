"""What a viewer's address asks for, and the rows that answer it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

import polars as pl

from judgeray.core.errors import bad_value

PAGE_ROWS = 50

CHOICES = ("dataset", "design", "judge", "condition", "label", "status", "verdict", "parse_branch")
"""Columns of few values, each with a list to choose from."""

SORTS = ("total_tokens", "output_tokens", "cost_usd", "latency_seconds", "confidence", "score", "attempts")
"""Columns by which rows can be sorted; without, they stand as in the files."""

OUTCOMES: dict[str, pl.Expr] = {
    "right": (pl.col("verdict") == pl.col("label")).fill_null(value=False),
    "wrong": (pl.col("verdict") != pl.col("label")).fill_null(value=False),
    "without a verdict": pl.col("verdict").is_null(),
}


@dataclass(frozen=True)
class Query:
    """Chosen values by column, an outcome, text that the row id holds, a sort column and a page from 1."""

    chosen: Mapping[str, str] = field(default_factory=dict)
    outcome: str = ""
    text: str = ""
    sort: str = ""
    descending: bool = False
    page: int = 1

    def address(self, **changes: str) -> str:
        """The address of this query with some parts changed."""
        parts = {**self.chosen, "outcome": self.outcome, "text": self.text, "sort": self.sort,
                 "order": "descending" if self.descending else "", "page": str(self.page)}  # fmt: skip
        known = {name: value for name, value in {**parts, **changes}.items() if value}
        return "/?" + urlencode(known, errors="backslashreplace")


@dataclass(frozen=True)
class Page:
    """The rows of one page, and how many there are in all."""

    rows: list[dict[str, Any]]
    found: int

    @property
    def last(self) -> int:
        """The number of the last page."""
        return max(1, -(-self.found // PAGE_ROWS))


def read_query(asked: Mapping[str, str]) -> Query:
    """Read an address; raises BadInputError for an outcome, sort column or page that there is none of."""
    outcome, sort, number = asked.get("outcome", ""), asked.get("sort", ""), asked.get("page", "1")
    if outcome and outcome not in OUTCOMES:
        raise bad_value("address", "outcome", outcome, OUTCOMES)
    if sort and sort not in SORTS:
        raise bad_value("address", "sort", sort, SORTS)
    if not (number.isascii() and number.isdigit() and 0 < int(number) < 10**9):
        raise bad_value("address", "page", number, ["a whole number from 1"])
    chosen = {name: asked[name] for name in CHOICES if asked.get(name)}
    return Query(chosen, outcome, asked.get("text", ""), sort, asked.get("order") == "descending", int(number))


def answer(verdicts: pl.LazyFrame, query: Query) -> Page:
    """Read one page of rows; only the columns that decide are read of all others."""
    tests = [pl.col(name) == value for name, value in query.chosen.items()]
    if query.outcome:
        tests.append(OUTCOMES[query.outcome])
    if query.text:
        tests.append(pl.col("row_id").str.contains(query.text, literal=True))
    kept = verdicts.filter(*tests) if tests else verdicts
    found = int(kept.select(pl.len()).collect(engine="streaming").item())
    if query.sort:
        kept = kept.sort(query.sort, descending=query.descending, nulls_last=True, maintain_order=True)
    rows = kept.slice((query.page - 1) * PAGE_ROWS, PAGE_ROWS).collect(engine="streaming")
    return Page(rows.to_dicts(), found)


def has_simulated(verdicts: pl.LazyFrame) -> bool:
    """Tell whether the emulator answered any row."""
    return bool(verdicts.select(pl.col("simulated").any()).collect(engine="streaming").item())


def values(verdicts: pl.LazyFrame) -> dict[str, list[str]]:
    """List the values of each column of `CHOICES`, sorted."""
    found = verdicts.select(pl.col(name).drop_nulls().unique().sort().implode() for name in CHOICES)
    return {
        name: list(listed) for name, (listed,) in found.collect(engine="streaming").to_dict(as_series=False).items()
    }
