"""The report of a scores log: a run directory of a perturbation study, or any file of scores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa

from judgeray.analysis.columns import shown
from judgeray.analysis.scores.log import read_scores
from judgeray.core.errors import BadInputError
from judgeray.core.status import UNSETTLED
from judgeray.report.extras import read_provenance
from judgeray.report.study_report import StudyReport
from judgeray.run.provenance_notes import left_out, stated_name
from judgeray.run.score_files import choices_of, joined, other_scores
from judgeray.scores import CONTROL, LADDER_SCHEMA
from judgeray.studies.perturbation.chapters import ScoreLog, score_chapters

METHODS = (
    (
        "Kendall's tau is tau-b between level and score within a question, averaged over questions. Pearson is "
        "over all answers. Replicates of an answer are averaged first."
    ),
    "A score that is not there (unparsed, refused, undelivered, not defined) is left out and counted.",
    "Intervals are 95% percentile intervals from 10,000 bootstrap resamples of questions, PCG64 seed 42.",
    "p is the exact two-sided sign test on questions; Holm adjusts it over its table.",
    "A call that several answers share (for the claims of a reference) is bought once, and counted with each.",
    "A dash means not known or not defined, never zero.",
)


def scores_report(source: Path, name: str, notes: Sequence[str] = ()) -> StudyReport:
    """Read and analyse scores: those of a run directory give the same report whenever they are read.

    `name` and `notes` serve where a source does not tell. Raises BadInputError for a log, a choices file or joined
    scores that do not fit.
    """
    provenance = read_provenance(source) if source.is_dir() else None
    made, ladders = read_scores(source), _ladders(source / "ladders")
    log = _log(made, ladders, source, provenance)
    scores = log.scores
    return StudyReport(
        name=stated_name(provenance) or name,
        rows=scores.height,
        simulated=int(scores["simulated"].sum()),
        facts=list(_facts(made, log)),
        datasets=sorted(scores["dataset"].unique()),
        judges=sorted(scores["judge"].unique()),
        chapters=list(score_chapters(log)),
        methods=METHODS,
        claims=[*(left_out(provenance, "source questions") if provenance else notes), *_claims(log)],
        provenance=provenance,
        on_screen=(*_dataset_if_several(scores), "metric", "judge", "Kendall", "Pearson"),
    )


def _log(
    made: pl.DataFrame, ladders: pl.DataFrame | None, source: Path, provenance: Mapping[str, Any] | None
) -> ScoreLog:
    """Put the files that the manifest names beside what the run made."""
    stated: Mapping[str, Any] = ((provenance or {}).get("manifest") or {}).get("perturbation") or {}
    where, scores = f"{source}: perturbation", made
    if stated.get("scores"):
        others = other_scores(where, stated["scores"], sorted(made["dataset"].unique()))
        scores = joined(made, others, f"{where}: scores: {stated['scores']}")
    choices = choices_of(where, stated["choices"]) if stated.get("choices") else None
    return ScoreLog(scores, ladders, choices)


def _ladders(folder: Path) -> pl.DataFrame | None:
    """Read the ladders of a run directory, where there are any. Raises BadInputError for a file that is none."""
    frames = [_ladder_file(file) for file in sorted(folder.rglob("*.parquet"))] if folder.is_dir() else []
    return pl.concat(frames) if frames else None


def _ladder_file(file: Path) -> pl.DataFrame:
    try:
        frame = pl.read_parquet(file, hive_partitioning=False)
    except (OSError, ValueError, pa.ArrowException, pl.exceptions.PolarsError) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise BadInputError(f"{file}: cannot be read: {reason}") from error
    for name in LADDER_SCHEMA.names:
        if name not in frame.columns:
            found = ", ".join(shown(column) for column in sorted(frame.columns)) or "none"
            raise BadInputError(f"{file}: missing column '{name}'; columns found: {found}")
    return frame.select(LADDER_SCHEMA.names)


def _dataset_if_several(scores: pl.DataFrame) -> tuple[str, ...]:
    return ("dataset",) if scores["dataset"].n_unique() > 1 else ()


def _facts(made: pl.DataFrame, log: ScoreLog) -> Iterator[tuple[str, str]]:
    scores = log.scores
    counts = dict(sorted(scores.group_by("status").len().rows()))
    told = ", ".join(f"{count} {status}" for status, count in counts.items())
    questions = scores.select("dataset", "question_id").n_unique()
    yield "Scores", f"{scores.height} ({told}) on {questions} source questions"
    if scores.height > made.height:
        yield "Of these, from other tools", str(scores.height - made.height)
    for title, column in (("Datasets", "dataset"), ("Metrics", "metric"), ("Judges", "judge")):
        yield title, ", ".join(sorted(scores[column].unique()))
    if log.ladders is not None:
        yield "Cost of the ladders", _cost(log.ladders.unique(["dataset", "question_id"]))
    yield "Cost of scoring", _cost(scores)


def _cost(rows: pl.DataFrame) -> str:
    known = rows["cost_usd"].drop_nulls().sort()
    if known.is_empty():
        return "not known"
    unknown = rows.filter(pl.col("cost_usd").is_null() & ~pl.col("status").is_in(UNSETTLED)).height
    return f"{known.sum():.4f} USD" + (f", not known for {unknown} of {rows.height}" if unknown else "")


def _claims(log: ScoreLog) -> Iterator[str]:
    yield "Levels say how many groups of facts were changed, not how grave the changes are."
    missing = log.scores.filter(pl.col("value").is_null()).height
    if missing:
        yield f"{missing} of {log.scores.height} scores are missing; every table leaves them out and counts them."
    if log.ladders is not None:
        yield from _unchanged(log.ladders)


def _unchanged(ladders: pl.DataFrame) -> Iterator[str]:
    """Say how many controls there are none of, so that nobody takes them for failures."""
    written = pl.col("text").is_not_null()
    has_first = (written & (pl.col("variant") == "A0")).any().over("dataset", "question_id")
    controls = ladders.filter(has_first & pl.col("variant").str.starts_with(CONTROL))
    none = controls.filter(~written).height
    if none:
        yield (
            f"{none} of {controls.height} controls would have left their answer as it is (a single sentence, no "
            "wording to change): they were not written, and their scores are among the missing."
        )
