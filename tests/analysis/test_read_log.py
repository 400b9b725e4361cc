"""One log in every format reads the same."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from judgeray.analysis import log as log_module
from judgeray.analysis import read_log
from judgeray.analysis.columns import KINDS
from judgeray.verdicts import VERDICT_SCHEMA

BIG = "-8379836847126495133"


def rows() -> list[dict[str, Any]]:
    """Three rows with ids beyond 2^53, nulls, text that hurts, and columns that no analysis knows."""
    base = {"dataset": "asqa", "label": "supported", "design": "H", "judge": 'a,"b"\n|', "condition": "full"}
    more = {"replicate": 0, "status": "ok", "verdict": "supported", "total_tokens": 12, "simulated": True}
    return [
        base | more | {"question_id": BIG, "row_id": f"{BIG}:full", "cost_usd": 0.25, "error": "x"},
        base
        | more
        | {"question_id": "007", "row_id": "=1+1", "total_tokens": None, "complexity": 3, "error": None},
        base | more | {"question_id": "é\u2028", "row_id": "r", "status": "refused", "verdict": None, "error": ""},
    ]


def written(folder: Path, name: str) -> Path:
    """Write the rows in the format that the name's suffix tells."""
    path, frame = folder / name, pl.DataFrame(rows(), infer_schema_length=None)
    if path.suffix == ".csv":
        frame.write_csv(path)
    elif path.suffix == ".parquet":
        frame.write_parquet(path)
    else:
        path.write_text("\n\n".join(json.dumps(row) for row in rows()), "utf-8")
    return path


@pytest.mark.parametrize("name", ["log.csv", "log.jsonl", "log.ndjson", "LOG.PARQUET"])
def test_every_format_reads_the_same(tmp_path: Path, name: str) -> None:
    """Format changes no value: ids keep their digits and leading zeros, null stays null."""
    log = read_log(written(tmp_path, name)) if name != "LOG.PARQUET" else _upper(tmp_path)
    assert_frame_equal(log, read_log(written(tmp_path, "same.parquet")))
    assert log["question_id"].to_list() == [BIG, "007", "é\u2028"]
    assert log["total_tokens"].to_list() == [12, None, 12]
    assert log["simulated"].to_list() == [True] * 3
    assert log.columns == list(KINDS)


def _upper(folder: Path) -> pl.DataFrame:
    return read_log(written(folder, "log.parquet").rename(folder / "LOG.PARQUET"))


def test_only_the_needed_columns_are_needed(tmp_path: Path) -> None:
    """Condition, replicate and status have defaults; an absent verdict is unparsed."""
    needed = ["dataset", "question_id", "row_id", "label", "design", "judge", "verdict"]
    pl.DataFrame(rows(), infer_schema_length=None).select(needed).write_csv(tmp_path / "log.csv")
    log = read_log(tmp_path / "log.csv")
    assert set(log["condition"]) == {"full"}
    assert set(log["replicate"]) == {0}
    assert log["status"].to_list() == ["ok", "ok", "unparsed"]
    assert log["simulated"].null_count() == 3


def test_numbers_are_ids_too(tmp_path: Path) -> None:
    """Ids written as JSON numbers, or as integers in Parquet, become strings digit for digit."""
    record = rows()[0] | {"question_id": int(BIG), "row_id": 5}
    (tmp_path / "log.jsonl").write_text(json.dumps(record), "utf-8")
    assert read_log(tmp_path / "log.jsonl")["question_id"].item() == BIG
    pl.DataFrame([record]).write_parquet(tmp_path / "log.parquet")
    assert read_log(tmp_path / "log.parquet").select("question_id", "row_id").row(0) == (BIG, "5")


def test_counts_may_be_written_as_floats(tmp_path: Path) -> None:
    """A column of counts with gaps, which some tools write as floats, is read as whole numbers."""
    text = "dataset,question_id,row_id,label,design,judge,verdict,total_tokens\n"
    (tmp_path / "log.csv").write_text(text + "d,q,1,supported,C,j,supported,12.0\nd,q,2,supported,C,j,,NaN\n")
    assert read_log(tmp_path / "log.csv")["total_tokens"].to_list() == [12, None]


def _run_directory(folder: Path, *, columns_in_files: bool) -> Path:
    frame = pl.DataFrame(rows(), infer_schema_length=None).with_columns(judge=pl.lit("a/b ü"))
    place = folder / "run" / "verdicts" / "dataset=asqa" / "design=H" / "judge=a%2Fb ü"
    place.mkdir(parents=True)
    kept = frame if columns_in_files else frame.drop("dataset", "design", "judge")
    kept.head(2).write_parquet(place / "part-0.parquet")
    kept.tail(1).write_parquet(place / "part-1.parquet")
    (place / ".part-2.parquet").write_bytes(b"half written")
    return folder / "run"


@pytest.mark.parametrize("columns_in_files", [True, False])
def test_a_run_directory_is_read_from_its_partitions(tmp_path: Path, *, columns_in_files: bool) -> None:
    """Partition columns come from the files, or from folder names where files lack them."""
    run = _run_directory(tmp_path, columns_in_files=columns_in_files)
    (run / "replies").mkdir()
    (run / "replies" / "other.parquet").write_bytes(b"no verdicts")
    log = read_log(run)
    assert log.height == 3
    assert log.select("dataset", "design", "judge").unique().rows() == [("asqa", "H", "a/b ü")]


def test_files_with_other_column_types_join(tmp_path: Path) -> None:
    """Parts of one log may store ids as text or numbers and may lack optional columns."""
    frame = pl.DataFrame(rows()[:1])
    frame.write_parquet(tmp_path / "a.parquet")
    second = frame.with_columns(question_id=pl.lit(4), row_id=pl.lit(9), label=pl.lit("unsupported"))
    second.cast({"label": pl.Categorical, "replicate": pl.UInt8}).drop("cost_usd").write_parquet(
        tmp_path / "b.parquet"
    )
    for source in (tmp_path, tmp_path / "*.parquet"):
        assert read_log(source)["question_id"].to_list() == [BIG, "4"]


def test_the_schema_of_the_engine_is_understood(tmp_path: Path) -> None:
    """Every column that an analysis reads exists in the verdict schema; an Arrow file in that schema reads."""
    assert set(KINDS) <= set(VERDICT_SCHEMA.names)
    frame = pl.DataFrame(rows()[:1])
    full = frame.with_columns(pl.lit(None).alias(n) for n in VERDICT_SCHEMA.names if n not in frame.columns)
    pl.DataFrame(full.to_arrow().select(VERDICT_SCHEMA.names).cast(VERDICT_SCHEMA)).write_parquet(
        tmp_path / "v.parquet"
    )
    assert read_log(tmp_path / "v.parquet").height == 1


def test_lone_surrogates_and_nul_survive_reading(tmp_path: Path) -> None:
    """Text that UTF-8 cannot hold becomes its escape; NUL is a character like any other."""
    (tmp_path / "log.jsonl").write_text(json.dumps(rows()[0] | {"row_id": "a\ud800\x00b"}), "utf-8")
    assert read_log(tmp_path / "log.jsonl")["row_id"].item() == "a\\ud800\x00b"


def test_how_files_are_gathered_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Read in one batch or file by file, with values that only some files hold, the log is the same."""
    for number, label in enumerate(("supported", "unsupported", "supported", "partially_supported")):
        more = {
            "row_id": f"r{number}",
            "label": label,
            "judge": f"j{number % 3}",
            "total_tokens": 10 ** (2 * number),
        }
        pl.DataFrame([row | more for row in rows()[:1]]).write_parquet(tmp_path / f"{number}.parquet")
    whole = read_log(tmp_path)
    monkeypatch.setattr(log_module, "_BATCH_ROWS", 1)
    assert_frame_equal(read_log(tmp_path), whole)
    assert whole["judge"].to_list() == ["j0", "j1", "j2", "j0"]
    assert whole["total_tokens"].to_list() == [1, 100, 10_000, 1_000_000]
    assert whole["label"].dtype == whole["verdict"].dtype
