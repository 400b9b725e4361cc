"""Any labelled table becomes rows; what does not fit is skipped or named, never guessed."""

from __future__ import annotations

import csv
import io
import json
import os
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from pyarrow import parquet

from judgeray.core.errors import BadInputError
from judgeray.datasets.registry import load
from judgeray.datasets.source import DatasetSource
from judgeray.datasets.table import digest
from judgeray.rows import LABELS, Row, Skip

Record = dict[str, Any]
BIG_ID = -9223372036854775807


def record(**changes: Any) -> Record:
    """Build one record with the columns named like the fields of a row."""
    return {"question": "Q", "reference": "R", "candidate": "C", "label": "supported", **changes}


def write_csv(path: Path, records: list[Record]) -> None:
    """Write records as CSV, None as an empty cell."""
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, list(records[0]), quoting=csv.QUOTE_ALL)
    writer.writeheader()
    writer.writerows(records)
    path.write_text(text.getvalue(), "utf-8", newline="")


def write_json(path: Path, records: list[Record]) -> None:
    """Write records as a JSON list."""
    path.write_text(json.dumps(records), "utf-8")


def write_lines(path: Path, records: list[Record]) -> None:
    """Write records as JSON Lines."""
    path.write_text("".join(json.dumps(item) + "\n" for item in records), "utf-8")


def write_parquet(path: Path, records: list[Record]) -> None:
    """Write records as Parquet."""
    parquet.write_table(pa.Table.from_pylist(records), path)


WRITERS: dict[str, Callable[[Path, list[Record]], None]] = {
    "t.csv": write_csv,
    "t.json": write_json,
    "t.jsonl": write_lines,
    "t.ndjson": write_lines,
    "t.parquet": write_parquet,
}
every_format = pytest.mark.parametrize("name", WRITERS)


def loaded(path: Path | str, **columns: str) -> list[Row | Skip]:
    """Load a table completely."""
    return list(load(DatasetSource("data", "table", str(path), columns=columns)))


def only_row(path: Path, **columns: str) -> Row:
    """Load a table of one row."""
    (item,) = loaded(path, **columns)
    assert isinstance(item, Row)
    return item


@every_format
def test_all_columns(tmp_path: Path, name: str) -> None:
    """Columns named like row fields fill them; an own row id is kept as it is."""
    full = record(question_id="q", row_id="r", variant="v", complexity=3, other_reference=" R2 ")
    WRITERS[name](tmp_path / name, [full])
    assert only_row(tmp_path / name) == Row("data", "q", "r", "v", "supported", "Q", "R", "C", 3, " R2 ")


@every_format
def test_named_columns(tmp_path: Path, name: str) -> None:
    """`columns` maps row fields to columns of any name, two fields to one column too."""
    WRITERS[name](tmp_path / name, [{"Frage, die": "Q", "gold": "R", "judgement": "unsupported", "no": BIG_ID}])
    names = {"question": "Frage, die", "reference": "gold", "candidate": "gold", "label": "judgement"}
    row = only_row(tmp_path / name, **names, question_id="no")
    assert (row.question, row.reference, row.candidate, row.label) == ("Q", "R", "R", "unsupported")
    assert row.question_id == str(BIG_ID)


@every_format
def test_ids_of_numbers(tmp_path: Path, name: str) -> None:
    """Whole numbers become the same digits, negative and beyond 2^53 too; texts keep leading zeros."""
    WRITERS[name](tmp_path / name, [record(question_id=BIG_ID, row_id=2**53 + 1, variant="007")])
    row = only_row(tmp_path / name)
    assert (row.question_id, row.row_id, row.variant) == (str(BIG_ID), "9007199254740993", "007")


@every_format
def test_no_ids(tmp_path: Path, name: str) -> None:
    """Without ids, rows of one question text share an id and are numbered from 1 within it."""
    WRITERS[name](tmp_path / name, [record(), record(question="other"), record()])
    rows = loaded(tmp_path / name)
    one, two = digest("Q"), digest("other")
    assert [row.question_id for row in rows] == [one, two, one]
    assert [row.row_id for row in rows if isinstance(row, Row)] == [
        f"data:{one}:1",
        f"data:{two}:1",
        f"data:{one}:2",
    ]


@every_format
def test_row_id_from_variant(tmp_path: Path, name: str) -> None:
    """With a variant, the row id is dataset, question and variant."""
    WRITERS[name](tmp_path / name, [record(question_id="q", variant="neg")])
    assert only_row(tmp_path / name).row_id == "data:q:neg"


@pytest.mark.parametrize("name", ["t.json", "t.jsonl", "t.parquet"])
def test_null_texts_are_skipped(tmp_path: Path, name: str) -> None:
    """A row with a null that a row cannot do without is skipped, naming row and field."""
    rows = [record(question_id="a"), record(question_id="b", candidate=None), record(question_id=None)]
    WRITERS[name](tmp_path / name, rows)
    _, second, third = loaded(tmp_path / name)
    assert second == Skip("data", "b", "row 2: no candidate")
    assert third == Skip("data", "row 3", "row 3: no question_id")


@every_format
def test_empty_cells(tmp_path: Path, name: str) -> None:
    """An empty label or id is missing, an empty text is a text, an empty complexity is unknown."""
    rows = [
        record(question_id="a", candidate="", reference="", complexity=""),
        record(question_id="b", label="", complexity="1"),
        record(question_id="", complexity="1"),
    ]
    WRITERS[name](tmp_path / name, rows)
    first, second, third = loaded(tmp_path / name)
    assert isinstance(first, Row)
    assert (first.candidate, first.reference, first.complexity) == ("", "", None)
    assert second == Skip("data", "b", "row 2: no label")
    assert third == Skip("data", "row 3", "row 3: no question_id")


@every_format
def test_second_reference(tmp_path: Path, name: str) -> None:
    """A second reference is optional row by row: null, empty and blank cells have none."""
    cells = ["R2", "", "\u00a0", None, "7"]
    WRITERS[name](tmp_path / name, [record(gold2=cell) for cell in cells])
    rows = [item for item in loaded(tmp_path / name, other_reference="gold2") if isinstance(item, Row)]
    assert [row.other_reference for row in rows] == ["R2", None, None, None, "7"]
    assert [row.other_reference for row in loaded(tmp_path / name) if isinstance(row, Row)] == [None] * 5


@every_format
def test_unknown_label(tmp_path: Path, name: str) -> None:
    """A label outside the list stops the load: file, row, column, value found, values allowed."""
    rows = [{**record(), "gold": label} for label in ("supported", "Supported")]
    WRITERS[name](tmp_path / name, rows)
    expected = rf"{name}: row 2: gold: found 'Supported', allowed: {', '.join(sorted(LABELS))}"
    with pytest.raises(BadInputError, match=expected):
        loaded(tmp_path / name, label="gold")


@every_format
def test_missing_column(tmp_path: Path, name: str) -> None:
    """A column that is named but not there, and an obligatory one that is not there, are told apart by name."""
    WRITERS[name](tmp_path / name, [record()])
    with pytest.raises(BadInputError, match=rf"{name}: no column 'qid' for 'question_id'; found question, ref"):
        loaded(tmp_path / name, question_id="qid")
    WRITERS[name](tmp_path / name, [{"prompt": "Q", "label": "supported"}])
    with pytest.raises(BadInputError, match=rf"{name}: no column 'question' for 'question'; found prompt, label"):
        loaded(tmp_path / name)


def test_unknown_field(tmp_path: Path) -> None:
    """A name under `columns` that is no row field is refused with the fields there are."""
    write_csv(tmp_path / "t.csv", [record()])
    with pytest.raises(BadInputError, match="columns: found 'answer', allowed: candidate, complexity"):
        loaded(tmp_path / "t.csv", answer="candidate")


@pytest.mark.parametrize(
    ("field", "value", "expected"),
    [
        ("candidate", 1.5, "text"),
        ("other_reference", 1.5, "text"),
        ("question_id", 1e18, "text"),
        ("row_id", True, "text"),
        ("question", ["Q"], "text"),
        ("label", 1.0, "text"),
        ("complexity", "many", "a whole number"),
        ("complexity", 2.5, "a whole number"),
        ("complexity", -1, "a whole number"),
        ("complexity", 2**63, "a whole number"),
        ("complexity", float("nan"), "a whole number"),
        ("complexity", "9" * 50, "a whole number"),
    ],
)
def test_misfit(tmp_path: Path, field: str, value: object, expected: str) -> None:
    """A cell of the wrong kind is refused: row, column, value found, what is expected. Floats are no ids."""
    write_lines(tmp_path / "t.jsonl", [record(**{field: value})])
    with pytest.raises(BadInputError, match=rf"t\.jsonl: row 1: {field}: found .*, expected {expected}"):
        loaded(tmp_path / "t.jsonl")


@pytest.mark.parametrize(("value", "expected"), [(4, 4), (4.0, 4), ("4", 4), ("0", 0), (None, None), ("", None)])
def test_complexity(tmp_path: Path, value: object, expected: int | None) -> None:
    """Complexity is a whole number however it is written, or unknown."""
    write_lines(tmp_path / "t.jsonl", [record(complexity=value)])
    assert only_row(tmp_path / "t.jsonl").complexity == expected


def test_whole_numbers_as_texts(tmp_path: Path) -> None:
    """A number as answer is the text of its digits."""
    write_parquet(tmp_path / "t.parquet", [record(reference=1969, candidate=-3)])
    row = only_row(tmp_path / "t.parquet")
    assert (row.reference, row.candidate) == ("1969", "-3")


def test_late_column(tmp_path: Path) -> None:
    """A column that turns up only after the first records is refused, since ids would be of two kinds."""
    write_lines(tmp_path / "t.jsonl", [record()] * 100 + [record(question_id="q")])
    with pytest.raises(BadInputError, match=r"row 101: column 'question_id' is missing in the rows before it"):
        loaded(tmp_path / "t.jsonl")


def test_parquet_batches(tmp_path: Path) -> None:
    """Rows keep their order over many batches and row groups."""
    table = pa.Table.from_pylist([record(question_id=n) for n in range(2000)])
    parquet.write_table(table, tmp_path / "t.parquet", row_group_size=700)
    assert [item.question_id for item in loaded(tmp_path / "t.parquet")] == [str(n) for n in range(2000)]


def test_glob_is_one_table(tmp_path: Path) -> None:
    """Files of a glob are one dataset: numbering goes on, empty shards are allowed, messages name the file."""
    write_csv(tmp_path / "a.csv", [record()])
    write_lines(tmp_path / "b.jsonl", [record()])
    parquet.write_table(pa.table({"other": pa.array([], pa.string())}), tmp_path / "c.parquet")
    one = digest("Q")
    rows = [item for item in loaded(tmp_path / "*") if isinstance(item, Row)]
    assert [row.row_id for row in rows] == [f"data:{one}:1", f"data:{one}:2"]
    write_lines(tmp_path / "d.jsonl", [record(label="x")])
    with pytest.raises(BadInputError, match=r"d\.jsonl: row 1: label"):
        loaded(tmp_path / "*")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("t.csv", b"question,reference,candidate,label\n", "holds no rows"),
        ("t.json", b"[]", "holds no rows"),
        ("t.json", b"[1]", "no column 'question' for 'question'; found no fields"),
        ("t.jsonl", json.dumps(record()).encode() + b"\n[2]\n", "row 2: found list, expected an object"),
        ("t.jsonl", b"\n", "holds no rows"),
        ("t.parquet", b"", "no Parquet file"),
        ("t.parquet", b"PAR1" + b"x" * 20, "no Parquet file"),
        ("t.xlsx", b"x", r"file name ending: found '\.xlsx', allowed: \.csv, \.json, \.jsonl, \.ndjson, \.parquet"),
    ],
)
def test_no_table(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    """A file that is no table, or an empty one, is refused by name."""
    (tmp_path / name).write_bytes(content)
    with pytest.raises(BadInputError, match=f"{name}.*{message}"):
        loaded(tmp_path / name)


def test_damaged_parquet(tmp_path: Path) -> None:
    """A Parquet file with damaged pages gives one message that names it."""
    path = tmp_path / "t.parquet"
    write_parquet(path, [record(question=f"Q{n}") for n in range(50)])
    content = bytearray(path.read_bytes())
    content[4:200] = bytes(196)
    path.write_bytes(content)
    with pytest.raises(BadInputError, match=r"t\.parquet"):
        loaded(path)


texts = st.text(st.characters(exclude_categories=()))
encodable = st.text()
QUICK = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def round_trip(path: Path, cells: list[tuple[str, str, str]]) -> None:
    """Write (question, reference, candidate) and expect them back, character by character."""
    records = [record(question=q, reference=r, candidate=c, row_id=f"r{n}") for n, (q, r, c) in enumerate(cells)]
    WRITERS[path.name](path, records)
    rows = [item for item in loaded(path) if isinstance(item, Row)]
    assert [(row.question, row.reference, row.candidate) for row in rows] == cells


@every_format
@QUICK
@given(cells=st.lists(st.tuples(encodable, encodable, encodable), min_size=1, max_size=4))
def test_any_text(tmp_path: Path, name: str, cells: list[tuple[str, str, str]]) -> None:
    """Every format gives back any text that it can carry, NUL included."""
    round_trip(tmp_path / name, cells)


@pytest.mark.parametrize("name", ["t.json", "t.jsonl"])
@QUICK
@given(cells=st.lists(st.tuples(texts, texts, texts), min_size=1, max_size=3))
def test_lone_surrogates(tmp_path: Path, name: str, cells: list[tuple[str, str, str]]) -> None:
    """JSON carries lone surrogates as escapes, and they come back; ids are made of them without a crash."""
    for text in (text for cell in cells for text in cell):
        assume(text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass") == text)
    round_trip(tmp_path / name, cells)
    assert len(digest("\ud800")) == 16


def test_parquet_is_held_in_parts(tmp_path: Path) -> None:
    """However long a file is, its reader holds some groups of its rows at a time."""
    path = tmp_path / "t.parquet"
    records = [record(question=f"Q{n}", candidate=os.urandom(2_000).hex()) for n in range(3_000)]
    parquet.write_table(pa.Table.from_pylist(records), path, row_group_size=200)
    source = DatasetSource("data", "table", str(path))
    tracemalloc.start()
    try:
        assert sum(isinstance(row, Row) for row in load(source)) == len(records)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < path.stat().st_size / 2
