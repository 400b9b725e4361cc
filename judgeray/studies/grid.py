"""The grid of study 1: every row of a dataset under every arm, one call each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from judgeray.conditions.condition import Change
from judgeray.core.call import Judge
from judgeray.core.procedure import Procedure, ask
from judgeray.core.replay import State
from judgeray.core.task import Task
from judgeray.designs.pointwise import HEADER, PointwiseDesign
from judgeray.designs.reading import Judgment
from judgeray.report.evidence import CaseKey
from judgeray.rows import Row
from judgeray.studies.arm import Case, Sizes
from judgeray.studies.designed import Designed
from judgeray.studies.one_call import OneCall
from judgeray.studies.prompts import prompt_facts
from judgeray.studies.verdict_rows import Price, judgment_of, totals, verdict_record
from judgeray.verdicts import VERDICT_SCHEMA


def unchanged(row: Row) -> Row:
    """Give the row as it is."""
    return row


def judged(row: Row, arm: GridArm) -> Procedure[Judgment]:
    """Ask the arm's judge about one row and read its reply."""
    reply = yield from ask(arm.design.call(row, arm.judge, arm.replicate))
    return arm.design.read(reply)


@dataclass(frozen=True)
class GridArm(Designed, OneCall):
    """Dataset x condition x design x judge x replicate; rows x arms = verdict rows.

    `change` is what the condition does to a row; what it does to the call stands in the judge's parameters.
    """

    dataset: str
    design: PointwiseDesign
    judge: Judge
    condition: str = "full"
    replicate: int = 0
    change: Change = field(default=unchanged, compare=False)

    groups = False
    schema = VERDICT_SCHEMA

    @property
    def prompts(self) -> dict[str, dict[str, str]]:
        """Name, version, source and hash of the design's prompt."""
        return {self.design.name: prompt_facts(self.design, self.design.system, HEADER, self.design.block)}

    @property
    def partition(self) -> str:
        """Folder of the arm's verdicts."""
        return f"verdicts/dataset={self.dataset}/design={self.design.name}/judge={self.judge.name}"

    @property
    def variant(self) -> str:
        """Condition and replicate."""
        return f"{self.condition}-r{self.replicate}"

    def items(self, rows: Sequence[Row]) -> Sequence[Row]:
        """Every row is judged."""
        return rows

    def size(self, sizes: Sizes) -> int:
        """One verdict a row."""
        return sizes.rows

    def task(self, item: Row) -> Task:
        """Judge the row as the condition has it."""
        return Task(item.row_id, partial(judged, self.change(item), self))

    def records(self, item: Row, state: State[Any], price: Price) -> list[dict[str, Any]]:
        """Build the verdict row."""
        return [verdict_record(item, self, judgment_of(state), state) | totals(state, price)]

    def case(self, item: Row) -> Case:
        """Name the verdict row; texts are those that the judge sees."""
        shown = self.change(item)
        key = CaseKey(self.dataset, item.row_id, self.design.name, self.judge.name, self.condition, self.replicate)
        return Case(key, shown.question, shown.reference, shown.candidate)
