"""From what a record of a benchmark says to a summary, or to a skip that says what is missing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from judgeray.core.errors import BadInputError, bad_value
from judgeray.datasets.summary_source import SummarySource
from judgeray.datasets.table import digest
from judgeray.datasets.tally import Tally
from judgeray.rows import Skip
from judgeray.summaries import SentenceVerdict, Summary


@dataclass(frozen=True, slots=True)
class Draft:
    """One summary as far as its record tells; None means that the record has a place for it and nothing there.

    `labelled` is False where the benchmark labels no whole summaries. `document_id` None stands for a digest of the
    document, `summary_id` None for an id made of subset, document and `variant`, which tells summaries of one
    document apart (the name of the model that wrote it). `split` is the record's own, empty where there are none.
    """

    document: str | None
    summary: str | None
    label: int | None = None
    labelled: bool = True
    document_id: str | None = None
    summary_id: str | None = None
    variant: str = ""
    subset: str = ""
    split: str = ""
    own_sentences: tuple[str, ...] = ()
    own_verdicts: tuple[SentenceVerdict | None, ...] = ()


def finished(source: SummarySource, drafts: Iterable[tuple[str, Draft]]) -> Iterator[Summary | Skip]:
    """Yield a Summary for each draft that is whole, and a Skip for each other one, in order.

    A draft comes with its place, which names a Skip that has no document id. Skipped: no document, no summary, no
    label. Drafts of subsets or splits that the source leaves out are passed over. Raises BadInputError where the
    source names a subset or split that does not occur.
    """
    subsets: Counter[str] = Counter()
    splits: Counter[str] = Counter()
    with Tally() as ids:
        for place, draft in drafts:
            subsets[draft.subset] += 1
            splits[draft.split] += 1
            if (not source.subsets or draft.subset in source.subsets) and source.split in (None, draft.split):
                yield _finished(source.name, place, draft, ids)
    if not subsets:
        raise BadInputError(f"dataset '{source.name}', {source.path}: holds no summaries")
    for name in source.subsets:
        if name not in subsets:
            raise bad_value(f"dataset '{source.name}'", "subsets", name, subsets)
    if source.split is not None and source.split not in splits:
        raise bad_value(f"dataset '{source.name}'", "split", source.split, splits)


def _finished(dataset: str, place: str, draft: Draft, ids: Tally) -> Summary | Skip:
    if draft.document is None:
        return Skip(dataset, draft.document_id or place, "no document")
    document_id = draft.document_id or digest(draft.document)
    if draft.summary is None:
        return Skip(dataset, document_id, "no summary")
    if draft.labelled and draft.label is None:
        return Skip(dataset, document_id, "no label")
    return Summary(
        dataset=dataset,
        subset=draft.subset,
        summary_id=draft.summary_id or _summary_id(draft, document_id, ids),
        document_id=document_id,
        document=draft.document,
        summary=draft.summary,
        label=draft.label,
        own_sentences=draft.own_sentences,
        own_verdicts=draft.own_verdicts,
    )


def _summary_id(draft: Draft, document_id: str, ids: Tally) -> str:
    """Join what is known; where that is known already, count: `x`, `x:2`, `x:3`."""
    name = ":".join(filter(None, (draft.subset, document_id, draft.variant)))
    number = ids.count(name)
    return name if number == 1 else f"{name}:{number}"
