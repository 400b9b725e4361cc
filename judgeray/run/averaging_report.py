"""The report of an averaging study: a run directory, or a Parquet file of its sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import polars as pl

from judgeray.analysis.averaging.annotation_files import read_annotations, read_review_sheet
from judgeray.analysis.averaging.caching import UncachedCost
from judgeray.analysis.averaging.claim_lists import claim_lists
from judgeray.analysis.averaging.tables import Tables, averaging_tables
from judgeray.core.errors import BadInputError
from judgeray.providers.prices import BATCH_DISCOUNT
from judgeray.report.extras import read_provenance
from judgeray.report.study_report import StudyReport
from judgeray.run.annotated import ANNOTATIONS, REVIEWS
from judgeray.run.provenance_notes import left_out, stated_name
from judgeray.run.reopen import reopen
from judgeray.run.resolve import Experiment
from judgeray.run.review_sheets import write_review_sheets
from judgeray.run.sentence_log import read_sentence_log
from judgeray.studies.averaging.chapters import averaging_chapters

METHODS = (
    "A summary counts for a judge where all its sentences have a label.",
    "Summaries of one sentence are left out: minimum and mean are the same there.",
    "Soft labels are p(1) / (p(0) + p(1)) at the place of the label; null where the provider tells none.",
    "Intervals are 95% percentile intervals from 10,000 bootstrap resamples of documents, PCG64 seed 42.",
    "The threshold is the smallest error rate at which minimum and mean correlate alike with an unbiased rater.",
    "It is in closed form, for the lengths of the dataset and the measured share of faithful sentences.",
    "A call that several sentences share is bought, and its cost counted, once.",
    "A dash means not known or not defined, never zero.",
)


def averaging_report(source: Path, name: str, notes: Sequence[str] = ()) -> StudyReport:
    """Read and analyse judged sentences; in a run directory, also write the sheets for annotators.

    `name` and `notes` serve where a source does not tell: a run directory gives the same report whenever it is
    read, but for the price of uncached input, which needs the data files. Raises BadInputError for a log,
    annotations or reviews that do not fit.
    """
    log = read_sentence_log(source)
    experiment, provenance = _reopened(source), read_provenance(source) if source.is_dir() else None
    lists, tables = _lists(source), _tables(source, log, experiment)
    if lists is not None:
        tables["claim_lists"] = claim_lists(lists)
    if experiment:
        write_review_sheets(log, experiment, source / "review")
    return StudyReport(
        name=stated_name(provenance) or name,
        rows=log.height,
        simulated=int(log["simulated"].sum()),
        facts=list(_facts(log, lists)),
        datasets=sorted(log["dataset"].unique()),
        judges=sorted(log["judge"].unique()),
        chapters=list(averaging_chapters(tables)),
        methods=METHODS,
        claims=[*(left_out(provenance, "summaries") if provenance else notes), *_claims(log)],
        provenance=provenance,
        on_screen=("dataset", "judge", "score", "min", "mean", "mean >= min"),
    )


def _reopened(source: Path) -> Experiment | None:
    """The experiment behind a run directory, where its files are still there."""
    try:
        return reopen(source) if source.is_dir() else None
    except BadInputError:
        return None


def _tables(source: Path, log: pl.DataFrame, experiment: Experiment | None) -> Tables:
    """All tables; `partial`, for a run that is still going on has not judged all that was annotated."""
    kept = {name: source / name for name in (ANNOTATIONS, REVIEWS) if source.is_dir() and (source / name).is_file()}
    return averaging_tables(
        log,
        read_annotations(kept[ANNOTATIONS]) if ANNOTATIONS in kept else None,
        read_review_sheet(kept[REVIEWS]) if REVIEWS in kept else None,
        _uncached_cost(log, experiment) if experiment else None,
        partial=True,
    )


def _uncached_cost(log: pl.DataFrame, experiment: Experiment) -> UncachedCost:
    """Price uncached input in the mode in which a judge was asked; not known where it was asked in both."""
    modes = {judge: set(found) for judge, found in log.group_by("judge").agg(pl.col("mode").drop_nulls()).rows()}

    def cost(judge: str, input_tokens: int, output_tokens: int) -> float | None:
        asked = experiment.judges.get(judge)
        if asked is None or len(modes[judge]) > 1:
            return None
        realtime = experiment.prices.cost(asked.provider, asked.model, input_tokens, output_tokens)
        return realtime * BATCH_DISCOUNT if realtime is not None and modes[judge] == {"batch"} else realtime

    return cost


def _lists(source: Path) -> pl.DataFrame | None:
    """The lists of claims of a run directory, where it has any."""
    files = sorted((source / "texts").rglob("*.parquet")) if source.is_dir() else []
    return pl.read_parquet(files, hive_partitioning=False) if files else None


def _facts(log: pl.DataFrame, lists: pl.DataFrame | None) -> Iterator[tuple[str, str]]:
    yield "Judgments", _statuses(log)
    if lists is not None:
        yield "Lists of claims", _statuses(lists)
    whole = ["dataset", "summary_id"]
    sentences = log.filter(pl.col("unit") == "sentence")
    labels = sentences.unique(whole)["label"]
    told = f" ({(labels == 1).sum()} faithful, {(labels == 0).sum()} not)" if len(labels) else ""
    yield "Summaries", f"{log.select(whole).n_unique()}{told}"
    yield "Sentences", str(log.select(*whole, "sentence_index").n_unique())
    yield "Documents", str(log.select("dataset", "document_id").n_unique())
    for title, column in (("Datasets", "dataset"), ("Judges", "judge")):
        yield title, ", ".join(sorted(log[column].unique()))
    yield "Cost", _cost(log, lists)


def _statuses(rows: pl.DataFrame) -> str:
    counts = dict(sorted(rows.group_by("status").len().rows()))
    return f"{rows.height} ({', '.join(f'{count} {status}' for status, count in counts.items())})"


def _cost(log: pl.DataFrame, lists: pl.DataFrame | None) -> str:
    """Add up what calls cost, each once."""
    columns = [pl.col("call_keys").list.join("+"), "cost_usd", "simulated"]
    rows = pl.concat([frame.select(columns) for frame in (log, lists) if frame is not None])
    answered = rows.filter(pl.col("simulated").is_not_null())
    calls = answered.filter(pl.col("call_keys").is_null() | pl.col("call_keys").is_first_distinct())
    known = calls["cost_usd"].drop_nulls().sort()
    if known.is_empty():
        return "not known"
    unknown = calls.height - len(known)
    return f"{known.sum():.4f} USD" + (f", and {unknown} calls whose cost is not known" if unknown else "")


def _claims(log: pl.DataFrame) -> Iterator[str]:
    soft = log.group_by("judge").agg(pl.col("soft").is_not_null().any().alias("has")).sort("judge")
    for judge in soft.filter(~pl.col("has"))["judge"]:
        yield f"Judge {judge} has no soft labels: its provider told no log-probabilities, or was not asked to."
    for unit, whole in (("sentence", "summary"), ("claim", "sentence")):
        labels = log.filter(pl.col("unit") == unit)["faithful"]
        if labels.null_count():
            yield (
                f"{labels.null_count()} of {len(labels)} judgments of {unit}s have no label; a {whole} counts for "
                f"a judge only where all of its {unit}s have one."
            )
