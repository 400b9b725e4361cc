"""Datasets of an averaging study: summaries, split into sentences."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from judgeray.analysis.averaging.parts import FEWEST_PARTS
from judgeray.core.errors import BadInputError, bad_value
from judgeray.datasets.sentences import PYSBD, SPACY, check_splitter
from judgeray.datasets.source import DatasetSource
from judgeray.datasets.summaries_registry import load_summaries
from judgeray.datasets.summaries_split import OWN, SINGLE_SENTENCE, documents_together, split_summary
from judgeray.datasets.summary_source import SummarySource
from judgeray.rows import Skip
from judgeray.spacy_models import USUAL_MODEL
from judgeray.studies.averaging.labels import SentenceLabels, sentence_labels
from judgeray.studies.averaging.sentence_arm import is_judged_whole
from judgeray.studies.averaging.spec import AveragingSpec
from judgeray.studies.study import Study
from judgeray.summaries import SplitSummary, Summary

NO_LABEL = "no human label"
"""Why a summary is left out: there is nothing to compare its sentences with."""


@dataclass(frozen=True)
class Splits:
    """What is taken from datasets; `labels` are those of sentences, where claims are held against them."""

    splitter: str
    labels: SentenceLabels | None = None

    def load(self, source: DatasetSource) -> Iterator[SplitSummary | Skip]:
        """Yield what can be asked about, summaries of a document together, after what was left out.

        Left out are summaries of a single sentence and those without a human label, unless claims of their
        sentences are judged. `source.questions` keeps the first so many documents of which something is left, so
        that a few are enough to try a benchmark. Raises what `load_summaries` raises, for a wrong source at once.
        """
        whole = replace(summary_source(source), questions=None)
        return self._kept(load_summaries(whole), source.questions)

    def inside(self, split: SplitSummary) -> tuple[int, int]:
        """Count the sentences that are judged, and those that are taken apart into claims."""
        return len(split.sentences) if is_judged_whole(split) else 0, self._labelled(split)

    def _kept(self, summaries: Iterator[Summary | Skip], limit: int | None) -> Iterator[SplitSummary | Skip]:
        kept: list[SplitSummary] = []
        documents: set[str] = set()
        for item in summaries:
            document_id = item.question_id if isinstance(item, Skip) else item.document_id
            if limit is not None and len(documents) >= limit and document_id not in documents:
                continue
            found = item if isinstance(item, Skip) else self._split(item)
            if isinstance(found, Skip):
                yield found
            else:
                documents.add(document_id)
                kept.append(found)
        yield from documents_together(kept)

    def _split(self, summary: Summary) -> SplitSummary | Skip:
        split = split_summary(summary, self.splitter)
        if is_judged_whole(split) or self._labelled(split):
            return split
        single = len(split.sentences) < FEWEST_PARTS
        return Skip(summary.dataset, summary.document_id, SINGLE_SENTENCE if single else NO_LABEL)

    def _labelled(self, split: SplitSummary) -> int:
        return 0 if self.labels is None else sum(1 for _ in self.labels.sentences(split))


def averaging_study(where: str, spec: AveragingSpec) -> Study:
    """Give the study of these sentences.

    Raises BadInputError for a splitter that is not known or not there, and what `sentence_labels` raises.
    """
    _check_splitter(where, spec.sentences)
    splits = Splits(spec.sentences, sentence_labels(where, spec))
    return Study(
        "averaging",
        splits.load,
        document_of,
        words=("documents", "summaries"),
        skips="summaries",
        may_be_empty=True,
        inside=splits.inside,
    )


def document_of(split: SplitSummary) -> str:
    """Name the document: the unit of statistics."""
    return split.summary.document_id


def _check_splitter(where: str, splitter: str) -> None:
    if splitter == OWN:
        return
    if splitter != PYSBD and not splitter.startswith(SPACY):
        raise bad_value(where, "sentences", splitter, [OWN, PYSBD, f"{SPACY}{USUAL_MODEL}"])
    try:
        check_splitter(splitter)
    except BadInputError as error:
        raise BadInputError(f"{where}: {error}") from error


def summary_source(source: DatasetSource) -> SummarySource:
    """Take a source of an averaging study for what it is: one of summaries."""
    if isinstance(source, SummarySource):
        return source
    return SummarySource(source.name, source.layout, source.path, source.questions, source.split, source.columns)
