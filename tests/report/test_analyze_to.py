"""From a source to files on disk, and the script around it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from judgeray.analysis.tables import TABLES
from judgeray.core.errors import BadInputError
from judgeray.report.write import analyze_to, default_folder

NAMES = set(TABLES)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """Write a log of two designs on three questions."""
    rows = [
        {"dataset": "d", "question_id": q, "row_id": q, "label": "supported", "design": design, "judge": "j"}
        | {"verdict": "supported"}
        for q in "abc"
        for design in "CH"
    ]
    pl.DataFrame(rows).write_csv(tmp_path / "my.log.csv")
    return tmp_path / "my.log.csv"


def run_script(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run `jobs/analyze.py` as a user does."""
    script = Path(__file__).parents[2] / "jobs" / "analyze.py"
    return subprocess.run(
        [sys.executable, str(script), *arguments], capture_output=True, encoding="utf-8", check=False, timeout=120
    )


def _files(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_a_file_gets_a_folder_beside_it(log: Path) -> None:
    """`my.log.csv` is analysed into `my.log-analysis/`: the tables and a report, nothing else."""
    folder = analyze_to(log)
    assert folder == log.parent / "my.log-analysis"
    assert _files(folder) == {"report.md", "report.html", *(f"tables/{name}.csv" for name in NAMES)}


def test_a_run_directory_gets_its_tables_inside(log: Path, tmp_path: Path) -> None:
    """Tables and report of a run stand in the run directory, and analysing it again changes no byte."""
    verdicts = tmp_path / "run" / "verdicts"
    verdicts.mkdir(parents=True)
    pl.read_csv(log).write_parquet(verdicts / "part.parquet")
    folder = analyze_to(tmp_path / "run")
    assert folder == tmp_path / "run"
    first = {name: (folder / name).read_bytes() for name in _files(folder)}
    assert "# run\n" in (folder / "report.md").read_text("utf-8")
    analyze_to(tmp_path / "run")
    assert {name: (folder / name).read_bytes() for name in _files(folder)} == first


def test_a_glob_gets_a_folder_where_it_starts(tmp_path: Path) -> None:
    """The results of `logs/*/part.parquet` go to `logs/analysis/`."""
    assert default_folder(tmp_path / "logs" / "*" / "part.parquet") == tmp_path / "logs" / "analysis"


def test_output_is_where_it_was_asked_for(log: Path, tmp_path: Path) -> None:
    """A given folder is made, and nothing is written elsewhere."""
    assert analyze_to(log, tmp_path / "new" / "out") == tmp_path / "new" / "out"
    assert _files(tmp_path) == {"my.log.csv", *(f"new/out/{name}" for name in _files(tmp_path / "new" / "out"))}


def test_a_folder_that_cannot_be_made_is_named(log: Path) -> None:
    """An output that is a file is the user's to mend."""
    with pytest.raises(BadInputError, match=r"my\.log\.csv: cannot be written: Not a directory"):
        analyze_to(log, log)


def test_the_script_prints_results_and_where_they_are(log: Path, tmp_path: Path) -> None:
    """Exit code 0, the main tables on stdout, the folder named."""
    ended = run_script(str(log), "--output", str(tmp_path / "out"))
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "Accuracy: d" in ended.stdout
    assert "H - C" in ended.stdout
    assert str(tmp_path / "out" / "report.md") in ended.stdout


def test_bad_input_is_one_line_and_exit_code_2(tmp_path: Path) -> None:
    """No traceback, nothing on stdout, nothing written."""
    (tmp_path / "log.csv").write_text("dataset\nd\n")
    ended = run_script(str(tmp_path / "log.csv"))
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.count("\n") == 1
    assert "missing column 'question_id'; columns found: dataset" in ended.stderr
    assert _files(tmp_path) == {"log.csv"}
