"""What people said of single sentences, for a run: checked before any call, and kept in the run directory."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import polars as pl

from judgeray.analysis.averaging.annotation_files import read_annotations, read_review_sheet
from judgeray.analysis.schema import counts, texts
from judgeray.analysis.write import csv_text, write_whole
from judgeray.core.errors import BadInputError
from judgeray.datasets.summaries_annotations import own_annotations
from judgeray.datasets.summaries_split import OWN
from judgeray.run.placed import placed, with_texts
from judgeray.run.resolve import Experiment
from judgeray.run.survey import DatasetFacts
from judgeray.samples import SAMPLE_PREFIX, SENTENCES_SAMPLE, annotations_path
from judgeray.studies.averaging.labels import as_recorded, check_own_split
from judgeray.studies.averaging.sentence_arm import is_judged_whole
from judgeray.summaries import SplitSummary

ANNOTATIONS, REVIEWS = "annotations.csv", "reviews.csv"
"""Files of a run directory: marks on judged sentences, and a review sheet; each row names its dataset."""

_COLUMNS = texts("dataset", "summary_id") | counts("sentence_index") | texts("annotation", "annotator")

SAMPLE = f"{SAMPLE_PREFIX}summaries"


def check_annotated(experiment: Experiment, facts: Mapping[str, DatasetFacts]) -> None:
    """Read all that the manifest names of what people said of sentences, and find the sentences.

    Raises BadInputError for a file that does not fit them, for a benchmark's own annotations where it is split
    otherwise, and for claims where no sentence has a human label.
    """
    annotations_of(experiment)
    reviews_of(experiment)
    spec = experiment.manifest.averaging
    if spec and spec.claims and not any(found.labelled for found in facts.values()):
        raise BadInputError(
            f"{experiment.path}: averaging: claims: no sentence of any dataset has a human label; take a benchmark "
            "that brings them with it, or name a file of them under annotations."
        )


def keep_annotations(experiment: Experiment, output: Path) -> None:
    """Write what the manifest names into the run directory, and remove what it names no more.

    Raises what `check_annotated` raises of files.
    """
    for name, marks in ((ANNOTATIONS, annotations_of(experiment)), (REVIEWS, reviews_of(experiment))):
        if marks is None:
            (output / name).unlink(missing_ok=True)
        else:
            write_whole(output / name, csv_text(marks))


def annotations_of(experiment: Experiment) -> pl.DataFrame | None:
    """Give the annotations of judged sentences, whether from a file or with the benchmark; None without any."""
    spec = experiment.manifest.averaging
    if spec is None or spec.annotations is None:
        return None
    if spec.annotations != OWN:
        path = Path(annotations_path(spec.annotations))
        return _placed(experiment, "annotations", path, read_annotations)
    check_own_split(f"{experiment.path}: averaging: annotations", spec)
    return _own(experiment)


def reviews_of(experiment: Experiment) -> pl.DataFrame | None:
    """Give what reviewers said of judged sentences, blank where they said nothing yet; None without a sheet."""
    spec = experiment.manifest.averaging
    if spec is None or spec.reviews is None:
        return None
    return _placed(experiment, "reviews", Path(spec.reviews), read_review_sheet)


def _placed(
    experiment: Experiment, key: str, path: Path, read: Callable[[Path], pl.DataFrame]
) -> pl.DataFrame | None:
    try:
        marks = with_texts(path, read(path))
        found = placed(_of_samples(marks, experiment) if path == SENTENCES_SAMPLE else marks, experiment)
    except BadInputError as error:
        raise BadInputError(f"{experiment.path}: averaging: {key}: {error}") from error
    return None if found.is_empty() else found.select(list(_COLUMNS))


def _of_samples(marks: pl.DataFrame, experiment: Experiment) -> pl.DataFrame:
    """The packaged annotations are about every dataset that is the packaged sample, whatever its name."""
    names = [source.name for source in experiment.sources if source.path == SAMPLE]
    return pl.concat(marks.with_columns(dataset=pl.lit(name)) for name in names) if names else marks


def _own(experiment: Experiment) -> pl.DataFrame | None:
    rows = [
        (source.name, as_recorded(label.summary_id), label.index, label.verdict.capitalize(), OWN)
        for source in experiment.sources
        for item in experiment.study.load(source)
        if isinstance(item, SplitSummary) and is_judged_whole(item)
        for label in own_annotations(item.summary)
    ]
    return pl.DataFrame(rows, schema=_COLUMNS, orient="row") if rows else None
