"""FRANK (Pagnoni et al., 2021): summaries with error categories by three annotators on each sentence.

Reads `human_annotations_sentence.json`. As with QAGS, nobody labelled a whole summary.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from judgeray.datasets.summaries_draft import Draft
from judgeray.datasets.summaries_records import Fields, from_records
from judgeray.datasets.summaries_votes import majority, strict_label
from judgeray.datasets.summary_source import SummarySource
from judgeray.rows import Skip
from judgeray.summaries import SentenceVerdict, Summary

NO_ERROR = "NoE"

_SENTENCES, _ANNOTATIONS = "summary_sentences", "summary_sentences_annotations"
_NEEDED = (("hash",), ("article",), ("summary",), (_SENTENCES,), (_ANNOTATIONS,))


def load_frank(source: SummarySource) -> Iterator[Summary | Skip]:
    """Yield the summaries; a sentence is faithful where most annotators found no error, a summary where all are.

    An annotator found none where `NoE` is all that is named. The variant is the summarizer's name; `source.split`
    keeps `validation` or `test`. Raises BadInputError where the file has another layout.
    """
    return from_records(source, _read, _NEEDED, ("model_name", "split"))


def _read(fields: Fields) -> Iterator[Draft]:
    sentences, annotations = fields.record.get(_SENTENCES), fields.records(_ANNOTATIONS)
    if not isinstance(sentences, list) or not all(isinstance(text, str) for text in sentences):
        raise fields.misfit(_SENTENCES, "a list of texts")
    if len(sentences) != len(annotations):
        raise fields.misfit(_ANNOTATIONS, f"{len(sentences)} annotations, one for each sentence")
    verdicts = tuple(_verdict(fields, annotation) for annotation in annotations)
    yield Draft(
        document=fields.text("article"),
        summary=fields.text("summary"),
        label=strict_label(verdicts),
        document_id=fields.name("hash"),
        variant=fields.name("model_name") or "",
        split=fields.name("split") or "",
        own_sentences=tuple(text.strip() for text in sentences),
        own_verdicts=verdicts,
    )


def _verdict(fields: Fields, annotation: Mapping[str, object]) -> SentenceVerdict | None:
    votes = []
    for named in annotation.values():
        if not isinstance(named, list):
            raise fields.misfit(_ANNOTATIONS, "lists of error categories by annotator")
        if named:
            votes.append(set(named) == {NO_ERROR})
    return majority(votes)
