"""Files of what people said of single sentences or claims: filled-in sheets, every defect named with its row."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from judgeray.analysis.columns import shown
from judgeray.analysis.schema import counts, texts
from judgeray.analysis.scores.records import needed_text, optional_text, places
from judgeray.core.errors import BadInputError, bad_value
from judgeray.datasets.cells import Place, count_in

FAITHFUL, UNFAITHFUL, UNCLEAR = ANNOTATIONS = ("Faithful", "Unfaithful", "Unclear")
"""What an annotator may say (study 3, appendix C); unclear are fragments without a claim that could be checked."""

ANNOTATOR = "annotator"
"""Who filled in a file that does not say."""

NEEDED = ("summary_id", "sentence_index", "annotation")
OPTIONAL = ("dataset", "claim_index", "annotator")

SCHEMA = (
    texts("place", "dataset", "summary_id")
    | counts("sentence_index", "claim_index")
    | texts("annotator", "annotation")
)
"""Columns of what is read; `place` names file and row."""

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def read_annotations(path: Path) -> pl.DataFrame:
    """Read annotations of sentences, or of claims, from a CSV, JSON, JSONL or Parquet file: columns of `SCHEMA`.

    The file has columns summary_id, sentence_index (from 0) and annotation (Faithful, Unfaithful or Unclear), and
    may have dataset (needed where summary ids are not unique over datasets), claim_index (from 0, for annotations
    of claims) and annotator. Further columns are left unread.

    Raises BadInputError, naming file, row, column, value found and what is allowed, for a file that cannot be read,
    is empty or lacks a column, an empty or unknown value, and a sentence annotated twice by one annotator.
    """
    return _read(path, blank=False)


def read_review_sheet(path: Path) -> pl.DataFrame:
    """Read a sheet of `write_review_sheet` that an annotator filled in: columns of `SCHEMA`.

    As `read_annotations`, but an annotation may still be blank; it is null then. Raises BadInputError also for a
    sheet on which nothing is filled in.
    """
    sheet = _read(path, blank=True)
    if sheet["annotation"].is_null().all():
        raise BadInputError(f"{path}: annotation: found nothing in any row, allowed: {', '.join(ANNOTATIONS)}")
    return sheet


def _read(path: Path, *, blank: bool) -> pl.DataFrame:
    fields = {name: (name,) for name in (*NEEDED, *OPTIONAL)}
    rows = [_row(place, blank) for place in places(path, fields, NEEDED)]
    found = pl.DataFrame(rows, schema=SCHEMA, orient="row")
    _reject_twice(found)
    return found


def _row(place: Place, blank: bool) -> Sequence[str | int | None]:
    dataset = optional_text(place, "dataset")
    index = count_in(place, "sentence_index")
    if index is None:
        raise BadInputError(f"{place.row}: sentence_index: found nothing, allowed: a whole number from 0")
    annotation = optional_text(place, "annotation")
    if annotation not in ANNOTATIONS and not (blank and annotation is None):
        raise bad_value(place.row, "annotation", shown(annotation or ""), ANNOTATIONS)
    return (
        place.row,
        None if dataset is None else _written(dataset),
        _written(needed_text(place, "summary_id")),
        index,
        count_in(place, "claim_index"),
        optional_text(place, "annotator") or ANNOTATOR,
        annotation,
    )


def _written(text: str) -> str:
    """Take off the apostrophe that a sheet puts before what a spreadsheet would take for a formula."""
    return text[1:] if text.startswith("'") and text[1:].startswith(_FORMULA_STARTS) else text


def _reject_twice(found: pl.DataFrame) -> None:
    keys = ("dataset", "summary_id", "sentence_index", "claim_index", "annotator")
    later = found.filter(~pl.struct(keys).is_first_distinct())
    for row in later.head(1).rows(named=True):
        of_claim = "" if row["claim_index"] is None else f", claim {row['claim_index']}"
        raise BadInputError(
            f"{row['place']}: summary_id: found '{shown(row['summary_id'])}', sentence {row['sentence_index']}"
            f"{of_claim} a second time by annotator '{shown(row['annotator'])}', allowed: one each"
        )
