"""Judging claims: sentences with human labels, taken apart by a writer, each claim judged against the document."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from judgeray.core.call import Call, Judge
from judgeray.core.procedure import Procedure, ask_all
from judgeray.core.replay import Pending, Settled, State
from judgeray.core.reply import Reply
from judgeray.core.task import Task
from judgeray.designs.sentence import SentenceDesign, SentenceJudgment
from judgeray.report.evidence import CaseKey
from judgeray.sentence_verdicts import SENTENCE_SCHEMA
from judgeray.studies.arm import Case, Sizes
from judgeray.studies.averaging.claim_list_arm import ClaimListArm, listed_claims
from judgeray.studies.averaging.labels import LabelledSentence
from judgeray.studies.averaging.sentence_arm import judgment_columns, sentence_columns
from judgeray.studies.prompts import prompt_facts
from judgeray.studies.verdict_rows import Price, totals
from judgeray.summaries import SplitSummary
from judgeray.writers.subclaims import Subclaims

EXPECTED_CLAIMS = 5
"""Claims that a sentence is expected to have (study 3, appendix D.2: 4.72 and 5.03 on average), for plans alone."""

NO_FACT, NO_LIST = "the sentence states no fact", "its claims could not be had"
"""Why a sentence has no claim to judge."""


@dataclass(frozen=True)
class Judged:
    """The claims of a sentence, and what the judge says of each with the reply that says it."""

    claims: Subclaims
    judgments: tuple[SentenceJudgment, ...]
    replies: tuple[Reply, ...]


def judged_claims(item: LabelledSentence, arm: ClaimArm) -> Procedure[Judged]:
    """Take a sentence apart without the source, then ask about all of its claims at once."""
    claims = yield from listed_claims(item, arm.lists)
    replies = (yield from ask_all(arm.calls(item, claims.claims))) if claims.claims else []
    return Judged(claims, tuple(arm.design.read(reply) for reply in replies), tuple(replies))


@dataclass(frozen=True)
class ClaimArm:
    """Lists of claims x sentence design x judge x replicate."""

    lists: ClaimListArm
    design: SentenceDesign
    judge: Judge
    replicate: int = 0

    groups = False
    schema = SENTENCE_SCHEMA

    @property
    def dataset(self) -> str:
        """Name of the dataset."""
        return self.lists.dataset

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
        facts = prompt_facts(self.design, self.design.system, self.design.template)
        return {self.design.name: facts} | self.lists.prompts

    @property
    def judges(self) -> tuple[Judge, ...]:
        """The writer, then the judge."""
        return self.lists.judge, self.judge

    @property
    def partition(self) -> str:
        """Folder of the arm's judgments."""
        return f"sentences/dataset={self.dataset}/design={self.design_name}/judge={self.judge.name}"

    @property
    def variant(self) -> str:
        """The replicate."""
        return f"r{self.replicate}"

    def items(self, rows: Sequence[SplitSummary]) -> Sequence[LabelledSentence]:
        """Every sentence that people called faithful or unfaithful."""
        return self.lists.items(rows)

    def size(self, sizes: Sizes) -> int:
        """Once a labelled sentence, whatever claims it has."""
        return sizes.labelled

    def task(self, item: LabelledSentence) -> Task:
        """Take one sentence apart and judge its claims."""
        return Task(self._id(item), partial(judged_claims, item, self))

    def calls(self, item: LabelledSentence, claims: Iterable[str]) -> list[Call]:
        """Ask about claims of a sentence."""
        document = item.split.summary.document
        return [self.design.call(document, claim, self.judge, self.replicate) for claim in claims]

    def records(self, item: LabelledSentence, state: State[Any], price: Price) -> list[dict[str, Any]]:
        """Build a row for each claim; without any, or while some are not judged, one that has no claim_index."""
        common = {
            **sentence_columns(item.split, item.sentence),
            "label": item.label,
            "claim_index": None,
            "unit": "claim",
            "judge": self.judge.name,
            "replicate": self.replicate,
            "provider": self.judge.provider,
            "model": self.judge.model,
        }
        judged: Judged | None = state.value if isinstance(state, Settled) else None
        if judged is None or not judged.judgments:
            return [common | _without(judged, state) | totals(state, price, self.own(state))]
        return [common | row for row in _claim_rows(judged, state, price)]

    def case(self, item: LabelledSentence) -> Case:
        """Name the sentence whose claims are judged."""
        key = CaseKey(self.dataset, self._id(item), self.design_name, self.judge.name, "full", self.replicate)
        return Case(key, "", item.split.summary.document, item.sentence.text)

    def own(self, state: State[Any]) -> Sequence[Reply]:
        """The first reply lists the claims and stands with the lists; all others are the judge's."""
        return state.replies[1:]

    def follow_ups(self, item: LabelledSentence, state: State[Any]) -> Iterable[Call]:
        """While the claims are not listed, expect EXPECTED_CLAIMS of them, each about as long as the sentence."""
        if isinstance(state, Pending) and not state.replies:
            claims = (f"{number} {item.sentence.text}" for number in range(EXPECTED_CLAIMS))
            yield from self.calls(item, claims)

    def _id(self, item: LabelledSentence) -> str:
        return f"{self.dataset}:{item.split.summary.summary_id}:{item.sentence.index}:claims"


def _claim_rows(judged: Judged, state: State[Any], price: Price) -> Iterator[dict[str, Any]]:
    told = zip(judged.claims.claims, judged.judgments, judged.replies, strict=True)
    for number, (claim, judgment, reply) in enumerate(told):
        said = judgment_columns(judgment, state) | totals(state, price, (reply,))
        yield {"sentence": claim, "claim_index": number} | said


def _without(judged: Judged | None, state: State[Any]) -> dict[str, Any]:
    """Fill the one row of a sentence without judged claims."""
    if judged is None:
        return judgment_columns(None, state)
    status = judged.claims.status
    error = NO_FACT if status == "ok" else NO_LIST
    return {"status": status, "faithful": None, "soft": None, "error": error}
