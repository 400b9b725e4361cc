"""ASQA becomes pairs of long answer and first half of the sub-questions, from three layouts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from judgeray.core.errors import BadInputError
from judgeray.datasets.registry import load
from judgeray.datasets.source import DatasetSource
from judgeray.rows import Row, Skip

BIG_ID = "-9223372036854775807"


def loaded(path: Path, content: str, split: str | None = None) -> tuple[list[Row], list[Skip]]:
    """Write a file, load it, and give its rows and its skips."""
    path.write_text(content, "utf-8", newline="")
    items = list(load(DatasetSource("data", "asqa", str(path), split=split)))
    return [item for item in items if isinstance(item, Row)], [item for item in items if isinstance(item, Skip)]


def question(pairs: int = 2, **changes: Any) -> dict[str, Any]:
    """Build one record of the original layout, without id."""
    record: dict[str, Any] = {
        "ambiguous_question": "Who?",
        "qa_pairs": [{"question": f"Who {n}?", "short_answers": [f"A{n}", f"B{n}"]} for n in range(pairs)],
        "annotations": [{"long_answer": " Long one. "}, {"long_answer": "Long two."}],
    }
    return {name: value for name, value in {**record, **changes}.items() if value is not ...}


def as_list(*records: dict[str, Any]) -> str:
    """Write records as a list with ids."""
    return json.dumps([{"id": f"id{n}", **record} for n, record in enumerate(records)])


def test_variants(tmp_path: Path) -> None:
    """`full` is the first long answer verbatim, `partial` the first half of the pairs, joined with blanks."""
    (full, partial), skips = loaded(tmp_path / "a.json", as_list(question(5)))
    assert (full.variant, full.label) == ("full", "supported")
    assert full.candidate == full.reference == partial.reference == " Long one. "
    assert (partial.variant, partial.label) == ("partial", "partially_supported")
    assert partial.candidate == "Who 0? A0 Who 1? A1"
    assert full.complexity == partial.complexity == 5
    assert full.question == "Who?"
    assert full.row_id == "data:id0:full"
    assert skips == []


def test_original_layout(tmp_path: Path) -> None:
    """The original object gives its dev split by default, ids from the keys, kept as text."""
    path, content = tmp_path / "a.json", json.dumps({"train": {"7": question(3)}, "dev": {BIG_ID: question(2)}})
    assert {row.question_id for row in loaded(path, content)[0]} == {BIG_ID}
    assert {row.question_id for row in loaded(path, content, split="train")[0]} == {"7"}


def test_alce_layout(tmp_path: Path) -> None:
    """ALCE's list has `sample_id`, `question`, `answer` and documents, and may lack annotations."""
    record = question(2, ambiguous_question=..., annotations=..., question="Who?", answer="Long.", docs=[{}])
    rows, _ = loaded(tmp_path / "a.json", json.dumps([{"sample_id": BIG_ID, **record}]))
    assert [(row.question_id, row.question, row.reference) for row in rows] == [(BIG_ID, "Who?", "Long.")] * 2


def test_annotations_come_before_answer(tmp_path: Path) -> None:
    """Where a record has both, the first annotation is the reference."""
    rows, _ = loaded(tmp_path / "a.json", as_list(question(2, answer="Other.")))
    assert rows[0].reference == " Long one. "


def test_second_reference(tmp_path: Path) -> None:
    """The second of several annotations gives both rows their second reference, verbatim."""
    record = question(annotations=[{"long_answer": text} for text in ("One.", " Two. ", "Three.")])
    rows, _ = loaded(tmp_path / "a.json", as_list(record))
    assert [(row.reference, row.other_reference) for row in rows] == [("One.", " Two. ")] * 2


@pytest.mark.parametrize(
    "annotations",
    [
        ...,
        [{"long_answer": "One."}],
        *([{"long_answer": "One."}, second] for second in (None, "Two.", {}, {"long_answer": None})),
        *([{"long_answer": "One."}, {"long_answer": text}] for text in ("", " \n", 7, ["Two."])),
    ],
)
def test_no_second_reference(tmp_path: Path, annotations: object) -> None:
    """Without a second annotation that holds text there is no second reference, and the question stays."""
    rows, skips = loaded(tmp_path / "a.json", as_list(question(annotations=annotations, answer="One.")))
    assert [(row.reference, row.other_reference) for row in rows] == [("One.", None)] * 2
    assert skips == []


def test_ids_of_numbers(tmp_path: Path) -> None:
    """Ids written as numbers keep every digit beyond 2^53."""
    text = as_list(question()).replace('"id0"', BIG_ID)
    assert loaded(tmp_path / "a.json", text)[0][0].question_id == BIG_ID


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        (question(1), "fewer than two qa_pairs: 1"),
        (question(0), "fewer than two qa_pairs: 0"),
        (question(qa_pairs=None), "lacks 'qa_pairs'"),
        (question(qa_pairs={}), "'qa_pairs' is no list"),
        (question(qa_pairs=["x", "y"]), "qa_pair is no object"),
        (question(qa_pairs=[{"question": "Q", "short_answers": []}] * 2), "lacks 'short answer'"),
        (question(qa_pairs=[{"question": "Q", "short_answers": [" "]}] * 2), "'short answer' is empty"),
        (question(qa_pairs=[{"short_answers": ["A"]}] * 2), "lacks 'question'"),
        (question(ambiguous_question=7), "'ambiguous_question' is no text"),
        (question(annotations=[{"long_answer": "\n"}]), "'long_answer' is empty"),
        (question(annotations=[]), "lacks 'answer'"),
        (question(annotations=[{"long_answer": "Who 0? A0"}]), "the partial candidate equals the reference"),
    ],
)
def test_skips(tmp_path: Path, record: dict[str, Any], reason: str) -> None:
    """A question that gives no pair is skipped with its reason, and the others stay."""
    rows, skips = loaded(tmp_path / "a.json", as_list(record, question()))
    assert [(skip.question_id, skip.reason) for skip in skips] == [("id0", reason)]
    assert {row.question_id for row in rows} == {"id1"}


def test_unused_pairs_may_be_odd(tmp_path: Path) -> None:
    """An odd pair in the second half, which no candidate uses, does not cost the question."""
    pairs = [{"question": "Q", "short_answers": ["A"]}, {}]
    rows, skips = loaded(tmp_path / "a.json", as_list(question(qa_pairs=pairs)))
    assert (len(rows), skips) == (2, [])


@pytest.mark.parametrize("identity", [None, True, 1.5, "", []])
def test_no_id(tmp_path: Path, identity: object) -> None:
    """A record without a usable id is skipped under its place in the file."""
    records = [{"id": identity, **question()}, {"id": "x", **question()}]
    rows, skips = loaded(tmp_path / "a.json", json.dumps(records))
    assert [skip.question_id for skip in skips] == ["record 1"]
    assert len(rows) == 2


def test_record_that_is_no_object(tmp_path: Path) -> None:
    """Anything but an object in the list is skipped."""
    _, skips = loaded(tmp_path / "a.json", json.dumps([3, {"id": "x", **question()}]))
    assert [(skip.question_id, skip.reason) for skip in skips] == [("record 1", "record is no object")]


@pytest.mark.parametrize(
    ("content", "split", "message"),
    [
        ({"train": {}}, None, r"no object 'dev'.*has: train"),
        ({"dev": {"1": question()}}, "test", r"no object 'test'.*has: dev"),
        ({"dev": [question()]}, None, "no object 'dev'"),
        ("text", None, "no object 'dev'"),
        ([question()], "dev", "a list without splits"),
        ({"dev": {}}, None, "found no fields"),
        ([], None, "found no fields"),
        ([{"question": "Q", "answers": []}], None, r"found question, answers.*missing id or sample_id"),
    ],
)
def test_other_layout(tmp_path: Path, content: object, split: str | None, message: str) -> None:
    """A file of another layout is refused, naming the file, what was found and what is expected."""
    with pytest.raises(BadInputError, match=rf"a\.json.*{message}"):
        loaded(tmp_path / "a.json", json.dumps(content), split=split)
