"""Questions with gold answers are loaded from tables and benchmarks; what does not fit is skipped or named."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

from judgeray.core.errors import BadInputError
from judgeray.datasets.questions import NAMES, load_questions
from judgeray.datasets.source import DatasetSource
from judgeray.datasets.table import digest
from judgeray.questions import Question
from judgeray.rows import Skip

Records = list[dict[str, Any]]


def write_csv(path: Path, records: Records) -> None:
    """Write records as CSV, None as an empty cell."""
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(records[0]))
        writer.writeheader()
        writer.writerows(records)


def write_json(path: Path, records: Records) -> None:
    """Write records as a JSON list."""
    path.write_text(json.dumps(records), "utf-8")


def write_lines(path: Path, records: Records) -> None:
    """Write records as JSON Lines."""
    path.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")


def write_parquet(path: Path, records: Records) -> None:
    """Write records as Parquet."""
    parquet.write_table(pa.Table.from_pylist(records), path)


WRITERS: dict[str, Callable[[Path, Records], None]] = {
    "q.csv": write_csv,
    "q.json": write_json,
    "q.jsonl": write_lines,
    "q.parquet": write_parquet,
}
every_format = pytest.mark.parametrize("name", WRITERS)


def loaded(path: Path | str, layout: str = "table", questions: int | None = None, **columns: str) -> list[Any]:
    """Load all questions of a source."""
    return list(load_questions(DatasetSource("data", layout, str(path), questions, columns=columns)))


@every_format
@pytest.mark.parametrize("reference", NAMES["reference"])
@pytest.mark.parametrize("question_id", NAMES["question_id"])
def test_columns_have_aliases(tmp_path: Path, name: str, reference: str, question_id: str) -> None:
    """A reference and an id are found under each of their names; other columns are passed over."""
    WRITERS[name](tmp_path / name, [{"question": "Q", reference: " R ", question_id: 7, "candidate": "C"}])
    assert loaded(tmp_path / name) == [Question("data", "7", "Q", " R ")]


@every_format
def test_question_without_id_is_named_by_its_text(tmp_path: Path, name: str) -> None:
    """The id is the digest that tables of rows use as well."""
    WRITERS[name](tmp_path / name, [{"question": "Q", "answer": "R"}])
    assert loaded(tmp_path / name) == [Question("data", digest("Q"), "Q", "R")]


@every_format
def test_columns_can_be_named(tmp_path: Path, name: str) -> None:
    """A mapping goes before the aliases, and one column may serve two fields."""
    WRITERS[name](tmp_path / name, [{"asked": "Q", "gold": "G", "reference": "R", "no": 1}])
    found = loaded(tmp_path / name, question="asked", reference="gold", question_id="asked")
    assert found == [Question("data", "Q", "Q", "G")]


@every_format
def test_blank_texts_are_skipped(tmp_path: Path, name: str) -> None:
    """A question or reference that is missing or blank is skipped with its reason; the others stay."""
    records: Records = [
        {"id": "a", "question": "Q1", "reference": " "},
        {"id": "b", "question": None, "reference": "R"},
        {"id": None, "question": "Q3", "reference": None},
        {"id": "d", "question": "Q4", "reference": "R"},
    ]
    WRITERS[name](tmp_path / name, records)
    assert loaded(tmp_path / name) == [
        Skip("data", "a", "row 1: no reference"),
        Skip("data", "b", "row 2: no question"),
        Skip("data", "row 3", "row 3: no reference, question_id"),
        Question("data", "d", "Q4", "R"),
    ]


def test_one_question_has_one_reference(tmp_path: Path) -> None:
    """A repeated record is passed over; another text under the same id is skipped, never silently taken."""
    records = [{"id": 1, "question": "Q", "answer": answer} for answer in ("R", "R", "S", "S", "R")]
    write_lines(tmp_path / "q.jsonl", records)
    skip = Skip("data", "1", "a question of this id came before, with other texts")
    assert loaded(tmp_path / "q.jsonl") == [Question("data", "1", "Q", "R"), skip]


def test_labelled_table_gives_its_questions(tmp_path: Path) -> None:
    """A table with a row per candidate is read for its questions."""
    rows = [{"question": f"Q{n // 2}", "reference": f"R{n // 2}", "candidate": "C", "label": "x"} for n in range(6)]
    write_lines(tmp_path / "q.jsonl", rows)
    assert [found.question for found in loaded(tmp_path / "q.jsonl")] == ["Q0", "Q1", "Q2"]


@pytest.mark.parametrize(("limit", "expected"), [(1, ["a"]), (2, ["a", "skip", "c"]), (9, ["a", "skip", "c"])])
def test_limit_counts_questions(tmp_path: Path, limit: int, expected: list[str]) -> None:
    """The first so many questions are kept; a skipped one does not count."""
    records = [{"id": "a", "question": "Q", "answer": "R"}, {"id": "skip", "question": "Q", "answer": ""}]
    write_lines(tmp_path / "q.jsonl", [*records, {"id": "c", "question": "Q", "answer": "R"}])
    assert [item.question_id for item in loaded(tmp_path / "q.jsonl", questions=limit)] == expected


@pytest.mark.parametrize(
    ("records", "columns", "message"),
    [
        ([{"question": "Q"}], {}, r"q\.jsonl: no column 'reference or ground_truth or answer' for 'reference'"),
        ([{"answer": "R"}], {}, r"no column 'question' for 'question'; found answer"),
        ([{"question": "Q", "answer": "R"}], {"question_id": "no"}, "no column 'no' for 'question_id'"),
        (
            [{"question": "Q", "answer": "R"}],
            {"candidate": "answer"},
            r"dataset 'data': columns: found 'candidate'",
        ),
        ([{"question": 1.5, "answer": "R"}], {}, r"row 1: question: found 1\.5, expected text"),
        ([{"question": "Q", "answer": ["R"]}], {}, r"row 1: answer: found .*, expected text"),
        ([], {}, "is empty"),
    ],
)
def test_odd_tables_are_refused(tmp_path: Path, records: Records, columns: dict[str, Any], message: str) -> None:
    """A file without the columns, a wrong mapping and a cell of another type are named."""
    write_lines(tmp_path / "q.jsonl", records)
    with pytest.raises(BadInputError, match=message):
        loaded(tmp_path / "q.jsonl", **columns)


def test_empty_list_holds_no_questions(tmp_path: Path) -> None:
    """A file without records is refused."""
    (tmp_path / "q.json").write_text("[]")
    with pytest.raises(BadInputError, match="holds no questions"):
        loaded(tmp_path / "q.json")


def test_wrong_source_is_refused_at_once(tmp_path: Path) -> None:
    """Unknown layouts and missing files are told before the first question is read."""
    with pytest.raises(BadInputError, match="layout: found 'tables'"):
        load_questions(DatasetSource("data", "tables", "q.json"))
    with pytest.raises(BadInputError, match="no file at"):
        load_questions(DatasetSource("data", "table", str(tmp_path / "no.json")))
    with pytest.raises(BadInputError, match="only layout 'table' has columns"):
        load_questions(DatasetSource("data", "asqa", "q.json", columns={"question": "q"}))


@pytest.mark.parametrize("layout", ["truthfulqa", "asqa", "qampari"])
def test_benchmarks_give_the_first_row_of_each_question(layout: str) -> None:
    """Every question of a benchmark comes once, with the reference that its rows have."""
    found = loaded(f"sample:{layout}", layout)
    questions = [item for item in found if isinstance(item, Question)]
    assert len(questions) > 20
    assert len({question.question_id for question in questions}) == len(questions)
    assert [item.question_id for item in loaded(f"sample:{layout}", layout, 3)] == [
        item.question_id for item in questions[:3]
    ]


def test_gold_questions_of_study_2(data_folder: Path) -> None:
    """The paper's file of 100 questions loads as it is, and its 100 long answers are kept verbatim."""
    found = loaded(data_folder / "nq" / "gold-dataset.json")
    assert len(found) == 100
    assert len({question.question_id for question in found}) == 100
    assert found[0].question == "what do the 3 dots mean in math?"
    assert all(isinstance(question, Question) and len(question.reference) > 200 for question in found)


@pytest.mark.parametrize(
    ("layout", "file", "questions"),
    [
        ("truthfulqa", "truthfulqa/v1/TruthfulQA.csv", 817),
        ("asqa", "asqa/asqa_dev.json", 948),
        ("qampari", "qampari/qampari.json", 995),
    ],
)
def test_benchmark_files_give_their_questions(data_folder: Path, layout: str, file: str, questions: int) -> None:
    """The public files give each of their questions once."""
    assert sum(isinstance(item, Question) for item in loaded(data_folder / file, layout)) == questions
