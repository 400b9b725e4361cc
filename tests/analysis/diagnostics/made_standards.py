"""Labels and verdicts for tests of label standards."""

from __future__ import annotations

from typing import Any

import polars as pl

from judgeray.analysis.diagnostics.standards import SCHEMA

S, P, U = "supported", "partially_supported", "unsupported"


def standards_frame(labels: dict[str, dict[str, str]], dataset: str = "d") -> pl.DataFrame:
    """Standards by name and row; the question is what stands before the row's colon."""
    rows = [
        (standard, row, dataset, row.partition(":")[0], None, label)
        for standard, given in labels.items()
        for row, label in given.items()
    ]
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")


def verdict_rows(
    design: str, verdicts: dict[str, str | None], labels: dict[str, str], **more: Any
) -> list[dict[str, Any]]:
    """Rows for `make_log`, one a row id."""
    return [
        {"question_id": row.partition(":")[0], "row_id": row, "label": labels[row], "design": design,
         "verdict": verdict, "status": "unparsed" if verdict is None else "ok"} | more
        for row, verdict in verdicts.items()
    ]  # fmt: skip
