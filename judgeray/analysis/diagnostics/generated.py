"""Table `generated`: judges on answers that models wrote, whole and cut (study 1, Tables 11 and 12)."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from judgeray.analysis import schema
from judgeray.analysis.diagnostics.estimates import Measure, fitted, interval, with_estimates
from judgeray.analysis.diagnostics.generated_rows import (
    ANSWER,
    FULL,
    PARTIAL,
    generated_rows,
    mapped,
    source_of,
)
from judgeray.analysis.schema import counts, flags, numbers

KEY = ("dataset", "generator", "judge", "design", "condition")

_PARTS = ("full", "partial")
_MEASURES = (
    *(Measure(f"{part}_accuracy", f"{part}_right", f"{part}_rows") for part in _PARTS),
    Measure("accuracy", "right", "rows"),
    Measure("accuracy_without_identical", "different_right", "different_rows"),
)
_SUMS = [column for measure in _MEASURES for column in (measure.counts, measure.sums)]
_SCHEMA = (
    schema.texts(*KEY)
    | counts("full_rows", "full_right")
    | numbers(*interval("full_accuracy"))
    | counts("partial_rows", "partial_right")
    | numbers(*interval("partial_accuracy"))
    | counts("rows", "right")
    | numbers(*interval("accuracy"))
    | counts("unsettled", "identical_rows", "different_rows", "different_right")
    | numbers(*interval("accuracy_without_identical"))
    | flags("self_judged")
    | counts("self_judged_rows")
)


def generated(log: pl.DataFrame, texts: pl.DataFrame, models: Mapping[str, str]) -> pl.DataFrame:
    """Tabulate dataset, generator (null for all), judge, design, condition, and accuracies on nominal labels.

    `log` is a verdict log (see `generated_rows`), `texts` has the columns of `TEXT_SCHEMA`, `models` names
    the model behind each judge and generator.

    - full_rows, full_right, full_accuracy with interval, the same for `partial` and for all rows: `rows` are
      settled, `unsettled` counts the others. Replicates are rows.
    - identical_rows: partial rows whose text is the whole answer plus a period; null where no text is known.
      `accuracy_without_identical` with interval: over the rows, full and partial, of answers whose partial is
      known to differ (`different_right` of `different_rows`).
    - self_judged: whether rows are there whose answer was written by the judge's model; `self_judged_rows` counts
      them. Null where a model is not known.

    Both labels are noisy: a written answer need not cover the reference. Intervals are clustered by question, with
    both generators' answers in one cluster. Null where nothing is known.
    """
    rows = _rows(log, texts, models)
    pooled = pl.concat([rows, rows.with_columns(generator=pl.lit(None, pl.String))])
    questions = pooled.group_by(*KEY, "question_id").agg(pl.col(_SUMS).sum())
    table = pooled.group_by(KEY).agg(
        pl.col(_SUMS).sum(),
        (~pl.col("settled")).sum().alias("unsettled"),
        _known_sum("identical_rows"),
        pl.col("own").any(ignore_nulls=False).alias("self_judged"),
        pl.when(pl.col("own").is_not_null().all()).then(pl.col("own_rows").sum()).alias("self_judged_rows"),
    )
    return fitted(with_estimates(table, questions, KEY, _MEASURES), _SCHEMA).sort(KEY)


def _rows(log: pl.DataFrame, texts: pl.DataFrame, models: Mapping[str, str]) -> pl.DataFrame:
    """Mark each row's part in every sum."""
    rows = generated_rows(log).join(_identical(texts), on=ANSWER, how="left")
    full, partial = (pl.col("length") == length for length in (FULL, PARTIAL))
    settled, right, same = pl.col("settled"), pl.col("right"), pl.col("identical")
    different = (~same).fill_null(value=False)
    own = mapped(pl.col("judge"), models) == mapped(pl.col("generator"), models)
    marks = {
        "full_rows": settled & full,
        "full_right": right & full,
        "partial_rows": settled & partial,
        "partial_right": right & partial,
        "rows": settled,
        "right": right,
        "different_rows": settled & different,
        "different_right": right & different,
        "identical_rows": settled & partial & same,
        "own_rows": settled & own,
    }
    numbered = [mark.cast(pl.Int64).alias(name) for name, mark in marks.items() if name != "right"]
    return rows.with_columns(*numbered, own.alias("own"), right.cast(pl.Int64))


def _identical(texts: pl.DataFrame) -> pl.DataFrame:
    source, *answer = ANSWER
    named = texts.select(
        source_of(pl.col("dataset").cast(pl.String)).alias(source),
        *(pl.col(name).cast(pl.String) for name in answer),
        pl.col("identical").cast(pl.Boolean),
    )
    return named.group_by(ANSWER).agg(pl.col("identical").any(ignore_nulls=False))


def _known_sum(name: str) -> pl.Expr:
    """Sum what is known; null where nothing is."""
    return pl.when(pl.col(name).is_not_null().any()).then(pl.col(name).sum()).alias(name)
