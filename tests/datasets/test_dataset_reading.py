"""Text, CSV and JSON files are read exactly, and every defect is named with its line."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from judgeray.core.errors import BadInputError
from judgeray.datasets.files import DataFile, only_file
from judgeray.datasets.reading import csv_records, json_document, json_records, text_lines
from judgeray.datasets.source import DatasetSource

QUICK = settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def file_of(path: Path, content: bytes) -> DataFile:
    """Write bytes and give the file as a loader sees it."""
    path.write_bytes(content)
    return only_file(DatasetSource("data", "table", str(path)))


def test_lines_end_at_newlines_only(tmp_path: Path) -> None:
    """NUL, form feed, U+2028 and lone carriage returns are text, not line ends."""
    text = "a\0\f\u2028\rb\r\nc"
    assert list(text_lines(file_of(tmp_path / "t", text.encode()))) == ["a\0\f\u2028\rb\r\n", "c"]


def test_byte_order_mark_is_dropped_once(tmp_path: Path) -> None:
    """Only the mark at the very beginning is no text."""
    assert list(text_lines(file_of(tmp_path / "t", "\ufeffa\n\ufeffb".encode()))) == ["a\n", "\ufeffb"]


@pytest.mark.parametrize("reader", [text_lines, csv_records, json_records])
def test_not_utf8(tmp_path: Path, reader: Callable[[DataFile], Iterator[object]]) -> None:
    """A byte that is not UTF-8 is named with its line and the file."""
    with pytest.raises(BadInputError, match=r"bad\.csv: line 2 is not UTF-8: found byte 0xff"):
        list(reader(file_of(tmp_path / "bad.csv", b"1\n2\xff\n")))


@pytest.mark.parametrize("reader", [text_lines, csv_records, json_records])
def test_empty(tmp_path: Path, reader: Callable[[DataFile], Iterator[object]]) -> None:
    """A file without bytes is refused by name."""
    with pytest.raises(BadInputError, match=r"dataset 'data', .*none\.csv: is empty"):
        list(reader(file_of(tmp_path / "none.csv", b"")))


@QUICK
@given(st.lists(st.lists(st.text(), min_size=2, max_size=2), max_size=4))
def test_csv_round_trip(tmp_path: Path, rows: list[list[str]]) -> None:
    """Any text that UTF-8 can carry comes back from CSV as it was written."""
    text = io.StringIO(newline="")
    csv.writer(text, quoting=csv.QUOTE_ALL).writerows([["a", "b"], *rows])
    read = csv_records(file_of(tmp_path / "t.csv", text.getvalue().encode()))
    assert [[record["a"], record["b"]] for record in read] == rows


def test_csv_megabyte_cell(tmp_path: Path) -> None:
    """A cell may hold a megabyte."""
    cell = "x" * 1_000_000
    assert list(csv_records(file_of(tmp_path / "t.csv", f"a\n{cell}\n".encode()))) == [{"a": cell}]


def test_csv_blank_lines_are_no_rows(tmp_path: Path) -> None:
    """Blank lines between rows are passed over."""
    assert list(csv_records(file_of(tmp_path / "t.csv", b"a,b\n\n1,2\n\n"))) == [{"a": "1", "b": "2"}]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('a,b\n1,"2\n3,4\n', "line 3: broken CSV: unexpected end of data"),
        ('a,b\n"1"x,2\n', "line 2: broken CSV"),
        ("a,b\n1,2\n1,2,3\n", "line 3: found 3 cells, the header has 2"),
        ("a,b,a\n1,2,3\n", "the header names a column twice: a, b, a"),
    ],
)
def test_broken_csv(tmp_path: Path, content: str, message: str) -> None:
    """Broken quoting, too many cells and doubled columns are refused with file and line."""
    with pytest.raises(BadInputError, match=rf"t\.csv: {message}"):
        list(csv_records(file_of(tmp_path / "t.csv", content.encode())))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('[{"a": 1},\n{"a": }]', r"line 2, column 7: broken JSON: Expecting value"),
        ('{"a": 1}\n\n{"a": ]\n', r"line 3, column 7: broken JSON Lines: Expecting value"),
        ("[1] 2", "line 1, column 5: broken JSON: Extra data"),
        ("[" * 100_000, "unreadable JSON"),
    ],
)
def test_broken_json(tmp_path: Path, content: str, message: str) -> None:
    """Broken JSON is refused with file, line and column, in a list and in lines."""
    with pytest.raises(BadInputError, match=rf"t\.json: {message}"):
        list(json_records(file_of(tmp_path / "t.json", content.encode())))


def test_json_lines_are_streamed(tmp_path: Path) -> None:
    """The first line is there before a later broken line is looked at."""
    records = json_records(file_of(tmp_path / "t.jsonl", b'{"a": 1}\nbroken\n'))
    assert next(records) == {"a": 1}
    with pytest.raises(BadInputError, match="line 2"):
        next(records)


def unpaired(text: str) -> bool:
    """Tell texts that JSON can carry: two surrogates in a row would come back as one character."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass") == text


@QUICK
@given(
    st.recursive(
        st.none() | st.integers() | st.text(st.characters(exclude_categories=())).filter(unpaired), st.lists
    )
)
def test_json_document_round_trip(tmp_path: Path, value: object) -> None:
    """A document comes back equal, lone surrogates and whole numbers of any size included."""
    assert json_document(file_of(tmp_path / "t.json", json.dumps(value).encode())) == value
