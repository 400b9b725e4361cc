"""Listing claims: sentences with human labels, taken apart by a writer who does not see the document."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from judgeray.core.call import Judge
from judgeray.core.procedure import Procedure, ask
from judgeray.core.replay import Settled, State
from judgeray.core.task import Task
from judgeray.report.evidence import CaseKey
from judgeray.studies.arm import Case, Sizes
from judgeray.studies.averaging.labels import LabelledSentence, SentenceLabels
from judgeray.studies.verdict_rows import Price, unsettled
from judgeray.studies.writing import Writing
from judgeray.summaries import SplitSummary
from judgeray.writers.subclaims import Subclaims, read_subclaims
from judgeray.writers.writer import Writer


def listed_claims(item: LabelledSentence, arm: ClaimListArm) -> Procedure[Subclaims]:
    """Take a sentence apart without the source; all judges and replicates of claims share the list."""
    return read_subclaims((yield from ask(arm.writer.call(item.sentence.text, arm.judge))))


@dataclass(frozen=True)
class ClaimListArm(Writing):
    """Dataset x claim writer; `judge` is who writes, `labels` say which sentences have a human label."""

    dataset: str
    writer: Writer
    judge: Judge
    labels: SentenceLabels

    groups = False

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
        status = listed.status if listed else unsettled(state)
        text = "\n".join(listed.claims) if listed and listed.status == "ok" else None
        document = item.split.summary.document_id
        return [self.text_record(document, self._id(item), state, price, status=status, text=text)]

    def case(self, item: LabelledSentence) -> Case:
        """Name the list's row."""
        key = CaseKey(self.dataset, self._id(item), self.writer.name, self.judge.name, "full", 0)
        return Case(key, "", item.split.summary.document, item.sentence.text)

    def _id(self, item: LabelledSentence) -> str:
        return f"{self.dataset}:{item.split.summary.summary_id}:{item.sentence.index}:{self.judge.name}"
