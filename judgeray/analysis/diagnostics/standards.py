"""Label standards: labels of construction beside those that people gave the same rows (study 1, section 6.1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from judgeray.analysis.columns import shown
from judgeray.analysis.diagnostics.standard_files import Annotation, read_annotations
from judgeray.analysis.schema import texts
from judgeray.core.errors import BadInputError
from judgeray.rows import LABELS

CONSTRUCTION = "construction"
MAJORITY = "majority"
ALL_ANNOTATORS = "all annotators"
ROW = ("row_id", "dataset", "question_id", "variant")

SCHEMA = texts("standard", *ROW, "label")

_RESERVED = (CONSTRUCTION, MAJORITY, ALL_ANNOTATORS, *ROW)
_FEW_ANNOTATORS = 3
_FEW_VOICES = 2
_LISTED = 3


@dataclass(frozen=True, slots=True)
class _Row:
    """A row of the log, and the label of its construction."""

    row_id: str
    dataset: str
    question_id: str
    variant: str | None
    label: str


Labelled = dict[tuple[str, _Row], str]
"""Labels by annotator and row."""


def read_standards(
    path: Path, log: pl.DataFrame, labels: Sequence[str] = LABELS, *, partial: bool = False
) -> pl.DataFrame:
    """Read hand labels of rows of `log`, from a CSV, JSONL or Parquet file, as standards: one row a label.

    The file has columns row_id, label, and may have annotator (else all is by `annotator`) and dataset (needed
    only where row ids are not unique over datasets). Columns of the result are those of `SCHEMA`. Standards are
    `construction` (the log's own label, on every row that someone labelled), each annotator, and with three or more
    annotators `majority`: the label that most of a row's annotators gave, at least two of them; a tie is no label.

    With `partial`, the log holds only some of the rows that were labelled, and labels of others are left out.

    Raises BadInputError, naming file, row, column, value found and what is allowed, for a file that cannot be
    read, is empty, is not UTF-8 or lacks a column, and for a row id that the log does not have or has in several
    datasets, an unknown label, and a row labelled twice by one annotator.
    """
    annotations = read_annotations(path, labels, _RESERVED)
    if partial:
        known = set(log.select(pl.col("row_id", "dataset").cast(pl.String)).unique().rows())
        present = {row_id for row_id, _ in known}
        annotations = [
            a for a in annotations if ((a.row_id, a.dataset) in known if a.dataset else a.row_id in present)
        ]
    rows = _resolved(annotations, log)
    labelled: Labelled = {}
    for annotation, row in zip(annotations, rows, strict=True):
        key = (annotation.annotator, row)
        if key in labelled:
            raise BadInputError(
                f"{annotation.place}: row_id: found '{shown(row.row_id)}' a second time by annotator "
                f"'{shown(annotation.annotator)}', allowed: one label a row and annotator"
            )
        labelled[key] = annotation.label
    constructed = {(CONSTRUCTION, row): row.label for row in rows}
    return _frame(constructed | labelled | _majority(labelled))


def standard_names(standards: pl.DataFrame) -> list[str]:
    """List standards: construction first, annotators by name, majority last."""
    names = standards["standard"].unique().to_list()
    return sorted(names, key=lambda name: (name == MAJORITY, name != CONSTRUCTION, name))


def annotators(standards: pl.DataFrame) -> list[str]:
    """List the annotators, by name."""
    return [name for name in standard_names(standards) if name not in (CONSTRUCTION, MAJORITY)]


def _resolved(annotations: Sequence[Annotation], log: pl.DataFrame) -> list[_Row]:
    """Find the row of the log that each annotation means."""
    known = _rows_by_id(log, {annotation.row_id for annotation in annotations})
    meant = [
        [row for row in known.get(a.row_id, []) if a.dataset is None or row.dataset == a.dataset]
        for a in annotations
    ]
    unknown = [annotation for annotation, rows in zip(annotations, meant, strict=True) if not rows]
    if unknown:
        raise _not_in_log(unknown)
    for annotation, rows in zip(annotations, meant, strict=True):
        if len(rows) > 1:
            datasets = ", ".join(f"'{shown(row.dataset)}'" for row in rows)
            raise BadInputError(
                f"{annotation.place}: row_id: found '{shown(annotation.row_id)}', which stands in datasets "
                f"{datasets}; column 'dataset' must say which"
            )
    return [rows[0] for rows in meant]


def _rows_by_id(log: pl.DataFrame, ids: set[str]) -> dict[str, list[_Row]]:
    columns = [pl.col(name).cast(pl.String) for name in (*ROW, "label")]
    mentioned = log.filter(pl.col("row_id").cast(pl.String).is_in(list(ids)))
    found: dict[str, list[_Row]] = {}
    distinct = mentioned.select(columns).unique().sort(*ROW).unique(("row_id", "dataset"), keep="first")
    for values in distinct.sort("row_id", "dataset").rows():
        row = _Row(*values)
        found.setdefault(row.row_id, []).append(row)
    return found


def _not_in_log(unknown: list[Annotation]) -> BadInputError:
    first = unknown[0]
    named = list(dict.fromkeys(annotation.row_id for annotation in unknown))
    listed = ", ".join(f"'{shown(row_id)}'" for row_id in named[:_LISTED])
    more = ", ..." if len(named) > _LISTED else ""
    inside = "" if first.dataset is None else f" of dataset '{shown(first.dataset)}'"
    return BadInputError(
        f"{first.place}: row_id: found '{shown(first.row_id)}'{inside}, allowed: ids of the log's rows; "
        f"{len(named)} row ids are unknown: {listed}{more}"
    )


def _majority(labelled: Labelled) -> Labelled:
    if len({annotator for annotator, _ in labelled}) < _FEW_ANNOTATORS:
        return {}
    votes: dict[_Row, Counter[str]] = {}
    for (_, row), label in labelled.items():
        votes.setdefault(row, Counter())[label] += 1
    chosen: Labelled = {}
    for row, counter in votes.items():
        (label, most), *others = counter.most_common(2)
        if most >= _FEW_VOICES and all(votes < most for _, votes in others):
            chosen[MAJORITY, row] = label
    return chosen


def _frame(labelled: Labelled) -> pl.DataFrame:
    found = [
        (standard, row.row_id, row.dataset, row.question_id, row.variant, label)
        for (standard, row), label in labelled.items()
    ]
    return pl.DataFrame(found, schema=SCHEMA, orient="row").sort("standard", "dataset", "row_id")
