"""Small scores logs for tests, as `read_scores` returns them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from judgeray.analysis.scores.log import IDENTITY, SCHEMA

Rows = list[dict[str, Any]]
Scores = Sequence[float | None]

_BASE = {
    "dataset": "d", "question_id": "q", "level": None, "metric": "m", "judge": "j", "model": None, "replicate": 0,
    "value": None, "total_tokens": None, "cost_usd": None, "simulated": None,
}  # fmt: skip


def make_log(rows: Rows) -> pl.DataFrame:
    """Fill rows up to a log; `variant` follows the level, `status` the value."""
    full = []
    for given in rows:
        row = _BASE | given
        row.setdefault("variant", f"A{row['level']}")
        row.setdefault("status", "unparsed" if row["value"] is None else "ok")
        full.append(row)
    return pl.DataFrame(full, schema=SCHEMA).sort(*IDENTITY)


def ladder(question: str, scores: Scores, controls: Mapping[str, float | None] | None = None, **arm: Any) -> Rows:
    """Rows of one question: a score a level from A0, and controls by name."""
    levels = [{"question_id": question, "level": level, "value": value} | arm for level, value in enumerate(scores)]
    named = (controls or {}).items()
    return levels + [{"question_id": question, "variant": name, "value": value} | arm for name, value in named]


def ladders(*scores: Scores, **arm: Any) -> Rows:
    """Rows of questions q0, q1, ..."""
    return [row for number, given in enumerate(scores) for row in ladder(f"q{number}", given, **arm)]


def one(table: pl.DataFrame, **wanted: Any) -> dict[str, Any]:
    """Return the table's only row with these values."""
    found = table.filter(*(pl.col(name) == value for name, value in wanted.items()))
    assert found.height == 1
    return found.row(0, named=True)
