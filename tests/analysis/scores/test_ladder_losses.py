"""What became of questions, and which answers bear a flag."""

from __future__ import annotations

from typing import Any

import polars as pl
import pyarrow as pa
import pytest

from judgeray.analysis.scores import ladder_flags, ladder_losses
from judgeray.scores import LADDER_SCHEMA


def written(question: str, *flags: list[str] | None, **common: Any) -> list[dict[str, Any]]:
    """Rows of one question: the flags of each level, None where it was not written."""
    base = dict.fromkeys(LADDER_SCHEMA.names) | {"dataset": "d", "question_id": question, "status": "ok"} | common
    return [
        base | {"variant": f"A{level}", "level": level, "flags": found, "text": None if found is None else "text"}
        for level, found in enumerate(flags)
    ]


def frame(*questions: list[dict[str, Any]]) -> pl.DataFrame:
    """Put questions into a frame as a run writes them."""
    rows = [row for question in questions for row in question]
    return pl.DataFrame(pa.Table.from_pylist(rows, schema=LADDER_SCHEMA))


def test_losses_by_hand() -> None:
    """A question counts once, whatever rows it has; reasons may hold colons; shares are of all questions."""
    ladders = frame(
        written("whole", [], []),
        written("first", [], None, lost="perturb A1: no <output>"),
        written("second", [], None, lost="perturb A1: no <output>"),
        written("third", None, None, lost="paraphrase: odd: very odd"),
        written("waits", None, None, status="pending"),
        written("other", [], [], dataset="e"),
    )
    assert ladder_losses(ladders).rows() == [
        ("d", "lost", "paraphrase", "odd: very odd", 1, pytest.approx(0.2)),
        ("d", "lost", "perturb A1", "no <output>", 2, pytest.approx(0.4)),
        ("d", "pending", None, None, 1, pytest.approx(0.2)),
        ("d", "whole", None, None, 1, pytest.approx(0.2)),
        ("e", "whole", None, None, 1, 1.0),
    ]
    assert ladder_losses(ladders.reverse()).equals(ladder_losses(ladders))


def test_flags_by_hand() -> None:
    """An answer with two flags counts for both; one that was not written counts for nothing."""
    ladders = frame(
        written("p", ["equals_previous"], ["rest_changed", "term_unchanged"], []),
        written("q", [], ["rest_changed"], None),
        written("r", [], None, None),
    )
    assert ladder_flags(ladders).rows() == [
        ("d", "A0", "equals_previous", 3, 1, pytest.approx(1 / 3)),
        ("d", "A1", "rest_changed", 2, 2, 1.0),
        ("d", "A1", "term_unchanged", 2, 1, 0.5),
        ("d", "A2", None, 1, 0, 0.0),
    ]


def test_nothing_written_has_no_share() -> None:
    """A level that was never reached is shown, with no answer and no share."""
    assert ladder_flags(frame(written("p", [], None))).rows() == [
        ("d", "A0", None, 1, 0, 0.0), ("d", "A1", None, 0, 0, None),
    ]  # fmt: skip
    assert ladder_flags(frame()).is_empty()
    assert ladder_losses(frame()).schema == ladder_losses(frame(written("p", []))).schema
