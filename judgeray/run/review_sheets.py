"""Sheets for annotators in a run directory: suspicious sentences, and a sample to measure judges' errors on."""

from __future__ import annotations

from pathlib import Path

import polars as pl
from fsspec.implementations.local import LocalFileSystem

from judgeray.analysis.averaging.review_rows import sampled_rows, suspicious_rows
from judgeray.core.errors import BadInputError
from judgeray.datasets.files import DataFile
from judgeray.datasets.reading import csv_records
from judgeray.report.review_sheet import write_review_sheet
from judgeray.run.resolve import Experiment
from judgeray.studies.averaging.labels import as_recorded
from judgeray.summaries import SplitSummary

REVIEW, SAMPLE = "review", "sample"
"""Names of the sheets: what every judge flags, for `reviews`; and drawn summaries, for `annotations`."""


def write_review_sheets(log: pl.DataFrame, experiment: Experiment, folder: Path) -> None:
    """Write `folder/review.csv` and, where the manifest names no annotations, `folder/sample.csv`, and their pages.

    A sheet on which somebody has written stays as it is, and so does its page.
    """
    spec, documents = experiment.manifest.averaging, _documents(experiment)
    if not is_filled_in(folder / f"{REVIEW}.csv"):
        write_review_sheet(suspicious_rows(log, documents), folder, REVIEW)
    if spec and spec.annotations is None and not is_filled_in(folder / f"{SAMPLE}.csv"):
        write_review_sheet(sampled_rows(log, documents), folder, SAMPLE)


def is_filled_in(sheet: Path) -> bool:
    """Whether there is a sheet with an annotation, or one that some program has made unlike those written here."""
    if not sheet.is_file():
        return False
    records = csv_records(DataFile(str(sheet), str(sheet), LocalFileSystem()))
    try:
        return any(record.get("annotation", "column missing") for record in records)
    except BadInputError:
        return True


def _documents(experiment: Experiment) -> dict[tuple[str, str], str]:
    return {
        (item.summary.dataset, as_recorded(item.summary.document_id)): as_recorded(item.summary.document)
        for source in experiment.sources
        for item in experiment.study.load(source)
        if isinstance(item, SplitSummary)
    }
