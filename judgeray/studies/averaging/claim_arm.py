"""Judging claims: sentences with human labels, taken apart by a writer, each claim judged against the document."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from judgeray.core.call import Call, Judge
from judgeray.core.procedure import Procedure, ask, ask_all
from judgeray.core.replay import Pending, Settled, State, Stuck
from judgeray.core.reply import Reply
from judgeray.core.task import Task
from judgeray.designs.sentence import SentenceDesign, SentenceJudgment
from judgeray.report.evidence import CaseKey
from judgeray.sentence_verdicts import SENTENCE_SCHEMA
from judgeray.studies.arm import Case, Sizes
from judgeray.studies.averaging.sentence_arm import Part, sentence_columns
from judgeray.studies.prompts import prompt_facts
from judgeray.studies.verdict_rows import Price, totals, unsettled
from judgeray.summaries import SplitSummary
from judgeray.writers.subclaims import Subclaims, SubclaimWriter, read_subclaims

CLEAR = ("faithful", "unfaithful")
"""Human verdicts on a sentence that are its label; unclear ones are left out."""


@dataclass(frozen=True)
class Judged:
    """The claims of a sentence, and what the judge says of each with the reply that says it."""

    claims: Subclaims
    judgments: tuple[SentenceJudgment, ...]
    replies: tuple[Reply, ...]


def judged_claims(part: Part, arm: ClaimArm) -> Procedure[Judged]:
    """Take a sentence apart without the source, then ask about all of its claims at once."""
    claims = read_subclaims((yield from ask(arm.writer.call(part.sentence.text, arm.writing))))
    document = part.split.summary.document
    calls = [arm.design.call(document, claim, arm.judge, arm.replicate) for claim in claims.claims]
    replies = (yield from ask_all(calls)) if calls else []
    return Judged(claims, tuple(arm.design.read(reply) for reply in replies), tuple(replies))


@dataclass(frozen=True)
class ClaimArm:
    """Dataset x claim writer x sentence design x judge x replicate; `writing` is who takes sentences apart."""

    dataset: str
    writer: SubclaimWriter
    writing: Judge
    design: SentenceDesign
    judge: Judge
    replicate: int = 0

    groups = False
    schema = SENTENCE_SCHEMA

    @property
    def design_name(self) -> str:
        """What is asked."""
        return f"{self.design.name}.claims"

    @property
    def output_tokens(self) -> int:
        """Tokens that a judgment is expected to write."""
        return self.design.output_tokens

    @property
    def prompts(self) -> dict[str, dict[str, str]]:
        """Version, source and hash of both prompts."""
        return {
            self.design.name: prompt_facts(self.design, self.design.system, self.design.template),
            self.writer.name: prompt_facts(self.writer, self.writer.system, self.writer.template),
        }

    @property
    def judges(self) -> tuple[Judge, ...]:
        """The writer, then the judge."""
        return self.writing, self.judge

    @property
    def partition(self) -> str:
        """Folder of the arm's judgments."""
        return f"sentences/dataset={self.dataset}/design={self.design_name}/judge={self.judge.name}"

    @property
    def variant(self) -> str:
        """The replicate."""
        return f"r{self.replicate}"

    def items(self, rows: Sequence[SplitSummary]) -> Sequence[Part]:
        """Every sentence that people called faithful or unfaithful."""
        return [part for split in rows for part in _labelled(split)]

    def size(self, sizes: Sizes) -> int:
        """One list of claims a labelled sentence."""
        return sizes.labelled

    def task(self, item: Part) -> Task:
        """Take one sentence apart and judge its claims."""
        return Task(_id(item), partial(judged_claims, item, self))

    def records(self, item: Part, state: State[Any], price: Price) -> list[dict[str, Any]]:
        """Build a row for each claim, or one without a value where there are none."""
        judged: Judged | None = state.value if isinstance(state, Settled) else None
        common = {
            **sentence_columns(item.split, item.sentence),
            "label": _label(item),
            "unit": "claim",
            "judge": self.judge.name,
            "replicate": self.replicate,
            "provider": self.judge.provider,
            "model": self.judge.model,
        }
        if judged is None or not judged.judgments:
            return [common | _without(judged, state) | totals(state, price, ())]
        told = zip(judged.claims.claims, judged.judgments, judged.replies, strict=True)
        return [
            common
            | {
                "sentence": claim,
                "claim_index": number,
                "status": judgment.status,
                "faithful": judgment.hard,
                "soft": judgment.soft,
                "error": None,
            }
            | totals(state, price, (reply,))
            for number, (claim, judgment, reply) in enumerate(told)
        ]

    def case(self, item: Part) -> Case:
        """Name the sentence whose claims are judged."""
        key = CaseKey(self.dataset, _id(item), self.design_name, self.judge.name, "full", self.replicate)
        return Case(key, "", item.split.summary.document, item.sentence.text)

    def own(self, state: State[Any]) -> Sequence[Reply]:
        """The first reply lists the claims; all others are the judge's."""
        return state.replies[1:]

    def follow_ups(self, item: Part, state: State[Any]) -> Iterable[Call]:
        """While the claims are not listed, expect two of them."""
        if isinstance(state, Pending) and not state.replies:
            for number in range(2):
                claim = f"{number} {item.sentence.text}"
                yield self.design.call(item.split.summary.document, claim, self.judge, self.replicate)


def labelled_sentences_of(split: SplitSummary) -> int:
    """Count the sentences of a summary that people called faithful or unfaithful."""
    return sum(1 for _ in _labelled(split))


def _labelled(split: SplitSummary) -> Iterator[Part]:
    """Pair sentences with people's verdicts; where the split is not the benchmark's own there are none."""
    verdicts = split.summary.own_verdicts
    if len(verdicts) == len(split.sentences):
        yield from (
            Part(split, sentence)
            for sentence, verdict in zip(split.sentences, verdicts, strict=True)
            if verdict in CLEAR
        )


def _label(item: Part) -> int:
    verdict = item.split.summary.own_verdicts[item.sentence.index]
    return int(verdict == "faithful")


def _without(judged: Judged | None, state: State[Any]) -> dict[str, Any]:
    """Fill the one row of a sentence without judged claims."""
    error = state.failure.error if isinstance(state, Stuck) else None
    if judged is None:
        status: str = unsettled(state)
    elif judged.claims.status == "ok":
        status, error = "undelivered", "the sentence states no fact"
    else:
        status, error = judged.claims.status, "its claims could not be had"
    return {"claim_index": None, "status": status, "faithful": None, "soft": None, "error": error}


def _id(item: Part) -> str:
    return f"{item.split.summary.dataset}:{item.split.summary.summary_id}:{item.sentence.index}:claims"
