"""Sheets for annotators: a CSV that reads back, and a page on which nothing acts."""

from __future__ import annotations

import csv
import re
from pathlib import Path
from typing import Any

import polars as pl

from judgeray.analysis.averaging.annotation_files import read_annotations, read_review_sheet
from judgeray.analysis.averaging.review_rows import SHEET
from judgeray.report.review_sheet import EXCERPT, write_review_sheet
from tests.report.page_bench import Outline
from tests.run.made_run import HOSTILE


def sheet_rows(*given: dict[str, Any]) -> pl.DataFrame:
    """Rows of a sheet; all that is not given is tame."""
    base = {"dataset": "d", "document_id": "a", "summary_id": "a:1", "sentence_index": 0, "claim_index": None,
            "sentence": "It rains.", "document": "It rained all day.", "asked": True}  # fmt: skip
    return pl.DataFrame([base | row for row in given], schema=SHEET)


def cells(path: Path) -> list[dict[str, str]]:
    """Rows of a CSV file."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_the_csv_asks_for_what_is_asked(tmp_path: Path) -> None:
    """One row a sentence to annotate, the annotation blank; nothing tells what judges or people said."""
    rows = sheet_rows({}, {"sentence_index": 1, "asked": False, "sentence": "Nobody objects."})
    sheet, page = write_review_sheet(rows, tmp_path / "new")
    assert (sheet.name, page.name) == ("review.csv", "review.html")
    assert cells(sheet) == [
        {"dataset": "d", "document_id": "a", "summary_id": "a:1", "sentence_index": "0", "claim_index": "",
         "sentence": "It rains.", "document": "It rained all day.", "annotation": ""}
    ]  # fmt: skip
    text = page.read_text("utf-8")
    assert "Nobody objects." in text
    assert text.count('<tr class="asked">') == 1
    assert not re.search(r"judge [^a]|flagged|label", Outline(text).text)


def test_a_filled_in_sheet_reads_back(tmp_path: Path) -> None:
    """Ids survive what protects a spreadsheet from them, and half a sheet is half filled in."""
    ids = ("-5", "=cmd()", "plain", "a,b", 'say "x"', "@x")
    rows = sheet_rows(*({"summary_id": name, "sentence": "=SUM(A1)"} for name in ids))
    sheet, _ = write_review_sheet(rows, tmp_path)
    assert all(row["sentence"] == "'=SUM(A1)" for row in cells(sheet))
    lines = sheet.read_text("utf-8").splitlines()
    sheet.write_text(
        "\n".join([lines[0], *(line + "Unfaithful" for line in lines[1:4]), *lines[4:]]) + "\n", "utf-8"
    )
    found = read_review_sheet(sheet)
    assert found["summary_id"].to_list() == list(ids)
    assert found["annotation"].to_list() == ["Unfaithful"] * 3 + [None] * 3
    sheet.write_text("\n".join([lines[0], *(line + "Faithful" for line in lines[1:])]) + "\n", "utf-8")
    assert read_annotations(sheet)["annotation"].to_list() == ["Faithful"] * 6


def test_text_is_shown_never_obeyed(tmp_path: Path) -> None:
    """Markup, templates and control characters in every text leave the page's elements as they are without."""
    columns = ("dataset", "document_id", "summary_id", "sentence", "document")
    hostile = dict.fromkeys(columns, HOSTILE + "</pre></td><form action=x>")
    _, page = write_review_sheet(sheet_rows(hostile), tmp_path / "h")
    _, tame = write_review_sheet(sheet_rows({}), tmp_path / "t")
    text = page.read_text("utf-8")
    assert Outline(text).tags == Outline(tame.read_text("utf-8")).tags
    assert "{{7*7}}" in text
    assert not {"\x1b", "\u202e", "\x00"} & set(text)


def test_the_page_is_inert(tmp_path: Path) -> None:
    """No script, no form, no address; the policy allows none."""
    _, page = write_review_sheet(sheet_rows({}), tmp_path)
    outline = Outline(page.read_text("utf-8"))
    assert not {"script", "form", "img", "iframe", "link", "a"} & set(outline.tags)
    policy = next(value for _, name, value in outline.attributes if name == "content" and "default-src" in value)
    assert policy == "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
    assert not [value for _, name, value in outline.attributes if name in ("src", "href", "action")]


def test_long_documents_are_cut_in_the_csv_alone(tmp_path: Path) -> None:
    """A spreadsheet's cell has an end; the cell says so and the page has it all. Line breaks stay."""
    document = "first line\nsecond line\n" + "z" * EXCERPT
    sheet, page = write_review_sheet(sheet_rows({"document": document}), tmp_path)
    (row,) = cells(sheet)
    assert row["document"].endswith("z [23 characters left out; the page has them]")
    assert len(row["document"]) < 32_767
    assert document in page.read_text("utf-8")


def test_summaries_stand_apart_with_their_document(tmp_path: Path) -> None:
    """One section a summary; claims are headed by their sentence; a document that is not at hand is missed."""
    rows = sheet_rows(
        {}, {"sentence_index": 1}, {"summary_id": "a:2", "document": None},
        *({"summary_id": "a:3", "sentence_index": 2, "claim_index": claim} for claim in (0, 1)),
    )  # fmt: skip
    headings = [text for level, text in Outline(write_review_sheet(rows, tmp_path)[1].read_text("utf-8")).headings]
    assert headings == ["Sentences to annotate", "d: a:1", "d: a:2", "d: a:3, claims of sentence 2"]
    assert "The document is not at hand." in (tmp_path / "review.html").read_text("utf-8")


def test_the_same_rows_give_the_same_bytes(tmp_path: Path) -> None:
    """Twice, and under another name."""
    first = [path.read_bytes() for path in write_review_sheet(sheet_rows({}), tmp_path / "a")]
    assert [path.read_bytes() for path in write_review_sheet(sheet_rows({}), tmp_path / "b")] == first
    named = write_review_sheet(sheet_rows({}), tmp_path / "c", "sample")
    assert [path.name for path in named] == ["sample.csv", "sample.html"]
    assert b"sample.csv" in named[1].read_bytes()


def test_nothing_to_review_is_an_empty_sheet(tmp_path: Path) -> None:
    """A header, and a page that says 0."""
    sheet, page = write_review_sheet(sheet_rows(), tmp_path)
    assert cells(sheet) == []
    assert "0 sentences in 0 texts" in page.read_text("utf-8")
