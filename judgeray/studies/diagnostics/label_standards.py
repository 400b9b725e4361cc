"""Label standards: the same verdicts against other people's labels (study 1, section 6.1, Tables 4, 13, 14)."""

from __future__ import annotations

import polars as pl
from pydantic import Field

from judgeray.analysis.diagnostics.standard_accuracy import standard_accuracy
from judgeray.analysis.diagnostics.standard_agreement import standard_agreement
from judgeray.analysis.diagnostics.standard_contrasts import standard_contrasts
from judgeray.analysis.diagnostics.standard_disagreements import standard_disagreements
from judgeray.report.chapter import Chapter
from judgeray.report.view import View, in_order
from judgeray.studies.diagnostics.diagnostic import Diagnostic, StudyLog, no_arms
from judgeray.studies.diagnostics.shapes import change, listing, number, pivot, share, text_of
from judgeray.studies.spec import LogSpec

_SHOWN = 100


class LabelStandardsSpec(LogSpec):
    """Where the other labels are."""

    path: str = Field(description="CSV, JSONL or Parquet with row_id, label and, where several label, annotator.")


def chapter(log: StudyLog) -> Chapter | None:
    """Score every arm against every standard, and show where the order of designs turns round."""
    if log.standards is None:
        return None
    agreement = standard_agreement(log.standards)
    accuracy = standard_accuracy(log.verdicts, log.standards)
    contrasts = standard_contrasts(log.verdicts, log.standards)
    rows = standard_disagreements(log.standards)
    tables = {
        "standard_agreement": agreement,
        "standard_accuracy": accuracy,
        "standard_contrasts": contrasts,
        "standard_disagreements": rows,
    }
    return Chapter(
        "label_standards",
        "Label standards",
        "study 1 (arXiv 2603.28005), section 6.1, Tables 4, 13 and 14",
        "Accuracy is agreement with a standard. The same verdicts are scored against the labels of the dataset "
        "(construction) and against those of each annotator.",
        tables,
        (
            _agreement(agreement),
            _accuracy(accuracy, log.grid.main),
            _reversals(contrasts, log.grid.main),
            _rows(rows),
        ),
        (
            (
                "Only rows that a standard labels count for it. Where standards differ on few rows, differences of "
                "a row or two decide the order."
            ),
            (
                "One annotator is one standard, not the truth; agreement between several shows how well it can be "
                "repeated."
            ),
        ),
    )


def _agreement(table: pl.DataFrame) -> View:
    columns = {name: text_of(name) for name in ("dataset", "a", "b", "rows", "agree")}
    measures = {
        "share": number("share", 3), "kappa": share("cohen_kappa"), "alpha": share("krippendorff_alpha"),
    }  # fmt: skip
    return listing("Agreement between standards", table, columns | measures)


def _accuracy(table: pl.DataFrame, condition: str) -> View:
    """Show rows correct by standard: standards and judges down, designs across (study 1, Tables 4 and 13)."""
    pooled = table.filter(pl.col("dataset").is_null() & (pl.col("condition") == condition))
    designs = in_order(pooled["design"])
    spelled = share("accuracy")
    return pivot(
        "Rows correct, all datasets together",
        pooled,
        ("standard", "judge"),
        "design",
        designs,
        lambda row: f"{row['right']} of {row['rows']}: {spelled(row)}",
    )


def _reversals(table: pl.DataFrame, condition: str) -> View:
    turned = table.filter(pl.col("reversed") & (pl.col("condition") == condition))
    columns = {name: text_of(name) for name in ("dataset", "judge", "condition", "a", "b", "standard")}
    measures = {"Δ construction": change("delta_construction"), "Δ standard": change("delta_standard")}
    return listing("Orders that turn round", turned, columns | measures)


def _rows(table: pl.DataFrame) -> View:
    columns = {name: text_of(name) for name in table.columns}
    return listing(f"Rows on which standards differ (first {_SHOWN})", table.head(_SHOWN), columns)


LABEL_STANDARDS = Diagnostic("label_standards", LabelStandardsSpec, no_arms, chapter)
