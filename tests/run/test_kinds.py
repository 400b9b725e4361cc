"""What a source holds is told by its folders or columns, and never wrongly where a verdict log has more columns."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

from judgeray.run.kinds import kind_of

SCORE: dict[str, object] = {"question_id": "q", "level": 0, "metric": "m", "judge": "j", "value": 1.0}
SENTENCE: dict[str, object] = {"summary_id": "s", "sentence_index": 0, "judge": "j", "faithful": 1}
VERDICT: dict[str, object] = {
    "dataset": "d", "question_id": "q", "row_id": "r", "label": "supported", "design": "H", "judge": "j",
    "verdict": "supported",
}  # fmt: skip
KINDS: dict[str, dict[str, object]] = {"perturbation": SCORE, "averaging": SENTENCE, "grid": VERDICT}


def write(path: Path, record: dict[str, object]) -> Path:
    """Write one record in the format that the ending names."""
    if path.suffix.lower() == ".parquet":
        pl.DataFrame([record]).write_parquet(path)
    elif path.suffix.lower() == ".csv":
        pl.DataFrame([record]).write_csv(path)
    else:
        listed = json.dumps([record], indent=1) if path.suffix == ".json" else json.dumps(record) + "\n"
        path.write_text(listed, encoding="utf-8")
    return path


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("ending", ["parquet", "csv", "jsonl", "ndjson", "json", "CSV", "Parquet"])
def test_files_are_known_by_their_columns(tmp_path: Path, kind: str, ending: str) -> None:
    """Any format that can be read, whatever the case of its ending."""
    assert kind_of(write(tmp_path / f"log.{ending}", KINDS[kind])) == kind


@pytest.mark.parametrize("column", ["level", "sentence_index"])
def test_verdicts_may_have_further_columns(tmp_path: Path, column: str) -> None:
    """A verdict log stays one, whatever else its maker noted."""
    assert kind_of(write(tmp_path / "log.csv", VERDICT | {column: 3})) == "grid"


def test_a_mark_at_the_beginning_is_no_part_of_a_name(tmp_path: Path) -> None:
    """A byte order mark, as spreadsheets write it, hides no column."""
    (tmp_path / "log.csv").write_bytes(b"\xef\xbb\xbflevel,question_id\n0,q\n")
    assert kind_of(tmp_path / "log.csv") == "perturbation"


@pytest.mark.parametrize(
    ("folder", "kind"), [("scores", "perturbation"), ("sentences", "averaging"), ("x", "grid")]
)
def test_run_directories_are_known_by_their_folders(tmp_path: Path, folder: str, kind: str) -> None:
    """A run says by its folders what it made."""
    (tmp_path / folder).mkdir()
    (tmp_path / "manifest.yaml").touch()
    assert kind_of(tmp_path) == kind


@pytest.mark.parametrize("kind", KINDS)
def test_a_directory_of_parquet_is_known_by_its_files(tmp_path: Path, kind: str) -> None:
    """Without a run's folders the first file tells; replies and tables of a run that has made nothing do not."""
    (tmp_path / "part").mkdir()
    write(tmp_path / "part" / "0.parquet", KINDS[kind])
    assert kind_of(tmp_path) == kind
    (tmp_path / "manifest.yaml").touch()
    assert kind_of(tmp_path) == "grid"


BROKEN = {
    "empty.csv": b"", "empty.json": b"", "broken.parquet": b"PAR1", "broken.json": b"[{", "text.json": b"[1, 2]",
    "nested.json": b"[" * 100_000, "latin.csv": b"level\xff,x\n", "latin.jsonl": b'{"level\xff": 1}\n',
    "wide.csv": b"level" + b"x" * 200_000 + b"\n", "nul.csv": b"a\x00b\n",
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_what_cannot_be_read_is_left_to_its_reader(tmp_path: Path, name: str) -> None:
    """No message from here: the analysis says what is wrong, with file and row."""
    (tmp_path / name).write_bytes(BROKEN[name])
    assert kind_of(tmp_path / name) == "grid"


@pytest.mark.parametrize("name", ["absent.csv", "*.csv"])
def test_what_is_not_there_is_left_to_its_reader(tmp_path: Path, name: str) -> None:
    """Patterns and missing files belong to the analysis of verdicts."""
    assert kind_of(tmp_path / name) == "grid"
