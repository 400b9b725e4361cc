"""The report of an averaging study: a run directory, or a Parquet file of its sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from judgeray.analysis.averaging.annotation_files import read_annotations, read_review_sheet
from judgeray.analysis.averaging.caching import UncachedCost
from judgeray.analysis.averaging.review_rows import suspicious_rows
from judgeray.analysis.averaging.tables import averaging_tables
from judgeray.core.errors import BadInputError, bad_value
from judgeray.report.extras import read_provenance
from judgeray.report.review_sheet import write_review_sheet
from judgeray.report.study_report import StudyReport
from judgeray.run.annotated import ANNOTATIONS
from judgeray.run.reopen import reopen
from judgeray.run.resolve import Experiment
from judgeray.sentence_verdicts import SENTENCE_SCHEMA
from judgeray.studies.averaging.chapters import averaging_chapters
from judgeray.summaries import SplitSummary

METHODS = (
    "A summary counts for a judge where all its sentences have a label.",
    "Summaries of one sentence are left out: minimum and mean are the same there.",
    "Soft labels are p(1) / (p(0) + p(1)) at the place of the label; null where the provider tells none.",
    "Intervals are 95% percentile intervals from 10,000 bootstrap resamples of documents, PCG64 seed 42.",
    "The threshold is the smallest error rate at which minimum and mean correlate alike with an unbiased rater.",
    "It is in closed form, for the lengths of the dataset and the measured share of faithful sentences.",
    "A dash means not known or not defined, never zero.",
)


def averaging_report(source: Path, name: str, notes: Sequence[str] = ()) -> StudyReport:
    """Read and analyse judged sentences; in a run directory, also write the sheet for reviewers.

    Raises BadInputError for a log, annotations or reviews that do not fit.
    """
    log = _read(source)
    experiment, provenance = _reopened(source), read_provenance(source) if source.is_dir() else None
    options: Mapping[str, Any] = (provenance or {}).get("options", {})
    tables = averaging_tables(
        log,
        _annotations(source),
        _reviews(provenance),
        _uncached_cost(experiment) if experiment else None,
        partial=options.get("limit") is not None,
    )
    if experiment:
        write_review_sheet(suspicious_rows(log, _documents(experiment)), source / "review")
    return StudyReport(
        name=name,
        rows=log.height,
        simulated=int(log["simulated"].sum()),
        facts=list(_facts(log)),
        datasets=sorted(log["dataset"].unique()),
        judges=sorted(log["judge"].unique()),
        chapters=list(averaging_chapters(tables)),
        methods=METHODS,
        claims=[*notes, *_claims(log)],
        provenance=provenance,
        on_screen=("dataset", "judge", "score", "min", "mean", "mean >= min"),
    )


def _read(source: Path) -> pl.DataFrame:
    """Read judged sentences. Raises BadInputError for anything that is no such log."""
    if not source.is_dir() and source.suffix != ".parquet":
        raise bad_value(str(source), "suffix", source.suffix, (".parquet",))
    files = sorted((source / "sentences").rglob("*.parquet")) if source.is_dir() else [source]
    log = pl.read_parquet(files, hive_partitioning=False)
    for column in SENTENCE_SCHEMA.names:
        if column not in log.columns:
            raise BadInputError(
                f"{source}: column '{column}' is missing; needed: {', '.join(SENTENCE_SCHEMA.names)}"
            )
    return log


def _reopened(source: Path) -> Experiment | None:
    """The experiment behind a run directory, where its files are still there."""
    try:
        return reopen(source) if source.is_dir() else None
    except BadInputError:
        return None


def _annotations(source: Path) -> pl.DataFrame | None:
    path = source / ANNOTATIONS
    return read_annotations(path) if source.is_dir() and path.is_file() else None


def _reviews(provenance: Mapping[str, Any] | None) -> pl.DataFrame | None:
    stated = ((provenance or {}).get("manifest") or {}).get("averaging") or {}
    return read_review_sheet(Path(stated["reviews"])) if stated.get("reviews") else None


def _uncached_cost(experiment: Experiment) -> UncachedCost:
    def cost(judge: str, input_tokens: int, output_tokens: int) -> float | None:
        asked = experiment.judges[judge]
        return experiment.prices.cost(asked.provider, asked.model, input_tokens, output_tokens)

    return cost


def _documents(experiment: Experiment) -> dict[tuple[str, str], str]:
    return {
        (item.summary.dataset, item.summary.document_id): item.summary.document
        for source in experiment.sources
        for item in experiment.study.load(source)
        if isinstance(item, SplitSummary)
    }


def _facts(log: pl.DataFrame) -> Iterator[tuple[str, str]]:
    counts = dict(sorted(log.group_by("status").len().rows()))
    told = ", ".join(f"{count} {status}" for status, count in counts.items())
    yield "Judgments", f"{log.height} ({told})"
    yield "Summaries", str(log.select("dataset", "summary_id").n_unique())
    yield "Documents", str(log.select("dataset", "document_id").n_unique())
    for title, column in (("Datasets", "dataset"), ("Judges", "judge")):
        yield title, ", ".join(sorted(log[column].unique()))
    known = log["cost_usd"].drop_nulls()
    yield "Cost", f"{known.sum():.4f} USD" if len(known) else "not known"


def _claims(log: pl.DataFrame) -> Iterator[str]:
    soft = log.group_by("judge").agg(pl.col("soft").is_not_null().any().alias("has")).sort("judge")
    for judge in soft.filter(~pl.col("has"))["judge"]:
        yield f"Judge {judge} has no soft labels: its provider told no log-probabilities, or was not asked to."
    if log["faithful"].is_null().any():
        without = log["faithful"].null_count()
        yield f"{without} of {log.height} sentences have no label; their summaries are left out."
