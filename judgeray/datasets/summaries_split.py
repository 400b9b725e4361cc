"""Summaries split into sentences, and what is known of their lengths."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from statistics import mean, stdev

from judgeray.core.errors import BadInputError
from judgeray.datasets.sentences import split_sentences
from judgeray.rows import Skip
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


def split_summaries(items: Iterable[Summary | Skip], by: str) -> Iterator[SplitSummary | Skip]:
    """Split all summaries in order; one of a single sentence becomes a Skip."""
    for item in items:
        if isinstance(item, Skip):
            yield item
            continue
        split = split_summary(item, by)
        alone = len(split.sentences) < 2
        yield Skip(item.dataset, item.document_id, SINGLE_SENTENCE) if alone else split


def documents_together(splits: Iterable[SplitSummary]) -> list[SplitSummary]:
    """Order summaries so that those of one document stand together, each document where it first occurred.

    Their sentences are then asked about one after the other, while the provider still has the document.
    """
    by_document: dict[str, list[SplitSummary]] = defaultdict(list)
    for split in splits:
        by_document[split.summary.document_id].append(split)
    return [split for group in by_document.values() for split in group]


@dataclass(frozen=True, slots=True)
class SubsetSizes:
    """How much there is of one subset (study 3, Tables 1 and 7).

    `mean_sentences` and `sd_sentences` (n - 1) are over summaries; the latter is None for a single one.
    """

    dataset: str
    subset: str
    documents: int
    summaries: int
    faithful: int
    unfaithful: int
    mean_sentences: float
    sd_sentences: float | None


def subset_sizes(splits: Iterable[SplitSummary]) -> list[SubsetSizes]:
    """Count each dataset's subsets, sorted by name; single-sentence summaries count where they are given."""
    groups: dict[tuple[str, str], list[SplitSummary]] = defaultdict(list)
    for split in splits:
        groups[split.summary.dataset, split.summary.subset].append(split)
    return [_sizes(*names, group) for names, group in sorted(groups.items())]


def _sizes(dataset: str, subset: str, splits: list[SplitSummary]) -> SubsetSizes:
    lengths = [len(split.sentences) for split in splits]
    labels = [split.summary.label for split in splits]
    return SubsetSizes(
        dataset=dataset,
        subset=subset,
        documents=len({split.summary.document_id for split in splits}),
        summaries=len(splits),
        faithful=labels.count(1),
        unfaithful=labels.count(0),
        mean_sentences=mean(lengths),
        sd_sentences=stdev(lengths) if len(lengths) > 1 else None,
    )
