"""Sheets for annotators: a CSV file to fill in, and a page to read beside it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

import polars as pl
from markupsafe import Markup, escape

from judgeray import __version__
from judgeray.analysis.averaging.annotation_files import ANNOTATIONS
from judgeray.analysis.write import csv_text, write_whole
from judgeray.report.page.environment import environment
from judgeray.report.text import block

POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
"""Under it a page runs no script and fetches nothing."""

EXCERPT = 30_000
"""Characters of a document that a CSV cell holds; spreadsheets cut cells at 32,767."""


@dataclass(frozen=True)
class SheetWhole:
    """A summary, or a sentence with its claims, on the page: rows are index, text, and whether it is asked."""

    anchor: str
    title: str
    document: Markup | None
    rows: tuple[tuple[str, str, bool], ...]


def write_review_sheet(rows: pl.DataFrame, folder: Path, name: str = "review") -> list[Path]:
    """Write `folder/NAME.csv` and `folder/NAME.html` from rows with the columns of `review_rows.SHEET`.

    The CSV has one row for each sentence that is asked about: dataset, document_id, summary_id, sentence_index,
    claim_index, sentence, document (cut after `EXCERPT` characters, which then says so), and annotation, left
    blank, for `read_review_sheet` or `read_annotations`. The page shows whole documents, and the other sentences
    too. Neither tells what judges or people said before. Text from data is shown, never obeyed; the same rows
    give the same bytes.
    """
    folder.mkdir(parents=True, exist_ok=True)
    sheet, page = folder / f"{name}.csv", folder / f"{name}.html"
    write_whole(sheet, csv_text(_sheet(rows)))
    write_whole(page, _page(rows, sheet.name))
    return [sheet, page]


def _sheet(rows: pl.DataFrame) -> pl.DataFrame:
    cut = [_excerpt(text) for text in rows["document"]]
    shown = rows.with_columns(pl.Series("document", cut, pl.String), annotation=pl.lit(None, pl.String))
    return shown.filter("asked").drop("asked")


def _excerpt(document: str | None) -> str | None:
    if document is None or len(document) <= EXCERPT:
        return document
    return f"{document[:EXCERPT]} [{len(document) - EXCERPT:,} characters left out; the page has them]"


def _page(rows: pl.DataFrame, sheet: str) -> str:
    wholes = tuple(_wholes(rows))
    asked = int(rows["asked"].sum())
    return environment("judgeray.report", "page").get_template("review.html.j2").render(
        version=__version__, policy=POLICY, sheet=sheet, asked=asked, answers=ANNOTATIONS, wholes=wholes
    )  # fmt: skip


def _wholes(rows: pl.DataFrame) -> Iterator[SheetWhole]:
    for number, (_, found) in enumerate(groupby(rows.to_dicts(), _whole), 1):
        parts = list(found)
        yield SheetWhole(f"whole-{number}", _title(parts[0]), _shown(parts), tuple(map(_line, parts)))


def _whole(row: dict[str, Any]) -> Sequence[object]:
    sentence = None if row["claim_index"] is None else row["sentence_index"]
    return row["dataset"], row["document_id"], row["summary_id"], sentence


def _title(row: dict[str, Any]) -> str:
    of_claims = "" if row["claim_index"] is None else f", claims of sentence {row['sentence_index']}"
    return f"{row['dataset']}: {row['summary_id']}{of_claims}"


def _shown(parts: list[dict[str, Any]]) -> Markup | None:
    document = parts[0]["document"]
    return None if document is None else escape(block(document))


def _line(row: dict[str, Any]) -> tuple[str, str, bool]:
    index = row["sentence_index"] if row["claim_index"] is None else row["claim_index"]
    return str(index), row["sentence"], row["asked"]
