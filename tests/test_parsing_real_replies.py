"""The reading ladder on real replies of judges, with other keys and labels than ours."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from judgeray.parsing import Branch, read_label

RELEVANCE = ("0", "1", "2", "3")
PREFERENCE = ("A>>B", "A>B", "A=B", "B>A", "B>>A")


def _records(path: Path) -> list[dict[str, Any]]:
    text = path.read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()] if path.suffix == ".jsonl" else json.loads(text)


@pytest.fixture(scope="module")
def replies(data_folder: Path) -> Path:
    """Folder of the raw replies."""
    return data_folder / "judge_outputs"


def test_relevance(replies: Path) -> None:
    """Objects, lists of one object, bracketed prose, echoes and empty replies give what their owners found."""
    branches: Counter[Branch | None] = Counter()
    for record in _records(replies / "odd_shapes.extract.jsonl"):
        readings = [read_label(record["response"], key, RELEVANCE) for key in ("M", "relevance category")]
        stated = [reading for reading in readings if reading.label is not None]
        expected = record["M_score"] or record["O_score"]
        assert [reading.label for reading in stated] == ([expected] if expected in RELEVANCE else [])
        branches.update(reading.branch for reading in stated)
    assert branches == {"embedded": 60, "whole": 18, "regex": 14}


@pytest.mark.parametrize(
    ("place", "label"),
    [(0, "1"), (1, None), (19, "1"), (28, None), (29, "3"), (33, "2"), (37, "0"), (56, "1"), (112, "1")],
)
def test_relevance_by_hand(replies: Path, place: int, label: str | None) -> None:
    """Replies read by eye, one of each odd shape, are read the same by the ladder."""
    text = _records(replies / "odd_shapes.extract.jsonl")[place]["response"]
    found = {read_label(text, key, RELEVANCE).label for key in ("M", "relevance category")} - {None}
    assert found == ({label} if label else set())


def test_preference_objects(replies: Path) -> None:
    """Pairwise replies in JSON state what a person reads in them, and their prompts state nothing."""
    records = _records(replies / "1-2.pairwise.gpt-3.5-turbo.json")
    readings = [read_label(record["result"], "preference", ("A", "B", "same")) for record in records]
    assert [reading.label for reading in readings] == ["A", "A", "A", "A", "B", "B"]
    assert all(reading.branch == "whole" and [*reading.fields] == ["reason"] for reading in readings)
    assert all(read_label(record["prompt"], "preference", ("A", "B", "same")).label is None for record in records)


@pytest.mark.parametrize("key", ["score", "factuality"])
def test_nested_scores(replies: Path, key: str) -> None:
    """A score nested in an aspect is not the score of the whole, and an aspect's object is no label."""
    for record in _records(replies / "0.score_multi.gpt-4.json"):
        assert read_label(record["result"], key, ("1", "2", "3", "4", "5")).label is None


def test_preference_prose(replies: Path) -> None:
    """Where prose is read at all, it is read as its owners read it; no plain statement, no reading."""
    judged = [
        (read_label(item["judgment"]["response"], "verdict", PREFERENCE).label, item["decision"])
        for record in _records(replies / "judgebench_first120.jsonl")
        for item in record["judgments"]
    ]
    read = [(label.replace(">>", ">"), decision) for label, decision in judged if label]
    assert (len(judged), len(read)) == (240, 89)
    assert all(label == decision for label, decision in read)


@pytest.mark.parametrize(
    ("place", "turn", "label"),
    [
        (0, 0, None),
        (0, 1, "A=B"),
        (7, 0, None),
        (14, 1, None),
        (35, 0, None),
        (35, 1, "A=B"),
        (42, 0, None),
        (42, 1, "B>A"),
        (49, 1, "B>A"),
        (63, 1, None),
        (70, 0, None),
        (91, 1, "B>A"),
        (98, 0, "B>A"),
        (98, 1, "A>B"),
        (105, 0, None),
        (112, 0, "A>B"),
    ],
)
def test_preference_by_hand(replies: Path, place: int, turn: int, label: str | None) -> None:
    """Verdicts in double brackets count when the statement is nothing but the verdict."""
    record = _records(replies / "judgebench_first120.jsonl")[place]
    assert read_label(record["judgments"][turn]["judgment"]["response"], "verdict", PREFERENCE).label == label
