"""Listing claims: sentences with human labels, taken apart by a writer who does not see the document."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from judgeray.core.call import Call, Judge
from judgeray.core.procedure import Procedure, ask
from judgeray.core.replay import Settled, State, Stuck
from judgeray.core.reply import Reply
from judgeray.core.task import Task
from judgeray.report.evidence import CaseKey
from judgeray.studies.arm import Case, Sizes
from judgeray.studies.averaging.labels import LabelledSentence, SentenceLabels
from judgeray.studies.prompts import prompt_facts
from judgeray.studies.verdict_rows import Price, totals, unsettled
from judgeray.summaries import SplitSummary
from judgeray.verdicts import TEXT_SCHEMA
from judgeray.writers.subclaims import Subclaims, SubclaimWriter, read_subclaims


def listed_claims(item: LabelledSentence, arm: ClaimListArm) -> Procedure[Subclaims]:
    """Take a sentence apart without the source; all judges and replicates of claims share the list."""
    return read_subclaims((yield from ask(arm.writer.call(item.sentence.text, arm.judge))))


@dataclass(frozen=True)
class ClaimListArm:
    """Dataset x claim writer; `judge` is who writes, `labels` say which sentences have a human label."""

    dataset: str
    writer: SubclaimWriter
    judge: Judge
    labels: SentenceLabels

    groups = False
    schema = TEXT_SCHEMA

    @property
    def design_name(self) -> str:
        """Name of the writer."""
        return self.writer.name

    @property
    def output_tokens(self) -> int:
        """Tokens that a list is expected to have."""
        return self.writer.output_tokens

    @property
    def prompts(self) -> dict[str, dict[str, str]]:
        """Version, source and hash of the writer's prompt."""
        return {self.writer.name: prompt_facts(self.writer, self.writer.system, self.writer.template)}

    @property
    def judges(self) -> tuple[Judge, ...]:
        """Who writes."""
        return (self.judge,)

    @property
    def partition(self) -> str:
        """Folder of the lists."""
        return f"texts/dataset={self.dataset}/writer={self.writer.name}/generator={self.judge.name}"

    @property
    def variant(self) -> str:
        """Version of the writer."""
        return self.writer.version

    def items(self, rows: Sequence[SplitSummary]) -> Sequence[LabelledSentence]:
        """Every sentence that people called faithful or unfaithful."""
        return [item for split in rows for item in self.labels.sentences(split)]

    def size(self, sizes: Sizes) -> int:
        """One list a labelled sentence."""
        return sizes.labelled

    def task(self, item: LabelledSentence) -> Task:
        """List the claims of one sentence."""
        return Task(self._id(item), partial(listed_claims, item, self))

    def records(self, item: LabelledSentence, state: State[Any], price: Price) -> list[dict[str, Any]]:
        """Build the list's row: `text` holds a claim a line, nothing where the sentence states no fact."""
        listed: Subclaims | None = state.value if isinstance(state, Settled) else None
        record = {
            "dataset": self.dataset,
            "question_id": item.split.summary.document_id,
            "text_id": self._id(item),
            "writer": f"{self.writer.name} {self.writer.version}",
            "generator": self.judge.name,
            "status": listed.status if listed else unsettled(state),
            "text": "\n".join(listed.claims) if listed and listed.status == "ok" else None,
            "partial": None,
            "identical": None,
            "parameters": json.dumps(dict(self.judge.parameters), sort_keys=True),
            "provider": self.judge.provider,
            "model": self.judge.model,
            "error": state.failure.error if isinstance(state, Stuck) else None,
            **totals(state, price),
        }
        return [record]

    def case(self, item: LabelledSentence) -> Case:
        """Name the list's row."""
        key = CaseKey(self.dataset, self._id(item), self.writer.name, self.judge.name, "full", 0)
        return Case(key, "", item.split.summary.document, item.sentence.text)

    def own(self, state: State[Any]) -> Sequence[Reply]:
        """All replies are the arm's own."""
        return state.replies

    def follow_ups(self, _item: LabelledSentence, _state: State[Any]) -> Iterable[Call]:
        """One call is all there is."""
        return ()

    def _id(self, item: LabelledSentence) -> str:
        return f"{self.dataset}:{item.split.summary.summary_id}:{item.sentence.index}:{self.judge.name}"
