"""Judging sentences: every sentence of every summary by one judge, one call each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from judgeray.analysis.averaging.parts import FEWEST_PARTS
from judgeray.core.call import Judge
from judgeray.core.procedure import Procedure, ask
from judgeray.core.replay import Settled, State, Stuck
from judgeray.core.task import Task
from judgeray.designs.sentence import SentenceDesign, SentenceJudgment
from judgeray.report.evidence import CaseKey
from judgeray.sentence_verdicts import SENTENCE_SCHEMA
from judgeray.studies.arm import Case, Sizes
from judgeray.studies.designed import Designed
from judgeray.studies.one_call import OneCall
from judgeray.studies.prompts import prompt_facts
from judgeray.studies.verdict_rows import Price, totals, unsettled
from judgeray.summaries import Sentence, SplitSummary


def is_judged_whole(split: SplitSummary) -> bool:
    """Whether a summary's sentences tell its minimum from its mean, and there is a label to compare both with."""
    return split.summary.label is not None and len(split.sentences) >= FEWEST_PARTS


@dataclass(frozen=True)
class Part:
    """One sentence of a summary."""

    split: SplitSummary
    sentence: Sentence


def judged_sentence(part: Part, arm: SentenceArm) -> Procedure[SentenceJudgment]:
    """Ask whether the document supports the sentence, and read the reply."""
    document = part.split.summary.document
    reply = yield from ask(arm.design.call(document, part.sentence.text, arm.judge, arm.replicate))
    return arm.design.read(reply)


@dataclass(frozen=True)
class SentenceArm(Designed, OneCall):
    """Dataset x sentence design x judge x replicate."""

    dataset: str
    design: SentenceDesign
    judge: Judge
    replicate: int = 0

    groups = False
    schema = SENTENCE_SCHEMA

    @property
    def prompts(self) -> dict[str, dict[str, str]]:
        """Version, source and hash of the design's prompt."""
        return {self.design.name: prompt_facts(self.design, self.design.system, self.design.template)}

    @property
    def partition(self) -> str:
        """Folder of the arm's judgments."""
        return f"sentences/dataset={self.dataset}/design={self.design.name}/judge={self.judge.name}"

    @property
    def variant(self) -> str:
        """The replicate."""
        return f"r{self.replicate}"

    def items(self, rows: Sequence[SplitSummary]) -> Sequence[Part]:
        """Every sentence, those of a document one after the other."""
        return [Part(split, sentence) for split in rows if is_judged_whole(split) for sentence in split.sentences]

    def size(self, sizes: Sizes) -> int:
        """One judgment a sentence."""
        return sizes.units

    def task(self, item: Part) -> Task:
        """Judge one sentence."""
        return Task(_id(item), partial(judged_sentence, item, self))

    def records(self, item: Part, state: State[Any], price: Price) -> list[dict[str, Any]]:
        """Build the sentence's row; null means not known."""
        judgment: SentenceJudgment | None = state.value if isinstance(state, Settled) else None
        record = {
            **sentence_columns(item.split, item.sentence),
            "label": item.split.summary.label,
            "claim_index": None,
            "unit": "sentence",
            "judge": self.judge.name,
            "replicate": self.replicate,
            **judgment_columns(judgment, state),
            "provider": self.judge.provider,
            "model": self.judge.model,
            **totals(state, price),
        }
        return [record]

    def case(self, item: Part) -> Case:
        """Name the sentence's row."""
        summary = item.split.summary
        key = CaseKey(self.dataset, _id(item), self.design.name, self.judge.name, "full", self.replicate)
        return Case(key, "", summary.document, item.sentence.text)


def sentence_columns(split: SplitSummary, sentence: Sentence) -> dict[str, Any]:
    """Say which sentence of which summary a row is about."""
    summary = split.summary
    return {
        "dataset": summary.dataset,
        "subset": summary.subset,
        "document_id": summary.document_id,
        "summary_id": summary.summary_id,
        "sentence_index": sentence.index,
        "sentences": len(split.sentences),
        "fragment": sentence.fragment,
        "sentence": sentence.text,
    }


def judgment_columns(judgment: SentenceJudgment | None, state: State[Any]) -> dict[str, Any]:
    """Say what came of a call."""
    return {
        "status": judgment.status if judgment else unsettled(state),
        "faithful": judgment.hard if judgment else None,
        "soft": judgment.soft if judgment else None,
        "error": state.failure.error if isinstance(state, Stuck) else None,
    }


def _id(item: Part) -> str:
    return f"{item.split.summary.dataset}:{item.split.summary.summary_id}:{item.sentence.index}"
