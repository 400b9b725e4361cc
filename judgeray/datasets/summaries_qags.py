"""QAGS (Wang et al., 2020): summaries of CNN/DM and XSum with three yes-or-no votes on each sentence.

Files `mturk_cnndm.jsonl` and `mturk_xsum.jsonl`. They tell how often sentences are faithful and judges err there,
but not how people aggregate: nobody labelled a whole summary.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from judgeray.datasets.summaries_draft import Draft
from judgeray.datasets.summaries_records import Fields, from_records
from judgeray.datasets.summaries_votes import majority, strict_label
from judgeray.datasets.summary_source import SummarySource
from judgeray.rows import Skip
from judgeray.summaries import SentenceVerdict, Summary

VOTES = {"yes": True, "no": False}

_SENTENCES = "summary_sentences"
_NEEDED = (("article",), (_SENTENCES,))


def load_qags(source: SummarySource) -> Iterator[Summary | Skip]:
    """Yield the summaries, their sentences joined by blanks; the label is 1 where every sentence's majority is yes.

    Documents are told apart by their text. Raises BadInputError where the file has another layout, and for a vote
    that is neither yes nor no.
    """
    return from_records(source, _read, _NEEDED)


def _read(fields: Fields) -> Iterator[Draft]:
    sentences = fields.records(_SENTENCES)
    texts = tuple(_text(fields, sentence) for sentence in sentences)
    verdicts = tuple(_verdict(fields, sentence) for sentence in sentences)
    yield Draft(
        document=fields.text("article"),
        summary=" ".join(texts) or None,
        label=strict_label(verdicts),
        own_sentences=texts,
        own_verdicts=verdicts,
    )


def _text(fields: Fields, sentence: Mapping[str, object]) -> str:
    text = sentence.get("sentence")
    if not isinstance(text, str) or not text.strip():
        raise fields.misfit(_SENTENCES, "a text in each")
    return text.strip()


def _verdict(fields: Fields, sentence: Mapping[str, object]) -> SentenceVerdict | None:
    responses = sentence.get("responses")
    given = [item.get("response") for item in responses] if isinstance(responses, list) else [None]
    votes = [VOTES.get(str(vote).strip().lower()) for vote in given]
    known = [vote for vote in votes if vote is not None]
    if len(known) < len(votes):
        raise fields.misfit(_SENTENCES, "responses of yes or no in each")
    return majority(known)
