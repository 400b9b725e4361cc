"""Summaries split into sentences, and what is known of their lengths."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from judgeray.core.errors import BadInputError
from judgeray.datasets.sentences import split_sentences
from judgeray.summaries import Sentence, SplitSummary, Summary

OWN = "own"
"""Splits as the benchmark itself does."""

SINGLE_SENTENCE = "a single sentence"
"""Why a summary is left out: all aggregations coincide on it (study 3, section 4)."""


def split_summary(summary: Summary, by: str) -> SplitSummary:
    """Split one summary, by `own` or by what `split_sentences` takes.

    Raises BadInputError where the benchmark has no split of its own, and what `check_splitter` raises.
    """
    if by != OWN:
        return SplitSummary(summary, tuple(split_sentences(summary.summary, by)))
    if not summary.own_sentences:
        raise BadInputError(
            f"dataset '{summary.dataset}': sentences: found '{OWN}', but summary '{summary.summary_id}' comes "
            "without a split into sentences; split by pysbd or spacy:MODEL."
        )
    return SplitSummary(summary, tuple(Sentence(index, text) for index, text in enumerate(summary.own_sentences)))


def documents_together(splits: Iterable[SplitSummary]) -> list[SplitSummary]:
    """Order summaries so that those of one document stand together, each document where it first occurred.

    Their sentences are then asked about one after the other, while the provider still has the document.
    """
    by_document: dict[str, list[SplitSummary]] = defaultdict(list)
    for split in splits:
        by_document[split.summary.document_id].append(split)
    return [split for group in by_document.values() for split in group]
