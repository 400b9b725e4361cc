"""QAMPARI becomes pairs of answer list and its first half, from three layouts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from judgeray.core.errors import BadInputError
from judgeray.datasets.registry import load
from judgeray.datasets.source import DatasetSource
from judgeray.rows import Row, Skip

ANSWERS = ["One, with comma", " two\nlines ", "Three", "Four", "Five"]


def loaded(path: Path, content: str) -> tuple[list[Row], list[Skip]]:
    """Write a file, load it, and give its rows and its skips."""
    path.write_text(content, "utf-8", newline="")
    items = list(load(DatasetSource("data", "qampari", str(path))))
    return [item for item in items if isinstance(item, Row)], [item for item in items if isinstance(item, Skip)]


def original(answers: list[str], qid: str = "q") -> dict[str, Any]:
    """Build one record of the original layout."""
    listed = [{"answer_text": answer, "aliases": [answer, "alias"], "aid": "a"} for answer in answers]
    return {"question_text": "Which?", "qid": qid, "answer_list": listed}


def listed(answers: list[Any], qid: str = "q") -> dict[str, Any]:
    """Build one record of the list layout."""
    return {"id": qid, "question": "Which?", "answers": answers, "answer": "joined."}


def lines(*records: object) -> str:
    """Write records as JSON Lines."""
    return "".join(json.dumps(record) + "\n" for record in records)


def test_variants(tmp_path: Path) -> None:
    """`full` joins all main answers verbatim, `partial` the first n // 2 of them."""
    (full, partial), skips = loaded(tmp_path / "q.jsonl", lines(original(ANSWERS)))
    assert (
        full.candidate == full.reference == partial.reference == "One, with comma,  two\nlines , Three, Four, Five"
    )
    assert partial.candidate == "One, with comma,  two\nlines "
    assert (full.variant, full.label) == ("full", "supported")
    assert (partial.variant, partial.label) == ("partial", "partially_supported")
    assert (full.complexity, full.question, full.row_id) == (5, "Which?", "data:q:full")
    assert skips == []


def test_layouts_agree(tmp_path: Path) -> None:
    """Original lines, a list, and ALCE's list with documents give the same rows."""
    aliased = [[answer, "alias"] for answer in ANSWERS]
    first, _ = loaded(tmp_path / "a.jsonl", lines(original(ANSWERS)))
    second, _ = loaded(tmp_path / "b.json", json.dumps([listed(aliased)]))
    third, _ = loaded(tmp_path / "c.json", json.dumps([{**listed(aliased), "docs": [{}]}], indent=4))
    assert first == second == third


def test_lines_under_any_name(tmp_path: Path) -> None:
    """JSON Lines are known by their content: ending and blank lines do not matter."""
    rows, _ = loaded(tmp_path / "q.json", lines(original(ANSWERS)) + "\n\n" + lines(original(ANSWERS, "r")))
    assert [row.question_id for row in rows] == ["q", "q", "r", "r"]


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        (original([]), "fewer than two answers: 0"),
        (original(["A"]), "fewer than two answers: 1"),
        (original(["A", "B", " "]), "'answer_text' is empty"),
        ({**original(["A", "B"]), "answer_list": ["A", "B"]}, "answer is no object"),
        ({**original(["A", "B"]), "question_text": None}, "lacks 'question_text'"),
        (listed([["A"], [""]]), "'answer' is empty"),
        (listed([["A"], [None]]), "lacks 'answer'"),
        (listed([["A"], []]), "an answer is no list of aliases"),
        (listed(["A", "B"]), "an answer is no list of aliases"),
        ({**listed([]), "answers": "A, B"}, "'answers' is no list"),
    ],
)
def test_skips(tmp_path: Path, record: dict[str, Any], reason: str) -> None:
    """A question that gives no pair is skipped with its reason, and the others stay."""
    rows, skips = loaded(tmp_path / "q.jsonl", lines(record, original(["A", "B"], "good")))
    assert [(skip.question_id, skip.reason) for skip in skips] == [("q", reason)]
    assert {row.question_id for row in rows} == {"good"}


def test_other_layout(tmp_path: Path) -> None:
    """A file of another layout is refused, naming the file, what was found and what is missing."""
    with pytest.raises(BadInputError, match=r"q\.jsonl.*'qampari'.*found id, qa_pairs; missing.*answer_list"):
        loaded(tmp_path / "q.jsonl", lines({"id": 1, "qa_pairs": []}))


def test_single_object(tmp_path: Path) -> None:
    """An object over several lines is neither a list nor JSON Lines, and the message says where it broke."""
    with pytest.raises(BadInputError, match=r"q\.json: line 2, column 1: broken JSON Lines"):
        loaded(tmp_path / "q.json", json.dumps(original(ANSWERS), indent=1))
