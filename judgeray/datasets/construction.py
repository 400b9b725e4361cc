"""From one source question to two rows: the reference as its own candidate, and one that falls short.

Study 1 (arXiv 2603.28005), section 3.1 and appendix H.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from judgeray.datasets.records import OddQuestionError, as_record
from judgeray.rows import Row, Skip, row_id


@dataclass(frozen=True)
class Scheme:
    """Names of a dataset's two variants, and the label of the one that falls short."""

    supported: str
    short: str
    short_label: str


@dataclass(frozen=True)
class Pair:
    """What a source question gives: its reference, verbatim, and the candidate that falls short of it.

    `other_reference` is a second annotator's, verbatim; no candidate is made of it.
    """

    question: str
    reference: str
    short_candidate: str
    complexity: int | None = None
    other_reference: str | None = None


Identify = Callable[[int, Mapping[str, object]], str]
"""Gives the id of a record, from its 0-based place in the file and its fields."""

Read = Callable[[Mapping[str, object]], Pair]
"""Builds the pair of a record; raises OddQuestionError where a rule leaves the question out."""


def construct(
    dataset: str, records: Iterable[object], identify: Identify, read: Read, scheme: Scheme
) -> Iterator[Row | Skip]:
    """Yield two rows for each record, the supported one first, or one Skip that says why not.

    A record without an id is named `record N` in its Skip, counted from 1.
    """
    for place, record in enumerate(records):
        question_id = f"record {place + 1}"
        try:
            fields = as_record(record, "record")
            question_id = identify(place, fields)
            pair = _told_apart(read(fields), scheme)
        except OddQuestionError as odd:
            yield Skip(dataset, question_id, str(odd))
        else:
            yield from _two_rows(dataset, question_id, pair, scheme)


def first_half(items: Sequence[object], name: str) -> Sequence[object]:
    """Give the first `n // 2` of `n` items; raises OddQuestionError where that is none."""
    if len(items) < 2:
        raise OddQuestionError(f"fewer than two {name}: {len(items)}")
    return items[: len(items) // 2]


def _told_apart(pair: Pair, scheme: Scheme) -> Pair:
    if pair.short_candidate == pair.reference:
        raise OddQuestionError(f"the {scheme.short} candidate equals the reference")
    return pair


def _two_rows(dataset: str, question_id: str, pair: Pair, scheme: Scheme) -> Iterator[Row]:
    for variant, label, candidate in (
        (scheme.supported, "supported", pair.reference),
        (scheme.short, scheme.short_label, pair.short_candidate),
    ):
        yield Row(
            dataset=dataset,
            question_id=question_id,
            row_id=row_id(dataset, question_id, variant),
            variant=variant,
            label=label,
            question=pair.question,
            reference=pair.reference,
            candidate=candidate,
            complexity=pair.complexity,
            other_reference=pair.other_reference,
        )
