"""Verdicts written as letters: the rows of one arm, one letter a row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

Rows = list[dict[str, Any]]

_VERDICTS = {"s": "supported", "p": "partially_supported", "u": "unsupported", "1": "first", "2": "second"}
_SILENT = {"-": "unparsed", "?": "pending"}


def told(
    verdicts: str, labels: str = "", scores: Sequence[float | None] = (), rows_a_question: int = 1, **arm: Any
) -> Rows:
    """Spell rows out: s, p, u, 1, 2 are verdicts, - is unparsed, ? pending, and a blank no row.

    Labels are supported unless given.
    """
    rows: Rows = []
    for number, letter in enumerate(verdicts):
        if letter == " ":
            continue
        ids = {"question_id": f"q{number // rows_a_question:03d}", "row_id": f"r{number:03d}"}
        outcome = {"verdict": _VERDICTS.get(letter), "status": _SILENT.get(letter, "ok")}
        label = {"label": _VERDICTS[labels[number] if labels else "s"]}
        rows.append({**ids, **outcome, **label, "score": scores[number] if scores else None, **arm})
    return rows
