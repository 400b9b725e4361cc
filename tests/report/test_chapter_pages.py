"""Chapters in Markdown and on the page: all of them, with cautions and dashes, and nothing in them acts."""

from __future__ import annotations

import json
import re
import unicodedata
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from judgeray.analysis import analyze, read_log
from judgeray.report.chapter import Chapter
from judgeray.report.extras import extras_of
from judgeray.report.facts import facts_of
from judgeray.report.figures.figure import Names
from judgeray.report.markdown import markdown_report
from judgeray.report.page.build import html_report
from judgeray.report.page.chapter_pages import ChapterPage, chapter_pages
from judgeray.report.page.charts import Charts
from judgeray.report.page.embed import chart_library
from judgeray.report.page.grids import MOST_ROWS, Places
from judgeray.report.text import markdown
from judgeray.report.view import View
from judgeray.run.chapters import chapters_of
from tests.report.page_bench import Outline
from tests.run.made_run import HOSTILE

CONDITIONS = ("full", "no_reference", "swapped_reference", "padding_true", "markdown", "cap_64", "cap_512")
DESIGNS = ("C", "H", "H.v2", "S")


def log_rows(questions: int = 4) -> list[dict[str, Any]]:
    """A log with something for most diagnostics: conditions, caps, wordings, the control and replicates."""
    return [
        {"dataset": "d", "judge": judge, "design": design, "condition": condition, "replicate": replicate,
         "question_id": f"q{q}", "row_id": f"q{q}", "label": "supported", "status": "ok", "total_tokens": 90 + q,
         "verdict": "unsupported" if (q + len(design) + len(condition) + replicate) % 3 == 0 else "supported"}
        for judge in ("i",) for design in DESIGNS for condition in CONDITIONS for replicate in (0, 1)
        for q in range(questions)
    ]  # fmt: skip


def label_rows(annotators: tuple[str, ...] = ("ann", "bob", "cid")) -> list[dict[str, str]]:
    """Labels of three people for every row, who differ on some."""
    return [
        {"row_id": f"q{q}", "annotator": name, "label": "unsupported" if (q + n) % 3 == 0 else "supported"}
        for n, name in enumerate(annotators)
        for q in range(4)
    ]


def reported(
    folder: Path, rows: list[dict[str, Any]], labels: list[dict[str, str]] | None = None
) -> tuple[list[Chapter], str, str]:
    """Chapters of a log with labels beside it, and the report in Markdown and HTML."""
    folder.mkdir(exist_ok=True)
    source, beside = folder / "log.parquet", folder / "labels.jsonl"
    pl.DataFrame(rows, infer_schema_length=None).write_parquet(source)
    beside.write_text("".join(json.dumps(row) + "\n" for row in labels or label_rows()), encoding="utf-8")
    log = read_log(source)
    chapters, tables, facts = list(chapters_of(source, log, beside)), analyze(log), facts_of(log, "trial")
    page = html_report(tables, facts, extras_of(log), chapters)
    return chapters, markdown_report(tables, facts, chapters), page


def pages_of(chapters: list[Chapter]) -> list[ChapterPage]:
    """Lay chapters out without a page around them."""
    names = Names(("d",), ("i", "j"), DESIGNS, CONDITIONS)
    places = Places({"dataset": ["d"], "judge": ["i", "j"], "design": DESIGNS, "condition": CONDITIONS})
    return chapter_pages(chapters, places, names, Charts(places))


def chapter_of(*views: View, **tables: pl.DataFrame) -> Chapter:
    """A chapter with these views."""
    return Chapter("mine", "Mine", "nobody", "It means nothing.", tables, views, ("Beware.",))


def test_both_reports_show_every_chapter(tmp_path: Path) -> None:
    """Titles, meanings, sources, cautions and every cell of every view are in Markdown and on the page."""
    chapters, text, page = reported(tmp_path, log_rows())
    assert len(chapters) == 9
    outline = Outline(page)
    headings = [title for _, title in outline.headings]
    for chapter in chapters:
        assert chapter.title in headings
        assert f"\n## {chapter.title}\n" in text
        assert chapter.cautions
        for told in (chapter.meaning, chapter.source, *chapter.cautions):
            assert told in outline.text
            assert markdown(told) in text
        for view in (view for view in chapter.views if view.rows):
            assert view.title in headings
            assert f"\n### {markdown(view.title)}\n" in text
            lines = [" | ".join(map(markdown, row)) for row in (view.header, *view.rows)]
            assert all(f"| {line} |" in text for line in lines)


def test_a_page_holds_all_columns_of_every_table(tmp_path: Path) -> None:
    """What a view leaves out stands folded away below it."""
    chapters, _, page = reported(tmp_path, log_rows())
    for chapter in chapters:
        for name, table in chapter.tables.items():
            if not table.is_empty():
                assert f"All columns: {name.replace('_', ' ').capitalize()}<" in page


def test_chapters_are_a_section_of_their_own(tmp_path: Path) -> None:
    """The contents name it where there are chapters; without any, neither section nor link is there."""
    log = pl.DataFrame([row for row in log_rows() if row["condition"] == "full"])
    log.write_parquet(tmp_path / "plain.parquet")
    plain = read_log(tmp_path / "plain.parquet")
    page = html_report(analyze(plain), facts_of(plain, "trial"), extras_of(plain))
    assert 'id="diagnostics"' not in page
    assert 'href="#diagnostics"' not in page
    with_chapters = html_report(
        analyze(plain), facts_of(plain, "trial"), extras_of(plain), [chapter_of(View("V", ("a",), (("b",),)))]
    )
    assert 'id="diagnostics"' in with_chapters
    assert 'href="#diagnostics"' in with_chapters


def test_the_same_log_gives_the_same_bytes(tmp_path: Path) -> None:
    """Rows and labels in another order change nothing in either report."""
    _, text, page = reported(tmp_path / "a", log_rows())
    _, text_again, page_again = reported(tmp_path / "b", log_rows()[::-1], label_rows()[::-1])
    assert text == text_again
    assert page == page_again


def test_hostile_texts_are_inert(tmp_path: Path) -> None:
    """Names full of markup in log and labels leave the page's elements as tame names do, and Markdown as it was."""
    rows = [
        row | {name: f"{HOSTILE}{row[name]}" for name in ("dataset", "judge", "row_id", "question_id")}
        for row in log_rows()
    ]
    labels = [row | {name: f"{HOSTILE}{row[name]}" for name in ("row_id", "annotator")} for row in label_rows()]
    _, text, page = reported(tmp_path / "h", rows, labels)
    _, tame, tame_page = reported(tmp_path / "t", log_rows())
    assert Outline(page).tags == Outline(tame_page).tags
    assert not re.search(r"<(script|img)[^>]*hacked", page)
    library = chart_library().replace("\n", "").replace("\t", "")
    shown = page.replace("\n", "").replace("\t", "").replace(library, "")
    assert all(unicodedata.category(character) not in ("Cc", "Cs", "Zl", "Zp") for character in shown)
    assert "<script>" not in text
    assert [len(line.split(" | ")) for line in text.splitlines()] == [
        len(line.split(" | ")) for line in tame.splitlines()
    ]  # fmt: skip


@pytest.mark.parametrize(
    "names", [("a", "b", "c"), ("judge", "design", "condition"), ("label", "rows", "standard")]
)
def test_annotators_may_be_called_like_columns(tmp_path: Path, names: tuple[str, str, str]) -> None:
    """A person's name is a heading like any other, whatever tables call their columns."""
    chapters, text, _ = reported(tmp_path, log_rows(), label_rows(names))
    (standards,) = (chapter for chapter in chapters if chapter.name == "label_standards")
    assert set(names) <= set(standards.tables["standard_disagreements"].columns)
    assert f"| {names[0]} |" in text


def test_controls_do_not_hide_what_a_chapter_compares(tmp_path: Path) -> None:
    """Rows follow the page's datasets, judges and designs; conditions are what they compare, so they stay."""
    chapters, _, _ = reported(tmp_path, log_rows())
    letters = {
        letter
        for page in pages_of(chapters) for table in (*page.grids, *page.details) for line in table.lines
        for letter, _ in line.parts
    }  # fmt: skip
    assert letters == {"d", "j", "g"}


@pytest.mark.parametrize(
    ("column", "values"),
    [
        (["+0.120 [+0.010, +0.230]", "-0.500", "—"], ["+0.120", "-0.500", ""]),
        (["1.20e-10", "0.0500"], ["1.20e-10", "0.0500"]),
        (["12", "7", "—"], ["12", "7", ""]),
        (["0.000 [0.000, 0.000]"], ["0.000"]),
        (["12", "C.v2"], None),
        (["1 of 2"], None),
        (["NaN"], None),
        (["٣"], None),
    ],
)
def test_numbers_sort_as_numbers(column: list[str], values: list[str] | None) -> None:
    """A column of numbers, intervals and dashes is sorted by the leading number; any other by its text."""
    view = View("V", ("name", "value"), tuple(("x", cell) for cell in column))
    ((table,),) = (page.grids for page in pages_of([chapter_of(view)]))
    found = [line.cells[1].value for line in table.lines]
    assert found == values if values else set(found) == {None}
    assert [line.cells[1].text for line in table.lines] == column
    assert table.columns[1].digits == (None if values is None else 0)


def test_views_without_rows_are_left_out() -> None:
    """Nothing is drawn of an empty view; a chapter of empty views says so in Markdown."""
    (page,) = pages_of([chapter_of(View("Empty", ("a",), ()), View("Full", ("a",), (("b",),)))])
    assert [table.title for table in page.grids] == ["Full"]


def test_long_tables_are_cut_and_say_so() -> None:
    """A page shows so many rows of a table, in views as in all columns; the rest is in the files."""
    rows = tuple((str(n),) for n in range(MOST_ROWS + 5))
    table = pl.DataFrame({"n": range(MOST_ROWS + 7)})
    (page,) = pages_of([chapter_of(View("Long", ("n",), rows), long=table)])
    assert [(len(grid.lines), grid.left_out) for grid in (*page.grids, *page.details)] == [
        (MOST_ROWS, 5), (MOST_ROWS, 7)
    ]  # fmt: skip


def test_what_is_not_known_is_a_dash() -> None:
    """Null and NaN in a table, and dashes in a view, are dashes that sort last."""
    table = pl.DataFrame({"x": [None, float("nan"), 0.5], "name": ["a", None, "c"]})
    (page,) = pages_of([chapter_of(View("V", ("x",), (("—",), ("1",))), t=table)])
    assert [cell.text for line in page.details[0].lines for cell in line.cells] == [
        "—", "a", "—", "—", "0.5000", "c"
    ]  # fmt: skip
    assert [line.cells[0].value for line in page.grids[0].lines] == ["", "1"]


def test_a_chapter_without_cautions_has_no_list(tmp_path: Path) -> None:
    """No caution, no empty bullet."""
    log = pl.DataFrame(log_rows()).filter(pl.col("condition") == "full")
    log.write_parquet(tmp_path / "plain.parquet")
    plain = read_log(tmp_path / "plain.parquet")
    bare = replace(chapter_of(View("V", ("a",), (("b",),))), cautions=())
    text = markdown_report(analyze(plain), facts_of(plain, "trial"), [bare])
    assert "\n- \n" not in text
    assert "## Mine" in text
