"""TofuEval (Tang et al., 2024): topic-focused summaries of dialogues, each sentence labelled by experts.

Reads `{mediasum,meetingbank}_factual_eval_{dev,test}.csv`. The dialogues are not part of the benchmark: they are
taken from a file of one's own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from judgeray.datasets.summaries_documents import documents_by_id
from judgeray.datasets.summaries_draft import Draft, finished
from judgeray.datasets.summaries_records import Fields, fields_of
from judgeray.datasets.summary_source import SummarySource
from judgeray.rows import Skip
from judgeray.summaries import SentenceVerdict, Summary

VERDICTS: dict[str, SentenceVerdict] = {"yes": "faithful", "no": "unfaithful"}

_NEEDED = (("doc_id",), ("topic",), ("model_name",), ("sent_idx",), ("summ_sent",), ("sent_label",))


def load_tofueval(source: SummarySource) -> Iterator[Summary | Skip]:
    """Yield the summaries of each document and topic, their sentences in the order of `sent_idx`; no labels.

    `source.documents` names a file of the documents (see `documents_by_id`); a summary whose document is not there
    is skipped, and without such a file all are. The variant is the topic and the summarizer's name. Raises
    BadInputError where a file has another layout, and for a label that is neither yes nor no.
    """
    documents = documents_by_id(source)
    return finished(source, _drafts(fields_of(source, _NEEDED), documents))


def _drafts(rows: Iterator[Fields], documents: Mapping[str, str]) -> Iterator[tuple[str, Draft]]:
    for (document_id, *rest), group in groupby(rows, key=_summary):
        sentences = sorted(group, key=_index)
        texts = [fields.text("summ_sent") for fields in sentences]
        told = [(text, _verdict(fields)) for text, fields in zip(texts, sentences, strict=True) if text]
        yield (
            sentences[0].place,
            Draft(
                document=documents.get(document_id),
                summary=" ".join(text for text, _ in told) or None,
                labelled=False,
                document_id=document_id,
                variant=":".join(rest),
                own_sentences=tuple(text for text, _ in told),
                own_verdicts=tuple(verdict for _, verdict in told),
            ),
        )


def _summary(fields: Fields) -> Sequence[str]:
    names = [fields.name(name) for name in ("doc_id", "topic", "model_name")]
    known = [name for name in names if name is not None]
    if len(known) < len(names):
        raise fields.misfit("doc_id", "doc_id, topic and model_name in each row")
    return known


def _index(fields: Fields) -> int:
    try:
        return int(fields.name("sent_idx") or "")
    except ValueError:
        raise fields.misfit("sent_idx", "a whole number") from None


def _verdict(fields: Fields) -> SentenceVerdict:
    label = fields.name("sent_label")
    if label not in VERDICTS:
        raise fields.misfit("sent_label", "yes or no")
    return VERDICTS[label]
