"""Scores of any tool through `judgeray analyze`: tables and reports, the same bytes, and nothing in them acts."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from judgeray.cli.logs import analyze_command
from judgeray.core.errors import BadInputError
from judgeray.report.page.embed import chart_library
from judgeray.run.score_files import joined, other_scores
from judgeray.run.scores_report import scores_report
from judgeray.scores import LADDER_SCHEMA
from tests.analysis.scores.made_scores import ladders, make_log
from tests.report.page_bench import Outline
from tests.run.made_run import HOSTILE

COLUMNS = ("dataset", "question_id", "level", "variant", "metric", "judge", "value")
NUL = "\x00"


def score_rows(**names: str) -> list[dict[str, Any]]:
    """Two judges on three questions with five levels and a control; `names` stand before the values of columns."""
    rows: list[dict[str, Any]] = [
        {"dataset": "d", "question_id": f"q{q}", "level": level, "variant": f"A{level}", "metric": "grade",
         "judge": judge, "value": 10 - 2 * level + (q * level % 2 if judge == "b" else 0)}
        for judge in ("a", "b") for q in range(3) for level in range(5)
    ]  # fmt: skip
    controls = [row | {"level": None, "variant": "padded"} for row in rows if row["level"] == 0]
    return [row | {name: f"{said}{row[name]}" for name, said in names.items()} for row in rows + controls]


def score_file(folder: Path, rows: list[dict[str, Any]], name: str = "scores.csv") -> Path:
    """Write a file of scores."""
    folder.mkdir(exist_ok=True)
    with (folder / name).open("w", newline="", encoding="utf-8") as opened:
        writer = csv.DictWriter(opened, COLUMNS)
        writer.writeheader()
        writer.writerows({key: "" if value is None else value for key, value in row.items()} for row in rows)
    return folder / name


def made_files(folder: Path) -> dict[str, bytes]:
    """Everything below a folder."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_file_of_scores_is_enough(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Five columns and a judge give tables, both reports and the ranking on screen, beside the file."""
    source = score_file(tmp_path, score_rows())
    assert analyze_command([str(source)]) == 0
    made = made_files(tmp_path / "scores-analysis")
    assert set(made) == {"report.md", "report.html"} | {
        f"tables/{name}.csv" for name in ("tracking", "level_means", "steps", "metric_contrasts", "controls")
    }  # fmt: skip
    said = capsys.readouterr().out
    assert "Which metric tracks damage" in said
    assert "written:" in said
    assert "no run directory" not in said
    assert b"a run\ndirectory would tell them here" in made["report.html"]


def test_the_same_scores_give_the_same_bytes(tmp_path: Path) -> None:
    """Rows in another order change nothing."""
    rows = score_rows()
    for name, given in (("one", rows), ("two", rows[::-1])):
        source = score_file(tmp_path / name, given)
        assert analyze_command([str(source), "--output", str(tmp_path / name / "out")]) == 0
    assert made_files(tmp_path / "one" / "out") == made_files(tmp_path / "two" / "out")


def test_hostile_names_are_inert_everywhere(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Ids, metrics, judges, datasets, controls and the file's own name do nothing in page, tables and screen."""
    said = HOSTILE.replace(NUL, "").replace("/", "|")
    names = dict.fromkeys(("dataset", "question_id", "metric", "judge"), said)
    rows = [
        row | {"variant": f"{said}padded"} if row["level"] is None else row for row in score_rows(**names)
    ]  # fmt: skip
    hostile = score_file(tmp_path / "h", rows, f"<img src=x onerror=hack> {said[:40]}.csv".replace("/", ""))
    tame = score_file(tmp_path / "t", score_rows())
    for source in (hostile, tame):
        assert analyze_command([str(source), "--output", str(source.parent / "out")]) == 0
    page = (tmp_path / "h" / "out" / "report.html").read_text(encoding="utf-8")
    assert Outline(page).tags == Outline((tmp_path / "t" / "out" / "report.html").read_text()).tags
    library = chart_library()
    shown = page.replace(library, "")
    assert not re.search(r"<(script|img)[^>]*(hack|src)", shown)
    assert not {"\x1b", "\u202e", "\u2066", "\u2028"} & set(shown)
    text = (tmp_path / "h" / "out" / "report.md").read_text(encoding="utf-8")
    assert "<script>" not in text
    assert "\x1b" not in text
    tables = [path.read_text(encoding="utf-8") for path in (tmp_path / "h" / "out" / "tables").glob("*.csv")]
    assert all(not cell.startswith(("=", "@")) for table in tables for line in csv.reader(table.splitlines(True))
               for cell in line)  # fmt: skip
    screen = capsys.readouterr().out
    assert "\x1b[31m" not in screen
    assert "\u202e" not in screen


def test_formulas_become_text(tmp_path: Path) -> None:
    """A name that a spreadsheet would compute starts with an apostrophe in every table."""
    source = score_file(tmp_path, score_rows(metric="=1+", judge="@"))
    assert analyze_command([str(source), "--output", str(tmp_path / "out")]) == 0
    for path in (tmp_path / "out" / "tables").glob("*.csv"):
        text = path.read_text()
        assert "'=1+grade" in text
        assert not re.search(r"(^|,)[=@]", text, re.MULTILINE)


@pytest.mark.parametrize("count", [1, 2])
def test_few_questions_have_a_report(tmp_path: Path, count: int) -> None:
    """One question has no interval; nothing fails for that."""
    rows = [row for row in score_rows() if row["question_id"] < f"q{count}"]
    assert analyze_command([str(score_file(tmp_path, rows)), "--output", str(tmp_path / "out")]) == 0
    table = pl.read_csv(tmp_path / "out" / "tables" / "tracking.csv")
    assert table["questions"].to_list() == [count] * 2


@pytest.mark.parametrize("keep", ["controls", "one level"])
def test_scores_without_a_ladder_have_a_report(tmp_path: Path, keep: str) -> None:
    """Where nothing rises or falls, correlations are undefined and say why."""
    rows = [row for row in score_rows() if row["level"] == (None if keep == "controls" else 0)]
    assert analyze_command([str(score_file(tmp_path, rows)), "--output", str(tmp_path / "out")]) == 0
    table = pl.read_csv(tmp_path / "out" / "tables" / "tracking.csv")
    reason = {"controls": "no score", "one level": "all scores are equal"}[keep]
    assert table["reason"].to_list() == [reason] * 2


def test_several_datasets_are_told_apart_on_screen(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The ranking on screen names the dataset where there are several."""
    rows = score_rows() + [row | {"dataset": "e"} for row in score_rows()]
    assert analyze_command([str(score_file(tmp_path, rows)), "--output", str(tmp_path / "out")]) == 0
    assert "dataset" in capsys.readouterr().out


def test_sizes_are_compared_where_there_are_two(tmp_path: Path) -> None:
    """Judges whose names tell two sizes have a chapter; one size and an unknown one have none."""
    for second, expected in (("gemma3:27b", True), ("gpt-4.1", False)):
        rows = [row | {"judge": {"a": "gemma3:4b", "b": second}[row["judge"]]} for row in score_rows()]
        out = tmp_path / second
        assert analyze_command([str(score_file(tmp_path, rows)), "--output", str(out)]) == 0
        assert (out / "tables" / "size_quality.csv").exists() is expected


def test_a_folder_that_cannot_be_written_is_one_message(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 2 and the folder's name, without a traceback."""
    (tmp_path / "out").write_text("a file")
    assert analyze_command([str(score_file(tmp_path, score_rows())), "--output", str(tmp_path / "out")]) == 2
    assert re.search(r"out.*: cannot be written: ", capsys.readouterr().err)


def test_scores_of_a_run_and_of_a_file_never_overlap(tmp_path: Path) -> None:
    """The same score from both is an error, for one of them would be counted twice."""
    log = make_log(ladders((3, 2, 1)))
    with pytest.raises(BadInputError, match="x: metric 'm' by judge 'j' is scored by the run as well"):
        joined(log, log, "x")
    other = make_log(ladders((3, 2, 1), metric="n"))
    assert joined(log, other, "x").height == 6


def test_a_dataset_is_filled_in_where_there_is_one(tmp_path: Path) -> None:
    """Scores that name no dataset are of the run's only one; where there are several they must say which."""
    rows = [{key: value for key, value in row.items() if key != "dataset"} for row in score_rows()]
    path = tmp_path / "other.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert set(other_scores("m", str(path), ["mine"])["dataset"]) == {"mine"}
    with pytest.raises(BadInputError, match=r"m: scores: .*: dataset: found 'unnamed', allowed: mine, yours"):
        other_scores("m", str(path), ["mine", "yours"])


def run_folder(folder: Path) -> Path:
    """A run directory with scores alone."""
    (folder / "scores").mkdir(parents=True)
    pl.DataFrame(score_rows()).write_parquet(folder / "scores" / "r0-00000.parquet")
    return folder


def test_ladders_that_cannot_be_read_are_one_message(tmp_path: Path) -> None:
    """File and what is wrong; a run directory without ladders is read all the same."""
    run = run_folder(tmp_path / "run")
    assert "ladders" not in {chapter.name for chapter in scores_report(run, "x").chapters}
    (run / "ladders").mkdir()
    (run / "ladders" / "a.parquet").write_text("broken")
    with pytest.raises(BadInputError, match=r"ladders/a\.parquet: cannot be read: "):
        scores_report(run, "x")
    pl.DataFrame({"dataset": ["d"]}).write_parquet(run / "ladders" / "a.parquet")
    with pytest.raises(BadInputError, match=r"a\.parquet: missing column 'question_id'; columns found: dataset"):
        scores_report(run, "x")


def test_ladders_cost_what_a_question_cost(tmp_path: Path) -> None:
    """Rows of a question all tell its ladder's cost, which is counted once."""
    run = run_folder(tmp_path / "run")
    (run / "ladders").mkdir()
    row = dict.fromkeys(LADDER_SCHEMA.names) | {"dataset": "d", "status": "ok", "cost_usd": 0.5, "text": "x"}
    rows = [
        row | {"question_id": f"q{q}", "variant": f"A{level}", "level": level, "flags": ["rest_changed"]}
        for q in range(3) for level in range(5)
    ]  # fmt: skip
    schema = pl.DataFrame(LADDER_SCHEMA.empty_table()).schema
    pl.DataFrame(rows, schema=schema).write_parquet(run / "ladders" / "a.parquet")
    assert dict(scores_report(run, "x").facts)["Cost of the ladders"] == "1.5000 USD"
