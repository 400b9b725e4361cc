"""Reading scores logs: formats, defaults, gaps, and one clear message for each way to break one."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from polars.testing import assert_frame_equal

from judgeray.analysis.scores import read_scores
from judgeray.analysis.scores.log import SCHEMA
from judgeray.core.errors import BadInputError
from judgeray.scores import SCORE_SCHEMA

HEADER = "dataset,question_id,level,variant,metric,judge,replicate,status,value"
GOOD = "nq,q1,0,A0,fc,gemma,0,ok,0.5"


def csv(**changed: str) -> str:
    """Write a log of one row with some cells changed."""
    cells = dict(zip(HEADER.split(","), GOOD.split(","), strict=True)) | changed
    return f"{HEADER}\n{','.join(cells.values())}\n"


def without(column: str) -> str:
    """Write a log that lacks a column."""
    place = HEADER.split(",").index(column)
    lines = (line.split(",") for line in (HEADER, GOOD))
    return "\n".join(",".join(cells[:place] + cells[place + 1 :]) for cells in lines)


BROKEN = {
    "a missing column": (without("level"), "missing column 'level'; columns found: dataset, judge, metric, q"),
    "no score at all": (without("value"), "missing column 'value' or 'score'; columns found: "),
    "nobody who scored": (without("judge"), "missing column 'judge' or 'model'; columns found: "),
    "half a level": (csv(level="0.5", variant=""), "row 1: level: found '0.5', expected a whole number"),
    "a level below A0": (csv(level="-1", variant=""), "row 1: level: found '-1', expected a whole number"),
    "a named level": (csv(level="A0"), "row 1: level: found 'A0', expected a whole number"),
    "another variant than the level": (
        csv(level="1", variant="A2"),
        "row 1: variant: found 'A2', allowed: 'A1' where level is 1",
    ),
    "neither level nor control": (csv(level="", variant=""), "row 1: level: found nothing, allowed: a whole num"),
    "a variant in place of a level": (
        csv(level="", variant="A3"),
        "row 1: level: found nothing with variant 'A3', allowed: a whole number from 0, or nothing for a control",
    ),
    "a word as score": (csv(value="good"), "row 1: value: found 'good', expected a number"),
    "an infinite score": (csv(value="-inf"), "row 1: value: found '-inf', expected a number"),
    "digits with marks": (csv(value="1_0"), "row 1: value: found '1_0', expected a number"),
    "an unknown status": (csv(status="okay"), "row 1: status: found 'okay', allowed: ok, pending, refused"),
    "a score though refused": (
        csv(status="refused"),
        "row 1: value: found 0.5 with status 'refused', allowed: a value only where status is ok",
    ),
    "no question": (csv(question_id=""), "row 1: question_id: found nothing, allowed: a value in every row"),
    "no metric": (csv(metric=""), "row 1: metric: found nothing, allowed: a value in every row"),
    "half a token": (
        f"{HEADER},total_tokens\n{GOOD},1\n{GOOD.replace('q1', 'q2')},1.5",
        "row 2: total_tokens: found '1.5', expected a whole number",
    ),
    "a row that stands twice": (
        f"{HEADER}\n{GOOD}\n{GOOD}",
        "one score stands twice: dataset 'nq', metric 'fc', judge 'gemma', question_id 'q1', variant 'A0'",
    ),
    "an empty file": ("", "is empty"),
    "a header alone": (HEADER + "\n", "no rows: the file is empty"),
    "a column that stands twice": (f"{HEADER},judge\n{GOOD},x", "names a column twice"),
    "a row with too many cells": (f"{HEADER}\n{GOOD},1,2", "found 11 cells, the header has 9"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_log_is_explained(tmp_path: Path, case: str) -> None:
    """One message, on one line, that names the file and what is wrong there."""
    text, message = BROKEN[case]
    path = tmp_path / "scores.csv"
    path.write_text(text, "utf-8")
    with pytest.raises(BadInputError) as error:
        read_scores(path)
    assert message in str(error.value)
    assert str(path) in str(error.value)
    assert "\n" not in str(error.value)


RECORD = {"question_id": "q", "level": 0, "metric": "m", "judge": "j", "value": 1}


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"value": True}, "value: found True, expected a number"),
        ({"value": [1]}, r"value: found \[1\], expected a number"),
        ({"question_id": 1.5}, "question_id: found 1.5, expected text"),
        ({"level": True}, "level: found True, expected a whole number"),
        ({"simulated": "maybe"}, "simulated: found 'maybe', expected true or false"),
        ({"judge": None}, "judge: found nothing, allowed: a value in every row"),
    ],
)
def test_a_broken_jsonl_log_is_explained(tmp_path: Path, changed: dict[str, object], message: str) -> None:
    """Values of a kind that their column cannot hold are named, not cast."""
    path = tmp_path / "scores.jsonl"
    path.write_text(json.dumps(RECORD) + "\n" + json.dumps(RECORD | {"question_id": "p"} | changed), "utf-8")
    with pytest.raises(BadInputError, match=f"row 2: {message}"):
        read_scores(path)


@pytest.mark.parametrize(("line", "message"), [("3", "row 2: found '3', allowed: an object"), ("{", "broken JSON")])
def test_a_line_that_is_no_record_is_named(tmp_path: Path, line: str, message: str) -> None:
    """Every line is a JSON object."""
    path = tmp_path / "scores.jsonl"
    path.write_text(f"{json.dumps(RECORD)}\n{line}", "utf-8")
    with pytest.raises(BadInputError, match=message):
        read_scores(path)


def test_four_columns_and_a_judge_are_enough(tmp_path: Path) -> None:
    """`score` stands for `value`, `model` for `judge`; all else has its default."""
    path = tmp_path / "scores.csv"
    path.write_text("question_id,level,metric,model,score\n7,1,fc,gemma3:4b,0.25\n", "utf-8")
    (row,) = read_scores(path).rows(named=True)
    assert row == {
        "dataset": "unnamed", "question_id": "7", "level": 1, "variant": "A1", "metric": "fc", "judge": "gemma3:4b",
        "model": "gemma3:4b", "replicate": 0, "status": "ok", "value": 0.25, "total_tokens": None, "cost_usd": None,
        "simulated": None,
    }  # fmt: skip


@pytest.mark.parametrize("spelled", ["", "nan", "NaN"])
def test_no_number_is_a_missing_score(tmp_path: Path, spelled: str) -> None:
    """Empty or NaN: the row is there, unparsed unless its status says otherwise."""
    path = tmp_path / "scores.csv"
    path.write_text(f"{HEADER}\nnq,q,0,,fc,g,,,{spelled}\nnq,q,1,,fc,g,,ok,{spelled}\nnq,q,2,,fc,g,,refused,\n")
    assert read_scores(path).select("value", "status").rows() == [
        (None, "unparsed"), (None, "ok"), (None, "refused"),
    ]  # fmt: skip


def test_nan_is_missing_in_every_format(tmp_path: Path) -> None:
    """Parquet's NaN and JSON's are no scores either."""
    nan = RECORD | {"value": float("nan")}
    pl.DataFrame([nan]).write_parquet(tmp_path / "s.parquet")
    (tmp_path / "s.jsonl").write_text(json.dumps(nan), "utf-8")
    for name in ("s.parquet", "s.jsonl"):
        assert read_scores(tmp_path / name).select("value", "status").rows() == [(None, "unparsed")]


def test_a_row_without_level_is_a_control(tmp_path: Path) -> None:
    """Its name stands in `variant`."""
    path = tmp_path / "scores.csv"
    path.write_text(f"{HEADER}\n{GOOD}\n{GOOD.replace('0,A0', ',control.padded')}\n")
    assert read_scores(path).select("level", "variant").rows() == [(0, "A0"), (None, "control.padded")]


def test_formats_say_the_same(tmp_path: Path) -> None:
    """Parquet, CSV and JSON Lines of the same rows, in any order, are one log; long ids keep their digits."""
    ids = ("-9223372036854775809", "00", "é")
    rows = [
        {"question_id": name, "level": level, "metric": "m", "judge": "j", "value": 0.1 * level,
         "cost_usd": 0.5, "total_tokens": 7, "simulated": True}
        for name in ids for level in range(3)
    ]  # fmt: skip
    frame = pl.DataFrame(rows)
    frame.write_parquet(tmp_path / "s.parquet")
    frame.reverse().write_csv(tmp_path / "s.csv")
    (tmp_path / "s.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
    log = read_scores(tmp_path / "s.parquet")
    assert log.schema == SCHEMA
    assert log["question_id"].unique().sort().to_list() == sorted(ids)
    for name in ("s.csv", "s.jsonl"):
        assert_frame_equal(read_scores(tmp_path / name), log)


def test_a_run_directory_is_read_as_its_schema_writes_it(tmp_path: Path) -> None:
    """Every file below scores/, and nothing else of the run."""
    base = dict.fromkeys(SCORE_SCHEMA.names)
    for judge in ("j", "k"):
        row = {"dataset": "nq", "question_id": "q", "level": 2, "variant": "A2", "metric": "m", "judge": judge,
               "replicate": 1, "status": "ok", "value": 0.5, "detail": '{"tp": 1}', "model": "phi4:14b",
               "call_keys": ["k1", "k2"], "simulated": False}  # fmt: skip
        folder = tmp_path / "scores" / f"judge={judge}"
        folder.mkdir(parents=True)
        pq.write_table(pa.Table.from_pylist([base | row], schema=SCORE_SCHEMA), folder / "part.parquet")
    (tmp_path / "manifest.yaml").write_text("name: run")
    (tmp_path / "scores" / ".half.parquet").write_bytes(b"PAR1")
    (tmp_path / "other.parquet").write_bytes(b"no scores")
    log = read_scores(tmp_path)
    assert log.select("judge", "model", "level", "value").rows() == [
        ("j", "phi4:14b", 2, 0.5), ("k", "phi4:14b", 2, 0.5),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nothing.csv", "no such file or directory"),
        ("log.xlsx", r"file name ending: found '\.xlsx', allowed: \.csv"),
        ("bad.parquet", "no Parquet file"),
        ("folder", r"found no \*\.parquet file"),
        ("run", "nothing has been scored yet"),
    ],
)
def test_a_source_that_cannot_be_read_is_named(tmp_path: Path, name: str, message: str) -> None:
    """A path that leads nowhere, or to something else, is the user's to mend."""
    (tmp_path / "log.xlsx").write_bytes(b"PK")
    (tmp_path / "bad.parquet").write_bytes(b"PAR1 half a file")
    (tmp_path / "folder").mkdir()
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "manifest.yaml").write_text("name: x")
    with pytest.raises(BadInputError, match=message):
        read_scores(tmp_path / name)


def test_any_text_survives_as_an_id(tmp_path: Path) -> None:
    """Lone surrogates become their escapes; control characters in a message cannot act."""
    path = tmp_path / "s.jsonl"
    path.write_text(json.dumps(RECORD | {"question_id": "\ud800x"}), "utf-8")
    assert read_scores(path)["question_id"].to_list() == ["\\ud800x"]
    path.write_text(json.dumps(RECORD | {"status": "\x1b[2J"}), "utf-8")
    with pytest.raises(BadInputError, match=r"found '\\x1b\[2J'"):
        read_scores(path)
