"""Rows whose candidate a model wrote: found in a log by dataset and variant (study 1, section 6.2)."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from judgeray.analysis.diagnostics.judged import judged

SUFFIX = ".generated"
"""Ends the name of a dataset of generated answers; what stands before it is the dataset of the questions."""

FULL, PARTIAL = "full", "partial"

ANSWER = ("source", "question_id", "generator")
"""What makes a generated answer one."""

_VARIANT = rf"(?s)^(.+)\.({FULL}|{PARTIAL})$"


def generated_rows(log: pl.DataFrame) -> pl.DataFrame:
    """Give the columns of `judged` for the rows of generated answers, and source, generator and length.

    A dataset of generated answers is named SOURCE.generated, a variant GENERATOR.full or GENERATOR.partial, parted
    at the last dot. All other rows are left out.
    """
    rows = judged(log.filter(pl.col("dataset").cast(pl.String).str.ends_with(SUFFIX)))
    return rows.with_columns(
        source=source_of(pl.col("dataset")),
        generator=pl.col("variant").str.extract(_VARIANT, 1),
        length=pl.col("variant").str.extract(_VARIANT, 2),
    ).filter(pl.col("generator").is_not_null())


def source_of(dataset: pl.Expr) -> pl.Expr:
    """Name the dataset whose questions are answered."""
    return dataset.str.strip_suffix(SUFFIX)


def mapped(name: pl.Expr, values: Mapping[str, str]) -> pl.Expr:
    """Look names up; null where one is not listed."""
    return name.replace_strict(list(values), list(values.values()), default=None, return_dtype=pl.String)
