"""Annotations beside the log that they speak of: which part of which whole each one means."""

from __future__ import annotations

import polars as pl

from judgeray.analysis.averaging.annotation_files import FAITHFUL, UNCLEAR
from judgeray.analysis.averaging.parts import PART, parts_of
from judgeray.analysis.columns import shown
from judgeray.analysis.diagnostics.estimates import fitted
from judgeray.analysis.schema import counts, flags, texts
from judgeray.core.errors import BadInputError
from judgeray.sentence_verdicts import Unit

LOCATED = (
    texts("dataset", "document_id", "summary_id")
    | counts("sentence_index", "part", "parts")
    | texts("annotator")
    | flags("clear")
    | counts("faithful")
)
"""Columns of annotations that have found their place: PART first."""

_ID = ("summary_id", "sentence_index", "part")
_LISTED = 3


def located(
    annotations: pl.DataFrame, log: pl.DataFrame, unit: Unit = "sentence", *, partial: bool = False
) -> pl.DataFrame:
    """Find the part of the log that each annotation means: columns of `LOCATED`, sorted.

    `annotations` is as `read_annotations` gives it, without blanks. `clear` is false for Unclear, and `faithful` (0
    or 1) null then. With `partial`, the log holds only some of what was annotated, and the rest is left out.

    Raises BadInputError, naming file, row, column and value, for a part that the log does not have, or has in
    several datasets, and for annotations of claims without a claim_index, or of sentences with one.
    """
    _check_index(annotations, unit)
    is_claim = unit == "claim"
    given = annotations.select(
        "place",
        pl.col("dataset").alias("said"),
        "summary_id",
        pl.col("sentence_index") if is_claim else pl.lit(None, pl.Int64).alias("sentence_index"),
        pl.col("claim_index" if is_claim else "sentence_index").alias("part"),
        *("annotator", "annotation"),
    ).with_row_index("number")
    known = parts_of(log, unit).select(*PART, "parts").unique(PART)
    meant = given.join(known, on=_ID, how="inner", nulls_equal=True, maintain_order="left")
    meant = meant.filter(pl.col("said").is_null() | (pl.col("said") == pl.col("dataset")))
    if not partial:
        _reject_unknown(given.join(meant, on="number", how="anti", maintain_order="left"))
    _reject_ambiguous(meant)
    clear = pl.col("annotation") != UNCLEAR
    faithful = pl.when(clear).then(pl.col("annotation") == FAITHFUL)
    return fitted(meant.with_columns(clear=clear, faithful=faithful), LOCATED).sort(*PART, "annotator")


def _check_index(annotations: pl.DataFrame, unit: Unit) -> None:
    wrong = annotations.filter(pl.col("claim_index").is_null() == (unit == "claim"))
    for row in wrong.head(1).rows(named=True):
        found, allowed = ("nothing", "the index of a claim")
        if unit == "sentence":
            found, allowed = f"'{row['claim_index']}'", "nothing, for sentences are annotated"
        raise BadInputError(f"{row['place']}: claim_index: found {found}, allowed: {allowed}")


def _reject_unknown(unknown: pl.DataFrame) -> None:
    if unknown.is_empty():
        return
    names = [_name(row) for row in unknown.rows(named=True)]
    more = ", ..." if len(names) > _LISTED else ""
    raise BadInputError(
        f"{unknown['place'][0]}: summary_id: found {names[0]}, allowed: those of the log; "
        f"{len(names)} are unknown: {', '.join(names[:_LISTED])}{more}"
    )


def _name(row: dict[str, object]) -> str:
    inside = "" if row["said"] is None else f" of dataset '{shown(row['said'])}'"
    if row["sentence_index"] is None:
        return f"'{shown(row['summary_id'])}' sentence {row['part']}{inside}"
    return f"'{shown(row['summary_id'])}' sentence {row['sentence_index']} claim {row['part']}{inside}"


def _reject_ambiguous(meant: pl.DataFrame) -> None:
    twice = meant.filter(pl.col("number").is_duplicated())
    if twice.is_empty():
        return
    row = twice.row(0, named=True)
    datasets = sorted(set(twice.filter(pl.col("number") == row["number"])["dataset"]))
    held = "several documents" if len(datasets) == 1 else f"datasets {', '.join(map(shown, datasets))}"
    raise BadInputError(
        f"{row['place']}: summary_id: found '{shown(row['summary_id'])}', which stands in {held}; column 'dataset' "
        "must say which"
    )
