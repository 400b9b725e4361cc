"""Small logs for tests, as `read_log` returns them but for their compact types."""

from __future__ import annotations

from typing import Any

import polars as pl

from judgeray.analysis.columns import KINDS, typed
from judgeray.analysis.place import Place


def make_log(rows: list[dict[str, Any]]) -> pl.DataFrame:
    """Fill rows up to a log as `read_log` returns it; `right` says whether the verdict is the label."""
    base = {"dataset": "d", "label": "supported", "judge": "j", "condition": "full", "replicate": 0, "design": "C"}
    full = []
    for number, given in enumerate(rows):
        row = dict(given)
        verdict = {True: "supported", False: "unsupported", None: None}[row.pop("right", True)]
        ids = {"question_id": f"q{number}", "row_id": row.get("question_id", f"q{number}")}
        full.append(base | ids | {"status": "ok", "verdict": verdict} | row)
    raw = pl.DataFrame(full, infer_schema_length=None)
    missing = [pl.lit(None).alias(name) for name in KINDS if name not in raw.columns]
    return pl.DataFrame([typed(name, raw.with_columns(missing)[name], Place([])) for name in KINDS])


def two_designs(right_c: list[bool | None], right_h: list[bool | None]) -> list[dict[str, Any]]:
    """Rows of one question each under C and H; None is a row not yet delivered."""
    return [
        {
            "question_id": f"q{n}",
            "design": design,
            "right": right,
            "total_tokens": None if right is None else 10 + n,
        }
        | ({"status": "pending"} if right is None else {})
        for design, answers in (("C", right_c), ("H", right_h))
        for n, right in enumerate(answers)
    ]


def one(table: pl.DataFrame) -> dict[str, Any]:
    """Return the table's only row."""
    assert table.height == 1
    return table.row(0, named=True)
