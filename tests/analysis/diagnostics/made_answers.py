"""Logs of judged answers that models wrote, for tests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import polars as pl
import pyarrow as pa

from judgeray.verdicts import TEXT_SCHEMA

LABELS = {"full": "supported", "partial": "partially_supported"}
OTHERS = {"full": "partially_supported", "partial": "supported"}


def answer_row(question: int, generator: str, length: str, right: bool | None, **more: Any) -> dict[str, Any]:
    """One verdict row, for `make_log`; `right` None is a reply without a verdict."""
    verdict = {True: LABELS[length], False: OTHERS[length], None: None}[right]
    name = f"q{question:02d}"
    row = {
        "dataset": "asqa.generated",
        "question_id": name,
        "row_id": f"asqa.generated:{name}:{generator}.{length}",
        "variant": f"{generator}.{length}",
        "label": LABELS[length],
        "design": "H",
        "verdict": verdict,
        "status": "unparsed" if verdict is None else "ok",
    }
    return row | more


def text_rows(
    generators: Iterable[str], questions: int, identical: Mapping[str, int], /, **more: Any
) -> pl.DataFrame:
    """Texts of generators; the first so many partials of each are the whole text plus a period."""
    rows = [
        {
            "dataset": "asqa",
            "question_id": f"q{question:02d}",
            "text_id": f"asqa:q{question:02d}:{generator}",
            "writer": "answer v1",
            "generator": generator,
            "status": "ok",
            "text": "One. Two. Three.",
            "partial": "One.",
            "identical": question < identical.get(generator, 0),
        }
        | more
        for generator in generators
        for question in range(questions)
    ]
    return pl.DataFrame(pa.Table.from_pylist(rows, schema=TEXT_SCHEMA))
