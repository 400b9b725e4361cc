"""Reports made of chapters: Markdown, page and screen say the same, simulated rows first, and nothing acts."""

from __future__ import annotations

from dataclasses import replace
from io import StringIO
from pathlib import Path

import polars as pl
import pytest
from rich.console import Console

from judgeray.core.errors import BadInputError
from judgeray.report.chapter import Chapter
from judgeray.report.study_report import StudyReport, study_markdown, write_study
from judgeray.report.study_terminal import study_terminal
from judgeray.report.text import markdown
from judgeray.report.view import View
from tests.report.page_bench import Outline
from tests.run.made_run import HOSTILE

SAFE = HOSTILE.replace("\x00", "")
VIEW = View("Ranking", ("judge", "Kendall", "why"), (("a", "-0.900 [-1.000, -0.800]", "—"), ("b", "—", "no score")))
TABLE = pl.DataFrame({"judge": ["a", "b"], "kendall": [-0.9, None]})
FIRST = Chapter("first", "First of all", "nobody", "It means something.", {"ranking": TABLE}, (VIEW,), ("Beware.",))
SECOND = Chapter(
    "second", "Then this", "somebody", "And more.", {"more": TABLE}, (View("None", ("x",), ()), VIEW), ("Again.",)
)
REPORT = StudyReport(
    name="trial", rows=8, simulated=0, facts=[("Scores", "8 (8 ok)"), ("Judges", "a, b")], datasets=["d"],
    judges=["a", "b"], chapters=[FIRST, SECOND], methods=["By counting."], claims=["Not much."],
    on_screen=("judge", "Kendall"),
)  # fmt: skip


def page_of(report: StudyReport, folder: Path) -> str:
    """The page as it is written."""
    write_study(report, folder)
    return (folder / "report.html").read_text(encoding="utf-8")


def screen_of(report: StudyReport) -> str:
    """What a screen of 80 columns shows."""
    screen = StringIO()
    Console(file=screen, width=80).print(*study_terminal(report), sep="\n")
    return screen.getvalue()


def test_everything_is_in_both_reports(tmp_path: Path) -> None:
    """Facts, chapters in order with cautions and every cell, methods and claims."""
    page, text = Outline(page_of(REPORT, tmp_path)), study_markdown(REPORT)
    assert (tmp_path / "report.md").read_text(encoding="utf-8") == text
    assert {path.name for path in (tmp_path / "tables").iterdir()} == {"ranking.csv", "more.csv"}
    headings = [title for _, title in page.headings]
    for chapter in REPORT.chapters:
        assert chapter.title in headings
        for told in (chapter.meaning, chapter.source, *chapter.cautions):
            assert told in page.text
            assert markdown(told) in text
    for told in (
        "trial",
        "8 (8 ok)",
        "a, b",
        "By counting.",
        "Not much.",
        *(cell for row in VIEW.rows for cell in row),
    ):
        assert told in page.text
        assert markdown(told) in text
    assert (
        text.index("First of all") < text.index("Then this") < text.index("By counting.") < text.index("Not much.")
    )
    assert "All columns: Ranking" in page.text


def test_simulated_rows_are_said_before_all_else(tmp_path: Path) -> None:
    """A banner and a title on the page, the first line of text and screen; without any, nothing."""
    simulated = replace(REPORT, simulated=3)
    assert study_markdown(simulated).startswith("**3 of 8 rows are ")
    assert screen_of(simulated).startswith("3 of 8 rows are ")
    page = page_of(simulated, tmp_path / "s")
    assert page.count('role="alert"') == 1
    assert "<title>SIMULATED: trial" in page
    plain = page_of(REPORT, tmp_path / "p")
    assert 'role="alert"' not in plain
    assert "SIMULATED" not in plain.partition("<style>")[0]
    assert "rows are" not in study_markdown(REPORT) + screen_of(REPORT)


def test_a_screen_shows_the_first_view_and_what_to_bear_in_mind() -> None:
    """Only the columns that fit, then the cautions of that chapter and the claims; no other chapter."""
    said = screen_of(REPORT)
    assert "First of all: Ranking" in said
    assert "-0.900 [-1.000, -0.800]" in said
    assert "no score" not in said
    assert "Beware." in said
    assert "Not much." in said
    assert "Then this" not in said


def test_an_empty_first_view_leaves_the_cautions() -> None:
    """Where nothing is there to rank, the screen still says what to bear in mind."""
    bare = replace(FIRST, views=(replace(VIEW, rows=()),))
    said = screen_of(replace(REPORT, chapters=[bare]))
    assert "Ranking" not in said
    assert "Beware." in said


def test_the_same_report_gives_the_same_bytes(tmp_path: Path) -> None:
    """Written twice, every file is the same."""
    for folder in ("a", "b"):
        write_study(REPORT, tmp_path / folder)
    first, second = (
        {path.name: path.read_bytes() for path in (tmp_path / folder).rglob("*.*")} for folder in ("a", "b")
    )
    assert first == second
    assert len(first) == 4


def test_hostile_texts_are_inert(tmp_path: Path) -> None:
    """Names, cells, facts and claims full of markup leave elements as they are, and every line of a table whole."""
    bad = View(f"{SAFE}Ranking", (f"{SAFE}judge", "Kendall", "why"), ((SAFE, "—", SAFE), ("b", "—", SAFE)))
    hostile = replace(
        REPORT, name=SAFE, facts=[(SAFE, SAFE), ("Judges", SAFE)], judges=[SAFE, "b"], datasets=[SAFE],
        chapters=[replace(FIRST, views=(bad,), tables={"ranking": TABLE.with_columns(judge=pl.lit(SAFE))}), SECOND],
        claims=[SAFE], methods=[SAFE], on_screen=(f"{SAFE}judge", "Kendall"),
    )  # fmt: skip
    tame = page_of(REPORT, tmp_path / "t")
    page = page_of(hostile, tmp_path / "h")
    assert Outline(page).tags == Outline(tame).tags
    text = study_markdown(hostile)
    assert "<script>" not in text
    lines = [len(line.split(" | ")) for line in text.splitlines() if line.startswith("| ")]
    assert lines == [
        len(line.split(" | ")) for line in study_markdown(REPORT).splitlines() if line.startswith("| ")
    ]
    for shown in (text, page, screen_of(hostile)):
        assert not {"\x1b", "\u202e", "\u2066", "\u2028"} & set(shown)


def test_a_folder_that_is_a_file_is_one_message(tmp_path: Path) -> None:
    """The folder is named, and nothing is left behind."""
    (tmp_path / "out").write_text("here")
    with pytest.raises(BadInputError, match="out: cannot be written: "):
        write_study(REPORT, tmp_path / "out")
    assert (tmp_path / "out").read_text() == "here"
