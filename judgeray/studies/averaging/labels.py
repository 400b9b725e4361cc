"""Human labels of sentences, against which claims are held: a benchmark's own, or those of a file."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from judgeray.analysis.averaging.annotation_files import FAITHFUL, UNCLEAR, read_annotations
from judgeray.core.errors import BadInputError
from judgeray.datasets.summaries_split import OWN
from judgeray.datasets.summaries_votes import majority
from judgeray.samples import annotations_path
from judgeray.studies.averaging.spec import AveragingSpec
from judgeray.summaries import Sentence, SentenceVerdict, SplitSummary

Given = Mapping[tuple[str | None, str, int], SentenceVerdict | None]
"""Verdicts by dataset (None where a file does not tell it), summary id and index of the sentence."""


@dataclass(frozen=True)
class LabelledSentence:
    """A sentence that people called faithful (1) or unfaithful (0)."""

    split: SplitSummary
    sentence: Sentence
    label: int


@dataclass(frozen=True)
class SentenceLabels:
    """What people said of sentences; `given` is what a file holds, None stands for the benchmark's own verdicts."""

    given: Given | None = None

    def sentences(self, split: SplitSummary) -> Iterator[LabelledSentence]:
        """Yield the sentences of a summary with their labels; unclear ones and those without are left out."""
        for sentence in split.sentences:
            verdict = self._verdict(split, sentence.index)
            if verdict in ("faithful", "unfaithful"):
                yield LabelledSentence(split, sentence, int(verdict == "faithful"))

    def _verdict(self, split: SplitSummary, index: int) -> SentenceVerdict | None:
        summary = split.summary
        if self.given is None:
            return summary.own_verdicts[index] if summary.own_verdicts else None
        keys = ((dataset, as_recorded(summary.summary_id), index) for dataset in (summary.dataset, None))
        return next((self.given[key] for key in keys if key in self.given), None)


def sentence_labels(where: str, spec: AveragingSpec) -> SentenceLabels | None:
    """Give the labels that `annotations` names for claims, a benchmark's own if absent; None without claims.

    Where several annotators marked a sentence, most of the clear marks decide, and even ones decide nothing. Raises
    BadInputError for a file that does not fit, and for own labels where the split is not the benchmark's own.
    """
    if spec.claims is None:
        return None
    if spec.annotations in (None, OWN):
        check_own_split(f"{where}.claims", spec)
        return SentenceLabels()
    path = Path(annotations_path(str(spec.annotations)))
    try:
        return SentenceLabels(_given(read_annotations(path)))
    except BadInputError as error:
        raise BadInputError(f"{where}: annotations: {error}") from error


def check_own_split(where: str, spec: AveragingSpec) -> None:
    """Raise BadInputError where other sentences are judged than those that the benchmark's annotators saw."""
    if spec.sentences != OWN:
        raise BadInputError(
            f"{where}: found sentences '{spec.sentences}', allowed: {OWN}, for the annotations that come with a "
            "benchmark are about its own sentences; or name a file under annotations."
        )


def as_recorded(name: str) -> str:
    """Write a name as records and files hold it: lone surrogates as escapes."""
    return name.encode("utf-8", "backslashreplace").decode("utf-8")


def _given(marks: pl.DataFrame) -> Given:
    votes: dict[tuple[str | None, str, int], list[bool]] = defaultdict(list)
    for mark in marks.filter(pl.col("annotation") != UNCLEAR).rows(named=True):
        key = mark["dataset"], mark["summary_id"], mark["sentence_index"]
        votes[key].append(mark["annotation"] == FAITHFUL)
    return {key: majority(cast) for key, cast in votes.items()}
