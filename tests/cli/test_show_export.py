"""`judgeray show` and `judgeray export`: a row whole, a log in one file, nothing in either acts."""

from __future__ import annotations

import csv
import json
import unicodedata
from pathlib import Path

import polars as pl
import pytest

from judgeray.analysis import analyze, read_log
from judgeray.cli.main import main
from tests.run.made_run import HOSTILE, label_of, made_run


def say(design: str, row_id: str) -> str | None:
    """C is right on even rows, H always; C does not answer row 5."""
    number = int(row_id.removeprefix("row-"))
    if (design, number) == ("C", 5):
        return None
    label = label_of(number) if design == "H" or number % 2 == 0 else label_of(number + 1)
    return json.dumps({"verdict": label, "score": 4, "confidence": 0.5}) + HOSTILE


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A run full of hostile text."""
    return made_run(tmp_path, say, candidate=HOSTILE)


def test_show_tells_everything_about_a_row(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Question, reference, candidate, prompt, raw reply and reading of every arm are printed."""
    assert main(["show", str(run), "row-1"]) == 0
    told = capsys.readouterr().out
    for part in ("Question 1?", "Reference 1.", "C · gpt · full", "H · gpt · full", '"verdict": "unsupported"',
                 "parse branch embedded", "confidence 0.5", "You are a careful factuality judge."):  # fmt: skip
        assert part in told


def test_show_prints_nothing_that_acts(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """No escape, no direction mark, no NUL reaches the terminal; they are spelled out."""
    assert main(["show", str(run), "row-1", "--design", "C", "--judge", "gpt"]) == 0
    told = capsys.readouterr().out.replace("\n", "").replace("\t", "")
    assert all(unicodedata.category(character) not in ("Cc", "Cs", "Zl", "Zp") for character in told)
    assert "\\x1b[31mred" in told
    assert "\\u202eevil" in told
    assert "H · gpt" not in told


def test_show_names_what_there_is(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A question id leads to its rows, a wrong design to the right ones, another folder to a clear message."""
    assert main(["show", str(run), "q1"]) == 2
    assert "no row 'q1'. Did you mean: row-1?" in capsys.readouterr().err
    assert main(["show", str(run), "row-1", "--design", "R"]) == 2
    assert "found 'R', allowed: C, H" in capsys.readouterr().err
    assert main(["show", str(run.parent), "row-1"]) == 2
    assert "is this a run directory?" in capsys.readouterr().err


@pytest.mark.parametrize("to", ["parquet", "jsonl", "csv"])
def test_an_export_analyses_to_the_same_tables(run: Path, to: str) -> None:
    """All formats hold every row, and an analysis of the export gives what the run's own gives."""
    assert main(["export", str(run), "--to", to]) == 0
    exported = analyze(read_log(run / "export" / f"verdicts.{to}"))
    for name, table in analyze(read_log(run)).items():
        assert exported[name].equals(table), name


def test_parquet_keeps_every_column(run: Path, tmp_path: Path) -> None:
    """The export is the verdict files one after the other."""
    target = tmp_path / "deep" / "all.parquet"
    assert main(["export", str(run), "--to", "parquet", "--output", str(target)]) == 0
    files = sorted((run / "verdicts").rglob("*.parquet"))
    assert pl.read_parquet(target).equals(pl.concat([pl.read_parquet(file) for file in files]))


def test_no_csv_cell_is_a_formula(tmp_path: Path) -> None:
    """Text that begins like a formula gets an apostrophe; a negative number stays one."""
    run = made_run(tmp_path, say)
    file = next((run / "verdicts").rglob("*.parquet"))
    frame = pl.read_parquet(file)
    texts = ["=1+1", "@x", "+a", "-12", "-x", "a=b"]
    frame.with_columns(pl.Series("variant", texts)).write_parquet(file)
    assert main(["export", str(run), "--to", "csv"]) == 0
    with (run / "export" / "verdicts.csv").open(encoding="utf-8", newline="") as opened:
        cells = [row["variant"] for row in csv.DictReader(opened)]
    assert [cell for cell in cells if cell] == ["'=1+1", "'@x", "'+a", "-12", "'-x", "a=b"]


def test_export_says_what_it_cannot_write(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A target inside a file is one message and exit 2; nothing half is left."""
    (run / "file").write_text("")
    assert main(["export", str(run), "--to", "csv", "--output", str(run / "file" / "x.csv")]) == 2
    assert "cannot be written" in capsys.readouterr().err
