"""Judging what a generator wrote: the answer whole, and its nominal first third (study 1, section 6.2)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

from judgeray.core.call import Call, Judge
from judgeray.core.procedure import Procedure, ask
from judgeray.core.replay import Pending, Settled, State, Stuck
from judgeray.core.reply import Reply
from judgeray.core.task import Task
from judgeray.designs.pointwise import HEADER, PointwiseDesign
from judgeray.designs.reading import Judgment
from judgeray.report.evidence import CaseKey
from judgeray.rows import Row, row_id
from judgeray.studies.arm import Case, Sizes
from judgeray.studies.designed import Designed
from judgeray.studies.prompts import prompt_facts
from judgeray.studies.text_arm import TextArm, questions_of
from judgeray.studies.verdict_rows import Price, totals, verdict_record
from judgeray.verdicts import VERDICT_SCHEMA
from judgeray.writers.answer import generated_candidate, nominal_partial

Length = Literal["full", "partial"]

LABELS: dict[Length, str] = {"full": "supported", "partial": "partially_supported"}
"""Nominal labels: a generated answer need not cover the reference, so both are noisy."""

CHARACTERS_PER_TOKEN = 4


def generated_name(dataset: str) -> str:
    """Name the dataset that the answers to a dataset's questions form."""
    return f"{dataset}.generated"


@dataclass(frozen=True)
class Written:
    """A row whose candidate is yet to be written, whole or cut."""

    row: Row
    length: Length


@dataclass(frozen=True)
class Outcome:
    """The judgment on a written candidate, or why there was no candidate."""

    judgment: Judgment | None
    reason: str | None = None


def judged_text(item: Written, arm: GeneratedArm) -> Procedure[Outcome]:
    """Get the answer written, then ask the judge about it."""
    reply = yield from ask(arm.texts.writer.call(item.row.question, arm.texts.judge))
    written = generated_candidate(reply)
    if written.text is None:
        return Outcome(None, written.reason)
    text = written.text if item.length == "full" else nominal_partial(written.text)
    verdict = yield from ask(arm.design.call(replace(item.row, candidate=text), arm.judge, arm.replicate))
    return Outcome(arm.design.read(verdict))


@dataclass(frozen=True)
class GeneratedArm(Designed):
    """What `texts` writes x design x judge x replicate; its rows form a dataset of their own."""

    texts: TextArm
    design: PointwiseDesign
    judge: Judge
    condition: str = "full"
    replicate: int = 0

    groups = True
    schema = VERDICT_SCHEMA

    @property
    def dataset(self) -> str:
        """Name of the dataset whose questions are answered."""
        return self.texts.dataset

    @property
    def rows_dataset(self) -> str:
        """Name of the dataset that the answers form."""
        return generated_name(self.dataset)

    @property
    def prompts(self) -> dict[str, dict[str, str]]:
        """Name, version, source and hash of the design's prompt."""
        return {self.design.name: prompt_facts(self.design, self.design.system, HEADER, self.design.block)}

    @property
    def judges(self) -> tuple[Judge, ...]:
        """The generator, then the judge."""
        return self.texts.judge, self.judge

    @property
    def partition(self) -> str:
        """Folder of the arm's verdicts."""
        return f"verdicts/dataset={self.rows_dataset}/design={self.design.name}/judge={self.judge.name}"

    @property
    def variant(self) -> str:
        """Condition, replicate and generator."""
        return f"{self.condition}-r{self.replicate}-{self.texts.judge.name}"

    def items(self, rows: Sequence[Row]) -> Sequence[Written]:
        """Two rows a question."""
        return [self._written(row, length) for row in questions_of(rows) for length in LABELS]

    def size(self, sizes: Sizes) -> int:
        """Two rows a question."""
        return len(LABELS) * sizes.questions

    def task(self, item: Written) -> Task:
        """Write and judge one row."""
        return Task(item.row.row_id, partial(judged_text, item, self))

    def records(self, item: Written, state: State[Any], price: Price) -> list[dict[str, Any]]:
        """Build the verdict row; tokens and cost are the judge's, the generator's stand with its text."""
        outcome: Outcome | None = state.value if isinstance(state, Settled) else None
        judgment = outcome.judgment if outcome else None
        record = verdict_record(item.row, self, judgment, state) | totals(state, price, self.own(state))
        if outcome and outcome.judgment is None:
            record |= {"status": "undelivered", "error": f"no candidate: {outcome.reason}"}
        elif isinstance(state, Stuck) and not state.replies:
            record["error"] = f"no candidate: {state.failure.error}"
        return [record]

    def case(self, item: Written) -> Case:
        """Name the verdict row; the candidate stands in the generator's reply."""
        key = CaseKey(
            self.rows_dataset,
            item.row.row_id,
            self.design.name,
            self.judge.name,
            self.condition,
            self.replicate,
        )
        candidate = f"({item.length} text by {self.texts.judge.name}: the reply to call 1)"
        return Case(key, item.row.question, item.row.reference, candidate)

    def own(self, state: State[Any]) -> Sequence[Reply]:
        """The first reply is the generator's, all others are the judge's."""
        return state.replies[1:]

    def follow_ups(self, item: Written, state: State[Any]) -> Iterable[Call]:
        """While the answer is not written, the judge's call is still to come."""
        if isinstance(state, Pending) and not state.replies:
            text = item.row.row_id.ljust(CHARACTERS_PER_TOKEN * self.texts.output_tokens)
            yield self.design.call(replace(item.row, candidate=text), self.judge, self.replicate)

    def _written(self, row: Row, length: Length) -> Written:
        variant = f"{self.texts.judge.name}.{length}"
        named = row_id(self.rows_dataset, row.question_id, variant)
        named_row = replace(row, dataset=self.rows_dataset, row_id=named, variant=variant)
        return Written(replace(named_row, label=LABELS[length], candidate=""), length)
