"""Datasets of an averaging study: summaries, split into sentences."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from judgeray.datasets.sentences import check_splitter
from judgeray.datasets.source import DatasetSource
from judgeray.datasets.summaries_registry import load_summaries
from judgeray.datasets.summaries_split import OWN, documents_together, split_summaries
from judgeray.datasets.summary_source import SummarySource
from judgeray.rows import Skip
from judgeray.studies.averaging.claim_arm import labelled_sentences_of
from judgeray.studies.study import Study
from judgeray.summaries import SplitSummary

NO_LABEL = "no human label"
"""Why a summary is left out: there is nothing to compare its sentences with."""


def averaging_study(splitter: str) -> Study:
    """Give the study that splits summaries so. Raises BadInputError for a splitter that is not there."""
    if splitter != OWN:
        check_splitter(splitter)
    return Study(
        "averaging", partial(load_split, splitter=splitter), document_of, ("documents", "summaries"), sentences_of
    )


def load_split(source: DatasetSource, splitter: str) -> Iterator[SplitSummary | Skip]:
    """Yield labelled summaries of several sentences, those of a document together, after what was left out."""
    summaries = load_summaries(_summary_source(source))  # checks the source at once
    return _split(summaries, splitter)


def document_of(split: SplitSummary) -> str:
    """Name the document: the unit of statistics."""
    return split.summary.document_id


def sentences_of(split: SplitSummary) -> tuple[int, int]:
    """Count the sentences of a summary, and those that people called faithful or unfaithful."""
    return len(split.sentences), labelled_sentences_of(split)


def _summary_source(source: DatasetSource) -> SummarySource:
    if isinstance(source, SummarySource):
        return source
    return SummarySource(source.name, source.layout, source.path, source.questions, source.split, source.columns)


def _split(summaries: Iterator[object], splitter: str) -> Iterator[SplitSummary | Skip]:
    kept: list[SplitSummary] = []
    for item in split_summaries(summaries, splitter):  # type: ignore[arg-type]
        if isinstance(item, Skip):
            yield item
        elif item.summary.label is None:
            yield Skip(item.summary.dataset, item.summary.document_id, NO_LABEL)
        else:
            kept.append(item)
    yield from documents_together(kept)
