"""Marks on sentences beside the sentences of a run: which dataset each is about, and that it is about that text."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl

from judgeray.analysis.averaging.annotation_files import UNCLEAR
from judgeray.analysis.averaging.annotations import located
from judgeray.analysis.columns import shown
from judgeray.analysis.scores.records import optional_text, places
from judgeray.core.errors import BadInputError
from judgeray.datasets.summaries_registry import load_summaries
from judgeray.datasets.summaries_split import split_summary
from judgeray.run.resolve import Experiment
from judgeray.sentence_verdicts import SENTENCE_SCHEMA
from judgeray.studies.averaging.labels import as_recorded
from judgeray.studies.averaging.sentence_arm import is_judged_whole, sentence_columns
from judgeray.studies.averaging.study import summary_source
from judgeray.studies.verdict_rows import arrow_table
from judgeray.summaries import SplitSummary, Summary


def with_texts(path: Path, marks: pl.DataFrame) -> pl.DataFrame:
    """Add to the marks of a file (as `read_annotations` reads it) the text that its column `sentence` holds.

    Column added: written, null where the file does not say.
    """
    given = [optional_text(place, "sentence") for place in places(path, {"sentence": ("sentence",)}, ())]
    return marks.with_columns(pl.Series("written", given, pl.String))


def placed(marks: pl.DataFrame, experiment: Experiment) -> pl.DataFrame:
    """Give those marks of `with_texts` that are about judged sentences, each with its dataset.

    Marks of summaries that a run leaves out (beyond `questions`, of one sentence, without a label) are left out.
    Raises BadInputError, naming file and row, for a mark of a sentence that no dataset has, or several have, and
    for one about another text than the sentence of its index: the summary was split otherwise.
    """
    known = _known(experiment, marks)
    located(marks.with_columns(pl.col("annotation").fill_null(UNCLEAR)), known)
    sentences = known.select(
        "summary_id",
        "sentence_index",
        pl.col("dataset").alias("holder"),
        pl.col("sentence").alias("text"),
        "judged",
    )
    found = marks.join(sentences, on=["summary_id", "sentence_index"], how="inner", maintain_order="left").filter(
        pl.col("dataset").is_null() | (pl.col("dataset") == pl.col("holder"))
    )
    for mark in found.drop_nulls("written").iter_rows(named=True):
        _check_text(mark)
    return found.filter("judged").with_columns(dataset=pl.col("holder"))


def _check_text(mark: Mapping[str, Any]) -> None:
    written, judged = mark["written"].removeprefix("'"), mark["text"].removeprefix("'")
    if written.split() != judged.split():
        raise BadInputError(
            f"{mark['place']}: sentence: found '{shown(written)}', but the sentence that is judged is "
            f"'{shown(judged)}'; split summaries as they were for the annotators."
        )


def _known(experiment: Experiment, marks: pl.DataFrame) -> pl.DataFrame:
    """List the sentences of marked summaries: those that are judged, and where that is not all, of whole files."""
    judged = list(_judged(experiment, set(marks["summary_id"])))
    there = {(record["dataset"], record["summary_id"]) for record in judged}
    anywhere = {summary_id for _, summary_id in there}
    named = set(marks.select("dataset", "summary_id").rows())
    missing = {key[1] for key in named if key not in there and (key[0] is not None or key[1] not in anywhere)}
    others = [
        record for record in _others(experiment, missing) if (record["dataset"], record["summary_id"]) not in there
    ]
    frame = pl.DataFrame(arrow_table([*judged, *others], SENTENCE_SCHEMA))
    return frame.with_columns(pl.Series("judged", [True] * len(judged) + [False] * len(others), pl.Boolean))


def _judged(experiment: Experiment, ids: Container[str]) -> Iterator[dict[str, Any]]:
    for source in experiment.sources:
        for item in experiment.study.load(source):
            if isinstance(item, SplitSummary) and is_judged_whole(item):
                yield from _records(item, ids)


def _others(experiment: Experiment, ids: Collection[str]) -> Iterator[dict[str, Any]]:
    spec = experiment.manifest.averaging
    if spec is None or not ids:
        return
    for source in experiment.sources:
        for item in load_summaries(replace(summary_source(source), questions=None)):
            if isinstance(item, Summary) and as_recorded(item.summary_id) in ids:
                yield from _records(split_summary(item, spec.sentences), ids)


def _records(split: SplitSummary, ids: Container[str]) -> Iterator[dict[str, Any]]:
    name = as_recorded(split.summary.summary_id)
    for sentence in split.sentences if name in ids else ():
        columns = sentence_columns(split, sentence) | {"summary_id": name, "label": split.summary.label}
        yield dict.fromkeys(SENTENCE_SCHEMA.names) | columns | {"unit": "sentence"}
