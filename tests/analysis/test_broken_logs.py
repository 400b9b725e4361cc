"""Each way to break a log gives one clear BadInputError and nothing else."""

from __future__ import annotations

import contextlib
import json
import re
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from judgeray.analysis import read_log
from judgeray.core.errors import BadInputError

HEADER = "dataset,question_id,row_id,label,design,judge,verdict,status,replicate,total_tokens"
GOOD = "asqa,q1,r1,supported,C,opus,supported,ok,0,12"

BROKEN_CSV = {
    "a missing column": (
        HEADER.replace("label,", "") + "\n",
        "missing column 'label'; columns found: dataset, design, judge",
    ),
    "an unknown verdict": (
        f"{HEADER}\n{GOOD}\nasqa,q1,r2,supported,C,opus,suported,ok,0,1\n",
        r"row 2: verdict: found 'suported', allowed: .*supported.* Did you mean 'supported'\?",
    ),
    "an unknown label": (
        f"{HEADER}\nasqa,q1,r1,true,C,opus,supported,ok,0,1\n",
        "row 1: label: found 'true', allowed: partially_supp",
    ),
    "an unknown status": (
        f"{HEADER}\nasqa,q1,r1,supported,C,opus,,failed,0,1\n",
        "row 1: status: found 'failed', allowed: ok, pending",
    ),
    "a row that stands twice": (
        f"{HEADER}\n{GOOD}\n{GOOD}\n",
        "one verdict stands twice: dataset 'asqa', row_id 'r1', design 'C', judge 'opus'",
    ),
    "two labels for one row": (
        f"{HEADER}\n{GOOD}\n{GOOD.replace('supported,C', 'unsupported,H')}\n",
        "dataset 'asqa', row_id 'r1': found more than one label: 'supported', 'unsupported'",
    ),
    "two questions for one row": (
        f"{HEADER}\n{GOOD}\n{GOOD.replace('q1', 'q2').replace('C', 'H')}\n",
        "more than one question_id: 'q1', 'q2'",
    ),
    "a verdict though refused": (
        f"{HEADER}\n{GOOD.replace('ok', 'refused')}\n",
        "row 1: status 'refused' with verdict 'supported'",
    ),
    "ok without a verdict": (
        f"{HEADER}\nasqa,q1,r1,supported,C,opus,,ok,0,1\n",
        "row 1: status 'ok' with no verdict",
    ),
    "no question": (f"{HEADER}\n{GOOD.replace('q1', '')}\n", "row 1: question_id: found nothing"),
    "text among counts": (
        f"{HEADER}\n{GOOD}\n{GOOD.replace('r1', 'r2').replace('12', 'twelve')}\n",
        r"row 2: total_tokens: found 'twelve', allowed: a whole number from 0",
    ),
    "half a token": (f"{HEADER}\n{GOOD}.5\n", r"row 1: total_tokens: found '12\.5'"),
    "fewer than no tokens": (f"{HEADER}\n{GOOD.replace('12', '-12')}\n", "row 1: total_tokens: found '-12'"),
    "infinitely many tokens": (f"{HEADER}\n{GOOD.replace('12', 'inf')}\n", "row 1: total_tokens: found 'inf'"),
    "more tokens than sums can hold": (f"{HEADER}\n{GOOD.replace('12', '1e30')}\n", "total_tokens: found '1e30'"),
    "an empty file": ("", "the file is empty"),
    "a header alone": (f"{HEADER}\n", "no verdict rows"),
    "a column that stands twice": (f"{HEADER},judge\n{GOOD},x\n", "column 'judge' stands twice"),
    "a row with too many cells": (f"{HEADER}\n{GOOD},1,2\n", "cannot be read"),
    "an open quote": (f'{HEADER}\n"{GOOD}\n', "cannot be read"),
}


@pytest.mark.parametrize("case", BROKEN_CSV)
def test_a_broken_csv_log_is_explained(tmp_path: Path, case: str) -> None:
    """The message names the file and what is wrong there, with row, value found and values allowed."""
    text, message = BROKEN_CSV[case]
    path = tmp_path / "log.csv"
    path.write_text(text, "utf-8")
    with pytest.raises(BadInputError, match=message) as error:
        read_log(path)
    assert str(path) in str(error.value)
    assert "\n" not in str(error.value)


RECORD: dict[str, Any] = {
    "dataset": "asqa",
    "question_id": "q",
    "row_id": "r",
    "label": "supported",
    "design": "C",
    "judge": "j",
    "verdict": "supported",
}

BROKEN_JSONL = {
    "no JSON": ("{", "row 1: not JSON"),
    "no object": ("[1]", r"row 1: found '\[1\]', allowed: a JSON object"),
    "nothing": (" \n\n", "the file is empty"),
    "no needed column": ('{"a": 1, "b": 2}', "missing column 'dataset'; columns found: a, b"),
    "mixed types": (
        json.dumps(RECORD) + "\n" + json.dumps(RECORD | {"verdict": 3.5}),
        r"row 2: verdict: found '3\.5', allowed: text",
    ),
    "a float as id": (
        json.dumps(RECORD | {"question_id": 1e18}),
        r"row 1: question_id: found '1e\+18', allowed: text",
    ),
    "a list as judge": (json.dumps(RECORD | {"judge": ["j"]}), r"row 1: judge: found '\['j'\]'"),
    "true as a count": (
        json.dumps(RECORD | {"replicate": True}),
        "row 1: replicate: found 'True', allowed: a whole",
    ),
    "a word as a flag": (
        json.dumps(RECORD | {"simulated": "maybe"}),
        "row 1: simulated: found 'maybe', allowed: true",
    ),
    "an escape sequence as verdict": (json.dumps(RECORD | {"verdict": "\x1b[2J"}), r"found '\\x1b\[2J'"),
}


@pytest.mark.parametrize("case", BROKEN_JSONL)
def test_a_broken_jsonl_log_is_explained(tmp_path: Path, case: str) -> None:
    """Lines that are no records, and values that their column cannot hold, are named."""
    text, message = BROKEN_JSONL[case]
    path = tmp_path / "log.jsonl"
    path.write_text(text, "utf-8")
    with pytest.raises(BadInputError, match=message):
        read_log(path)


@pytest.mark.parametrize("name", ["log.csv", "log.jsonl"])
def test_text_that_is_not_utf8_is_refused(tmp_path: Path, name: str) -> None:
    """Another encoding is an error with its place, never a guess."""
    (tmp_path / name).write_bytes(b"caf\xe9")
    with pytest.raises(BadInputError, match="not UTF-8 text: byte 3"):
        read_log(tmp_path / name)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nothing.csv", "no such file or directory"),
        ("*.parquet", "no such file or directory"),
        ("log.xlsx", r"suffix: found '\.xlsx', allowed: \.csv, \.jsonl, \.ndjson, \.parquet"),
        ("bad.parquet", "cannot be read"),
        ("folder", r"found no \*\.parquet file"),
        ("run", "nothing has been judged yet"),
        ("a\x00b", "no such file or directory"),
    ],
)
def test_a_source_that_cannot_be_read_is_named(tmp_path: Path, name: str, message: str) -> None:
    """A path that leads nowhere, or to something else, is the user's to mend."""
    (tmp_path / "log.xlsx").write_bytes(b"PK")
    (tmp_path / "bad.parquet.part").write_bytes(b"PAR1 half a file")
    if name == "bad.parquet":
        (tmp_path / "bad.parquet.part").rename(tmp_path / name)
    (tmp_path / "folder").mkdir()
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "manifest.yaml").write_text("name: x")
    with pytest.raises(BadInputError, match=message):
        read_log(tmp_path / name)


def test_float_ids_in_parquet_are_refused(tmp_path: Path) -> None:
    """Ids that went through floating point have lost digits; they are not guessed back."""
    pl.DataFrame([RECORD | {"question_id": 1.0}]).write_parquet(tmp_path / "log.parquet")
    with pytest.raises(BadInputError, match="question_id: the column holds Float64, allowed: text or a whole"):
        read_log(tmp_path / "log.parquet")


def test_an_error_names_the_file_among_many(tmp_path: Path) -> None:
    """Files are read together, yet the row is counted in its own file."""
    for name, verdict in (("a", "supported"), ("b", "suported")):
        pl.DataFrame(
            [RECORD | {"row_id": f"{name}0"}, RECORD | {"row_id": name, "verdict": verdict}]
        ).write_parquet(tmp_path / f"{name}.parquet")
    with pytest.raises(BadInputError, match=re.escape(f"{tmp_path / 'b.parquet'}: row 2: verdict")):
        read_log(tmp_path)


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_damage_never_escapes_as_another_error(tmp_path: Path, data: st.DataObject) -> None:
    """A Parquet file with flipped or lost bytes is read or refused, never a crash."""
    pl.DataFrame([RECORD, RECORD | {"row_id": "s"}]).write_parquet(tmp_path / "log.parquet")
    content = bytearray((tmp_path / "log.parquet").read_bytes())
    for place, byte in data.draw(
        st.lists(st.tuples(st.integers(0, len(content) - 1), st.integers(0, 255)), max_size=4)
    ):
        content[place] = byte
    (tmp_path / "log.parquet").write_bytes(content[: data.draw(st.integers(0, len(content)))])
    with contextlib.suppress(BadInputError):
        assert read_log(tmp_path / "log.parquet").height == 2
