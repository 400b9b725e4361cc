"""The report says what was run, what came out and what to beware of."""

from __future__ import annotations

from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from rich.console import Console

from judgeray.analysis import analyze, read_log
from judgeray.report.caveats import SIMULATED, caveats
from judgeray.report.facts import RunFacts, facts_of
from judgeray.report.markdown import markdown_report
from judgeray.report.terminal import terminal_report
from judgeray.rows import Skip

EVIL = "<b>|`x`\x1b[2J\n# h"


def make_rows(count: int = 12, **more: Any) -> list[dict[str, Any]]:
    """Rows of `count` questions under C and H, H right always and C on even questions."""
    return [
        {
            "dataset": "asqa", "question_id": f"q{q}", "row_id": f"q{q}", "label": "supported", "design": design,
            "judge": "opus", "verdict": "supported" if design == "H" or q % 2 == 0 else "unsupported",
            "status": "ok", "condition": "full", "replicate": 0, "parse_branch": "whole", "complexity": 2 + q % 3,
            "total_tokens": 100 + q, "cost_usd": 0.01, "simulated": False,
        } | more
        for design in ("C", "H") for q in range(count)
    ]  # fmt: skip


def analysed(folder: Path, rows: list[dict[str, Any]]) -> tuple[dict[str, pl.DataFrame], RunFacts]:
    """Write, read and analyse a log."""
    pl.DataFrame(rows, infer_schema_length=None).write_parquet(folder / "log.parquet")
    log = read_log(folder / "log.parquet")
    return analyze(log), facts_of(log, "trial")


def on_screen(tables: dict[str, pl.DataFrame], facts: RunFacts, width: int = 80) -> str:
    """Print the terminal report without colours."""
    console = Console(file=StringIO(), width=width, force_terminal=False, color_system=None)
    console.print(*terminal_report(tables, facts), sep="\n")
    assert isinstance(console.file, StringIO)
    return console.file.getvalue()


def test_a_simulated_run_says_so_first(tmp_path: Path) -> None:
    """No reader of a rehearsal can take it for a result: the first line is bold and says so."""
    tables, facts = analysed(tmp_path, make_rows(simulated=True))
    assert markdown_report(tables, facts).startswith(f"**{SIMULATED}**\n")
    assert on_screen(tables, facts).startswith(SIMULATED)


def test_a_real_run_does_not_speak_of_simulation(tmp_path: Path) -> None:
    """Without simulated rows the word does not occur."""
    tables, facts = analysed(tmp_path, make_rows())
    assert "simulated" not in markdown_report(tables, facts) + on_screen(tables, facts)


def test_the_report_holds_the_results(tmp_path: Path) -> None:
    """Accuracy, contrast, tokens, complexity, parsing, cost and skips are there in words and digits."""
    tables, facts = analysed(tmp_path, make_rows())
    facts = replace(
        facts, skips=(Skip("asqa", "q99", "no answer"), Skip("asqa", "q98", "no answer")), notes=("by hand",)
    )
    report = markdown_report(tables, facts)
    for expected in (
        "# trial\n",
        "- Rows: 24 (24 ok) on 12 source questions\n",
        "- Cost: 0.2400 USD\n",
        "- Skipped: 2 in asqa: no answer\n",
        "| H | **1.0000 [1.0000, 1.0000]** | 105.50 |",
        "| supported | C | 0.5000 [",
        "| H - C | opus | 12 | +0.5000 [",
        "| 6:0 | 0.0312 | 0.0312 | 0.0312 |",
        "| opus | C | 105.50 [102.75, 108.25] | — |",
        "| pair | judge | 2 | 3 | 4 |",
        "| H - C | opus | +0.500 (4) | +0.500 (4) | +0.500 (4) |",
        "| C | opus | 12 |",
        "- by hand\n",
    ):
        assert expected in report


def test_the_screen_holds_the_main_results(tmp_path: Path) -> None:
    """Accuracy with its interval and the contrast fit 80 columns on one line each."""
    lines = on_screen(*analysed(tmp_path, make_rows())).splitlines()
    assert any(line.split()[:3] == ["opus", "H", "1.0000"] for line in lines)
    assert any("H - C" in line and "6:0" in line and "0.0312" in line for line in lines)


def test_the_same_log_gives_the_same_report(tmp_path: Path) -> None:
    """No clock, no path, no order of rows in the text."""
    (tmp_path / "other").mkdir()
    first = markdown_report(*analysed(tmp_path, make_rows()))
    assert markdown_report(*analysed(tmp_path / "other", make_rows()[::-1])) == first


def _cells_a_line(report: str) -> list[int]:
    return [line.replace("\\|", "").count("|") for line in report.splitlines() if line.startswith("| ")]


def test_text_from_data_is_inert(tmp_path: Path) -> None:
    """Names full of markup and control characters change neither table nor screen."""
    rows = make_rows(dataset=EVIL, judge=EVIL, condition=EVIL)
    tables, facts = analysed(tmp_path, rows)
    facts = replace(facts, name=EVIL, notes=(EVIL,), skips=(Skip(EVIL, "q", EVIL),))
    report, screen = markdown_report(tables, facts), on_screen(tables, facts, width=300)
    assert "<b>" not in report
    assert "\x1b" not in report + screen
    assert "\n# h" not in report + screen
    tame = markdown_report(*analysed(tmp_path, make_rows()))
    assert _cells_a_line(report) == _cells_a_line(tame)
    assert "<b>|`x`\\x1b[2J\\x0a# h" in screen


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"status": "pending", "verdict": None}, "1 of 24 rows are undelivered or pending"),
        ({"status": "unparsed", "verdict": None}, "1 rows were answered without a readable verdict"),
        ({"simulated": True}, f"1 of 24 rows are {SIMULATED}."),
        ({"replicate": 1}, "Replicates of a row are averaged"),
        ({"condition": "padding"}, "Tokens and complexity are those of the condition full alone."),
        ({"verdict": "supported"}, "1 cells have an interval of width zero"),
    ],
)
def test_caveats_follow_from_the_rows(tmp_path: Path, change: dict[str, Any], sentence: str) -> None:
    """What a single row can do to a result is said."""
    rows = make_rows()
    rows[0] |= change
    tables, facts = analysed(tmp_path, rows)
    assert any(sentence in caveat for caveat in caveats(facts, tables))


def test_one_question_one_design_and_no_tokens_are_said(tmp_path: Path) -> None:
    """A tiny log gives a report of what is not known, and no crash."""
    rows = make_rows(1, total_tokens=None, cost_usd=None)[:1]
    tables, facts = analysed(tmp_path, rows)
    said = " ".join(caveats(facts, tables))
    assert "1 cells rest on fewer than two questions" in said
    assert "One design alone was judged" in said
    assert "1 cells report no token counts" in said
    report = markdown_report(tables, facts)
    assert "| C | **1.0000** | — |" in report
    assert "- Cost: — (no row tells its cost)" in report
    assert "## Contrasts\n\nNothing to show." in report


def test_a_log_of_unsettled_rows_has_a_report(tmp_path: Path) -> None:
    """Nothing delivered: every number is a dash, and the rows are counted."""
    tables, facts = analysed(tmp_path, make_rows(3, status="undelivered", verdict=None, total_tokens=None))
    report = markdown_report(tables, facts)
    assert "6 of 6 rows are undelivered or pending" in report
    assert "| C | — | — |" in report
    assert "1 pairs have no row in common" in report
    assert on_screen(tables, facts)


def test_test_and_interval_may_disagree_and_it_is_said(tmp_path: Path) -> None:
    """Four questions to none: the interval excludes zero, p is .125, and the report names the contrast."""
    rows = make_rows(40)
    for row in rows:
        row["verdict"] = "unsupported" if row["design"] == "C" and int(row["question_id"][1:]) < 4 else "supported"
    tables, facts = analysed(tmp_path, rows)
    assert tables["contrasts"]["p_sign"].item() == 0.125
    assert any("disagree at 0.05 for 1 contrasts (asqa opus H - C)" in caveat for caveat in caveats(facts, tables))
