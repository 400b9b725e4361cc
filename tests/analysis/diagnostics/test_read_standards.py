"""Reading hand labels: three formats give the same standards, and every defect is named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from judgeray.analysis.compact import compact
from judgeray.analysis.diagnostics.standards import annotators, read_standards, standard_names
from judgeray.core.errors import BadInputError
from tests.analysis.made_logs import make_log

S, P, U = "supported", "partially_supported", "unsupported"
ALLOWED = "allowed: partially_supported, supported, unsupported."


def log() -> pl.DataFrame:
    """Three rows of two questions in one dataset, and one of them again in another, under two designs."""
    ids = [("d", "q1", "r1", S), ("d", "q1", "r2", P), ("d", "q2", "-5", U), ("e", "q1", "r1", P)]
    return make_log(
        [
            {"dataset": dataset, "question_id": question, "row_id": row, "label": label, "design": design,
             "variant": "full" if label == S else None, "verdict": S}
            for dataset, question, row, label in ids
            for design in "CH"
        ]
    )  # fmt: skip


def csv_file(folder: Path, text: str) -> Path:
    """Write a CSV file."""
    path = folder / "labels.csv"
    path.write_text(text, encoding="utf-8")
    return path


def refused(path: Path) -> str:
    """Read a file that must be refused, and return what is said after the file's name."""
    with pytest.raises(BadInputError) as error:
        read_standards(path, log())
    message = str(error.value)
    assert message.startswith(f"{path}: ")
    assert "\n" not in message
    return message.removeprefix(f"{path}: ")


def test_labels_stand_beside_those_of_construction(tmp_path: Path) -> None:
    """One annotator: the log's labels on the rows that were labelled, and the annotator's."""
    path = csv_file(tmp_path, f"row_id,label\nr2,{S}\n-5,{U}\n")
    found = read_standards(path, log())
    assert found.rows() == [
        ("annotator", "-5", "d", "q2", None, U),
        ("annotator", "r2", "d", "q1", None, S),
        ("construction", "-5", "d", "q2", None, U),
        ("construction", "r2", "d", "q1", None, P),
    ]
    assert_frame_equal(read_standards(path, compact(log())), found)


@pytest.mark.parametrize("form", ["csv", "jsonl", "json", "parquet"])
def test_formats_give_the_same_standards(form: str, tmp_path: Path) -> None:
    """CSV with a byte order mark, JSON Lines, a JSON list and Parquet; ids are whole numbers or text."""
    columns = {"row_id": ["r2", "-5"], "label": [S, P], "annotator": ["ann", "ben"], "note": ["", "x"]}
    frame = pl.DataFrame(columns)
    path = tmp_path / f"labels.{form}"
    records = frame.to_dicts()
    if form == "parquet":
        frame.with_columns(pl.col("annotator").cast(pl.Categorical)).write_parquet(path)
    elif form == "csv":
        path.write_bytes(b"\xef\xbb\xbf" + frame.write_csv().encode())
    elif form == "json":
        path.write_text(json.dumps(records))
    else:
        path.write_text("\n".join(map(json.dumps, [records[0], records[1] | {"row_id": -5}])))
    found = read_standards(path, log())
    assert found.filter(pl.col("standard") != "construction").select("standard", "row_id", "label").rows() == [
        ("ann", "r2", S),
        ("ben", "-5", P),
    ]


def test_a_dataset_column_parts_equal_row_ids(tmp_path: Path) -> None:
    """Row r1 stands in two datasets: the file must say which, and may then label both."""
    assert refused(csv_file(tmp_path, f"row_id,label\nr2,{S}\nr1,{S}\n")) == (
        "row 2: row_id: found 'r1', which stands in datasets 'd', 'e'; column 'dataset' must say which"
    )
    path = csv_file(tmp_path, f"row_id,label,dataset\nr1,{U},d\nr1,{S},e\nr2,{S},\n")
    found = read_standards(path, log()).filter(pl.col("standard") == "annotator")
    assert found.select("dataset", "row_id", "label").rows() == [("d", "r1", U), ("d", "r2", S), ("e", "r1", S)]


def test_majority_needs_three_annotators_and_two_voices(tmp_path: Path) -> None:
    """Two of three carry a row, a tie and a single voice carry none; two annotators have no majority."""
    votes = [("r2", "a", S), ("r2", "b", S), ("r2", "c", U), ("-5", "a", S), ("-5", "b", U)]
    text = "row_id,annotator,label\n" + "".join(f"{row},{who},{label}\n" for row, who, label in votes)
    found = read_standards(csv_file(tmp_path, text), log())
    assert found.filter(pl.col("standard") == "majority").select("row_id", "label").rows() == [("r2", S)]
    assert standard_names(found) == ["construction", "a", "b", "c", "majority"]
    assert annotators(found) == ["a", "b", "c"]
    tied = text + f"-5,c,{S}\n-5,d,{U}\n"
    assert_frame_equal(
        read_standards(csv_file(tmp_path, tied), log()).filter(pl.col("standard") == "majority"),
        found.filter(pl.col("standard") == "majority"),
    )
    alone = read_standards(csv_file(tmp_path, text.replace("r2,c,unsupported\n", "")), log())
    assert "majority" not in standard_names(alone)
    single = "row_id,dataset,annotator,label\n" + f"r1,d,a,{S}\nr1,e,b,{S}\nr2,d,c,{S}\n"
    assert "majority" not in standard_names(read_standards(csv_file(tmp_path, single), log()))


def test_a_missing_column_is_told_with_those_found(tmp_path: Path) -> None:
    """Both needed columns are asked for by name."""
    assert refused(csv_file(tmp_path, "row,label\nr2,supported\n")) == (
        "missing column 'row_id'; columns found: label, row"
    )
    assert refused(csv_file(tmp_path, "row_id,verdict\nr2,supported\n")) == (
        "missing column 'label'; columns found: row_id, verdict"
    )


def test_unknown_row_ids_are_counted_and_the_first_named(tmp_path: Path) -> None:
    """Four unknown ids: the first with its row, three by name, all by number."""
    text = "row_id,label\n" + "".join(f"{row},{S}\n" for row in ("r2", "x1", "x2", "x3", "x4"))
    assert refused(csv_file(tmp_path, text)) == (
        "row 2: row_id: found 'x1', allowed: ids of the log's rows; 4 row ids are unknown: 'x1', 'x2', 'x3', ..."
    )
    assert refused(csv_file(tmp_path, f"row_id,dataset,label\nr2,e,{S}\n")) == (
        "row 1: row_id: found 'r2' of dataset 'e', allowed: ids of the log's rows; 1 row ids are unknown: 'r2'"
    )


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        ("r2,suported", f"label: found 'suported', {ALLOWED} Did you mean 'supported'?"),
        ("r2,", f"label: found '', {ALLOWED}"),
        ("r2", f"label: found '', {ALLOWED}"),
        (",supported", "row_id: found nothing, allowed: the id of a row of the log"),
    ],
)
def test_values_that_do_not_fit_are_named(cells: str, message: str, tmp_path: Path) -> None:
    """Row, column, value found and values allowed."""
    assert refused(csv_file(tmp_path, f"row_id,label\n-5,{S}\n{cells}\n")) == f"row 2: {message}"


def test_a_row_labelled_twice_by_one_annotator_is_told(tmp_path: Path) -> None:
    """The same row by two annotators is what standards are for; by one it is a mistake, whatever the label."""
    text = f"row_id,annotator,label\nr2,ann,{S}\nr2,ben,{S}\nr2,ann,{S}\n"
    assert refused(csv_file(tmp_path, text)) == (
        "row 3: row_id: found 'r2' a second time by annotator 'ann', allowed: one label a row and annotator"
    )


@pytest.mark.parametrize("name", ["construction", "majority", "all annotators", "row_id"])
def test_names_with_a_meaning_are_no_annotators(name: str, tmp_path: Path) -> None:
    """An annotator cannot have the name of a standard that is derived, nor of a column beside it."""
    text = f"row_id,annotator,label\nr2,{name},{S}\n"
    assert refused(csv_file(tmp_path, text)) == (
        f"row 1: annotator: found '{name}', which has a meaning of its own"
    )


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("a.csv", b"", "is empty"),
        ("b.csv", b"row_id,label\n", "no labels: the file is empty"),
        ("c.jsonl", b"", "is empty"),
        ("d.csv", b"row_id,label\nr2,supp\xffrted\n", "line 2 is not UTF-8: found byte 0xff"),
        ("e.jsonl", b'"text"\n', "missing column 'row_id'; columns found: none"),
        ("f.jsonl", b'{"row_id": "r2", "label": "supported"}\n[1]\n', "row 2: found '[1]', allowed: an object"),
        ("g.jsonl", b'{"row_id": 1.5, "label": "supported"}\n', "row 1: row_id: found 1.5, expected text"),
        ("h.txt", b"x", "file name ending: found '.txt', allowed: .csv, .json, .jsonl, .ndjson, .parquet."),
    ],
)
def test_files_that_cannot_be_read_are_told(name: str, data: bytes, message: str, tmp_path: Path) -> None:
    """One message names the file and what is wrong with it."""
    path = tmp_path / name
    path.write_bytes(data)
    assert refused(path) == message


def test_broken_and_missing_files_are_told(tmp_path: Path) -> None:
    """A Parquet file that is none, a file that is not there, a folder."""
    broken = tmp_path / "x.parquet"
    broken.write_bytes(b"PAR0")
    assert refused(broken).startswith("no Parquet file: ")
    assert refused(tmp_path / "none.csv") == "cannot be read: No such file or directory"
    folder = tmp_path / "folder.csv"
    folder.mkdir()
    assert refused(folder) == "cannot be read: Is a directory"


def test_other_label_sets_can_be_allowed(tmp_path: Path) -> None:
    """A log with labels of its own is read with these."""
    rows: list[dict[str, Any]] = [{"row_id": "r", "label": "good", "verdict": "good"}]
    path = csv_file(tmp_path, "row_id,label\nr,bad\n")
    found = read_standards(path, make_log(rows), labels=("good", "bad"))
    assert found.select("standard", "label").rows() == [("annotator", "bad"), ("construction", "good")]


def test_a_limited_run_takes_the_labels_of_its_rows(tmp_path: Path) -> None:
    """Of a label file that covers more, the rows that were judged count; without saying so it is refused."""
    path = csv_file(tmp_path, f"row_id,label\nr2,{S}\nelsewhere,{U}\n")
    assert set(read_standards(path, log(), partial=True)["row_id"]) == {"r2"}
    assert "row_id: found 'elsewhere'" in refused(path)
