"""The report of a scores log: a run directory of a perturbation study, or any file of scores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from judgeray.analysis.scores.choices import read_choices
from judgeray.analysis.scores.log import read_scores
from judgeray.report.extras import read_provenance
from judgeray.report.study_report import StudyReport
from judgeray.studies.perturbation.chapters import ScoreLog, score_chapters

METHODS = (
    (
        "Kendall's tau is tau-b between level and score within a question, averaged over questions. Pearson is "
        "over all answers. Replicates of an answer are averaged first."
    ),
    "A score that is not there (unparsed, refused, undelivered, not defined) is left out and counted.",
    "Intervals are 95% percentile intervals from 10,000 bootstrap resamples of questions, PCG64 seed 42.",
    "p is the exact two-sided sign test on questions; Holm adjusts it over its table.",
    "A dash means not known or not defined, never zero.",
)


def scores_report(source: Path, name: str, notes: Sequence[str] = ()) -> StudyReport:
    """Read and analyse scores. Raises BadInputError for a log, a choices file or joined scores that do not fit."""
    provenance = read_provenance(source) if source.is_dir() else None
    stated: Mapping[str, Any] = ((provenance or {}).get("manifest") or {}).get("perturbation") or {}
    scores = _joined(read_scores(source), stated.get("scores"))
    choices = read_choices(stated["choices"]) if stated.get("choices") else None
    ladders = _ladders(source / "ladders")
    return StudyReport(
        name=name,
        rows=scores.height,
        simulated=int(scores["simulated"].sum()),
        facts=list(_facts(scores)),
        datasets=sorted(scores["dataset"].unique()),
        judges=sorted(scores["judge"].unique()),
        chapters=list(score_chapters(ScoreLog(scores, ladders, choices))),
        methods=METHODS,
        claims=[*notes, *_claims(scores)],
        provenance=provenance,
        on_screen=("metric", "judge", "Kendall", "Pearson"),
    )


def _joined(scores: pl.DataFrame, other: str | None) -> pl.DataFrame:
    """Add scores of other tools, where the manifest names a file of them."""
    return scores if other is None else pl.concat([scores, read_scores(other)], how="vertical")


def _ladders(folder: Path) -> pl.DataFrame | None:
    files = sorted(folder.rglob("*.parquet")) if folder.is_dir() else []
    return pl.read_parquet(files, hive_partitioning=False) if files else None


def _facts(scores: pl.DataFrame) -> Iterator[tuple[str, str]]:
    counts = dict(sorted(scores.group_by("status").len().rows()))
    told = ", ".join(f"{count} {status}" for status, count in counts.items())
    questions = scores.select("dataset", "question_id").n_unique()
    yield "Scores", f"{scores.height} ({told}) on {questions} source questions"
    for title, column in (("Datasets", "dataset"), ("Metrics", "metric"), ("Judges", "judge")):
        yield title, ", ".join(sorted(scores[column].unique()))
    known = scores["cost_usd"].drop_nulls()
    yield "Cost of scoring", f"{known.sum():.4f} USD" if len(known) else "not known"


def _claims(scores: pl.DataFrame) -> Iterator[str]:
    yield "Levels say how many groups of facts were changed, not how grave the changes are."
    missing = scores.filter(pl.col("value").is_null()).height
    if missing:
        yield f"{missing} of {scores.height} scores are missing; every table leaves them out and counts them."
