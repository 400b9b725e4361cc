"""What a report says of the tables beyond study 1: little, in plain words, and only where there is something."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from judgeray.analysis import analyze, read_log
from judgeray.report.facts import facts_of
from judgeray.report.further_caveats import further_caveats
from judgeray.report.further_sections import SECTIONS, further_sections
from judgeray.report.markdown import markdown_report

LABELS = ("supported", "unsupported")


def made_rows(questions: int = 40, **more: Any) -> list[dict[str, Any]]:
    """Two rows a question under C and H by two judges; C errs on every fourth question, judge y on every ninth."""
    return [
        {
            "dataset": "asqa", "question_id": f"q{q:02d}", "row_id": f"q{q:02d}:{r}", "label": LABELS[r],
            "design": design, "judge": judge, "status": "ok", "confidence": 0.75, "score": 4.0,
            "verdict": LABELS[1 - r if (design == "C" and q % 4 == 0) or (judge == "y" and q % 9 == 0) else r],
            "total_tokens": 100 if design == "H" else 150, "cost_usd": 0.01,
        } | more
        for q in range(questions) for r in range(2) for design in "CH" for judge in "xy"
    ]  # fmt: skip


def analysed(folder: Path, rows: list[dict[str, Any]]) -> dict[str, pl.DataFrame]:
    """Write, read and analyse a log."""
    pl.DataFrame(rows, infer_schema_length=None).write_parquet(folder / "log.parquet")
    return analyze(read_log(folder / "log.parquet"))


def reported(folder: Path, rows: list[dict[str, Any]]) -> str:
    """Write the Markdown report of a log."""
    tables = analysed(folder, rows)
    return markdown_report(tables, facts_of(read_log(folder / "log.parquet"), "trial"))


def test_each_section_stands_with_its_meaning(tmp_path: Path) -> None:
    """Every title is followed by what it means, before any number."""
    rows = made_rows()
    rows[0] |= {"status": "refused", "verdict": None}
    report = reported(tmp_path, rows)
    for section in SECTIONS:
        assert f"## {section.title}\n\n{section.meaning.split(':')[0]}" in report
    for expected in (
        "| H - C | 0.",
        "| C | ",
        "**100.00**",
        "| residual | ",
        "| H | 2 | 80 | ",
        "| asqa | x | full | C |",
    ):
        assert expected in report


def test_what_has_nothing_to_show_has_no_section(tmp_path: Path) -> None:
    """One judge, one design, no confidence, nothing missing: cost alone is left."""
    rows = [row for row in made_rows(confidence=None, score=None) if (row["judge"], row["design"]) == ("x", "C")]
    found = [section.table for section, _ in further_sections(analysed(tmp_path, rows))]
    assert found == ["cost", "variance_components"]
    assert further_sections({}) == []


def test_the_cheaper_and_better_design_stands_out(tmp_path: Path) -> None:
    """H is better and cheaper: its cost is bold, that of C is not."""
    report = reported(tmp_path, made_rows())
    assert "| H | **100.00** |" in report
    assert "| C | 200.00 |" in report


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        (made_rows(), "1 cells have fewer than 5 rows that are wrong (or right)"),
        (made_rows(), "asqa: 40 questions show a difference in accuracy of 0."),
        (made_rows(6), "asqa: 2 pairs differ on so few questions that the sign test could show nothing."),
        (
            [row | {"verdict": row["label"]} for row in made_rows(400)],
            "2 of 2 contrasts are shown to differ by less than 0.02",
        ),
    ],
)
def test_caveats_follow_from_the_tables(tmp_path: Path, rows: list[dict[str, Any]], sentence: str) -> None:
    """What few wrong rows, few questions and equivalence mean is said."""
    assert any(sentence in caveat for caveat in further_caveats(analysed(tmp_path, rows)))


def test_missing_rows_that_could_turn_a_contrast_are_said(tmp_path: Path) -> None:
    """Half of the rows of H refused: either design could be the better one."""
    rows = made_rows()
    for row in rows:
        if row["design"] == "H" and row["question_id"] < "q20":
            row |= {"status": "refused", "verdict": None}
    said = " ".join(further_caveats(analysed(tmp_path, rows)))
    assert "could turn the direction of 2 contrasts" in said
    assert "could turn" not in " ".join(further_caveats(analysed(tmp_path, made_rows())))


def test_caveats_need_no_further_table(tmp_path: Path) -> None:
    """A report of the first six tables alone has no word about the others."""
    accuracy = analysed(tmp_path, made_rows())["accuracy"]
    assert ["effective_rows" in caveat for caveat in further_caveats({"accuracy": accuracy})] == [True]
