"""Sentence annotations of a run: kept in its directory, whether they come from a file or with the benchmark."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from judgeray.analysis.averaging.annotation_files import read_annotations
from judgeray.analysis.write import csv_text, write_whole
from judgeray.core.errors import BadInputError
from judgeray.datasets.summaries_split import OWN
from judgeray.run.resolve import Experiment
from judgeray.samples import annotations_path
from judgeray.summaries import SplitSummary

ANNOTATIONS = "annotations.csv"
"""File of a run directory: dataset, summary_id, sentence_index, annotation, annotator."""

COLUMNS = ("dataset", "summary_id", "sentence_index", "annotation", "annotator")


def keep_annotations(experiment: Experiment, output: Path) -> None:
    """Write the annotations that the manifest names into the run directory; without any, remove what is there.

    Raises BadInputError for a file that does not fit, and for a benchmark's own annotations of other sentences than
    those that are judged.
    """
    spec, path = experiment.manifest.averaging, output / ANNOTATIONS
    if spec is None or spec.annotations is None:
        path.unlink(missing_ok=True)
        return
    if spec.annotations != OWN:
        frame = read_annotations(Path(annotations_path(spec.annotations))).select(COLUMNS)
    elif spec.sentences != OWN:
        raise BadInputError(
            f"{experiment.path}: averaging: annotations: found '{OWN}' with sentences '{spec.sentences}'; the "
            f"benchmark's own annotations are about its own sentences: sentences: {OWN}."
        )
    else:
        frame = _own(experiment)
    write_whole(path, csv_text(frame))


def _own(experiment: Experiment) -> pl.DataFrame:
    rows = [
        (item.summary.dataset, item.summary.summary_id, index, verdict.capitalize(), OWN)
        for source in experiment.sources
        for item in experiment.study.load(source)
        if isinstance(item, SplitSummary)
        for index, verdict in enumerate(item.summary.own_verdicts)
        if verdict is not None
    ]
    return pl.DataFrame(rows, schema=list(COLUMNS), orient="row")
