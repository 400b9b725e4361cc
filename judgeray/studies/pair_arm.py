"""Pairwise judging: two candidates of one question, shown in one order or the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from typing import Any

from judgeray.core.call import Judge
from judgeray.core.procedure import Procedure, ask
from judgeray.core.replay import Settled, State, Stuck
from judgeray.core.task import Task
from judgeray.designs.pair_reading import PairJudgment
from judgeray.designs.pairwise import PairwiseDesign
from judgeray.pairs import Pair
from judgeray.report.evidence import CaseKey
from judgeray.rows import Row, row_id
from judgeray.studies.arm import Case, Sizes
from judgeray.studies.designed import Designed
from judgeray.studies.one_call import OneCall
from judgeray.studies.prompts import prompt_facts
from judgeray.studies.verdict_rows import Price, totals, unsettled
from judgeray.verdicts import PAIR_SCHEMA

ORDERS = {"full": False, "reversed": True}
"""Conditions of pairwise arms: whether the second candidate is shown first."""


def compared(pair: Pair, arm: PairArm) -> Procedure[PairJudgment]:
    """Ask which candidate is better and read the reply."""
    reply = yield from ask(arm.design.call(pair, arm.judge, arm.replicate))
    return arm.design.read(pair, reply)


def pairs_of(rows: Iterable[Row]) -> Iterator[Pair]:
    """Pair the first supported candidate of each question with each candidate that has another label.

    Rows of a question stand together; a question without a supported candidate gives no pair.
    """
    for _, group in groupby(rows, key=lambda row: row.question_id):
        mine = list(group)
        best = next((row for row in mine if row.label == "supported"), None)
        others = [row for row in mine if best is not None and row.label != best.label]
        yield from (_pair(best, other) for other in others if best is not None)


def _pair(first: Row, second: Row) -> Pair:
    return Pair(
        dataset=first.dataset,
        question_id=first.question_id,
        pair_id=_pair_id(first, second),
        first_variant=first.variant,
        second_variant=second.variant,
        question=first.question,
        reference=first.reference,
        first=first.candidate,
        second=second.candidate,
    )


def _pair_id(first: Row, second: Row) -> str:
    """Compose the pair's id of both variants, or of both row ids where a table brought its own."""
    if all(row.row_id == row_id(row.dataset, row.question_id, row.variant) for row in (first, second)):
        return row_id(first.dataset, first.question_id, f"{first.variant}-{second.variant}")
    return f"{first.row_id}~{second.row_id}"


@dataclass(frozen=True)
class PairArm(Designed, OneCall):
    """Dataset x order x pairwise design x judge x replicate."""

    dataset: str
    design: PairwiseDesign
    judge: Judge
    condition: str = "full"
    replicate: int = 0

    groups = True
    schema = PAIR_SCHEMA

    @property
    def prompts(self) -> dict[str, dict[str, str]]:
        """Name, version, source and hash of the design's prompt."""
        return {self.design.name: prompt_facts(self.design, self.design.system, self.design.template)}

    @property
    def partition(self) -> str:
        """Folder of the arm's winners."""
        return f"pairs/dataset={self.dataset}/design={self.design.name}/judge={self.judge.name}"

    @property
    def variant(self) -> str:
        """Order and replicate."""
        return f"{self.condition}-r{self.replicate}"

    def items(self, rows: Sequence[Row]) -> Sequence[Pair]:
        """Pair candidates, shown in the arm's order."""
        return [replace(pair, reversed=ORDERS[self.condition]) for pair in pairs_of(rows)]

    def size(self, sizes: Sizes) -> int:
        """One winner a pair."""
        return sizes.pairs

    def task(self, item: Pair) -> Task:
        """Compare the candidates."""
        return Task(item.pair_id, partial(compared, item, self))

    def records(self, item: Pair, state: State[Any], price: Price) -> list[dict[str, Any]]:
        """Build the pair's row; null means not known."""
        judgment: PairJudgment | None = state.value if isinstance(state, Settled) else None
        record = {
            "dataset": item.dataset,
            "question_id": item.question_id,
            "row_id": item.pair_id,
            "variant": f"{item.first_variant}-{item.second_variant}",
            "label": "first",
            "design": self.design.name,
            "judge": self.judge.name,
            "condition": self.condition,
            "replicate": self.replicate,
            "status": judgment.status if judgment else unsettled(state),
            "verdict": judgment.winner if judgment else None,
            "score": None,
            "confidence": judgment.confidence if judgment else None,
            "parse_branch": judgment.parse_branch if judgment else None,
            "provider": self.judge.provider,
            "model": self.judge.model,
            "complexity": None,
            "error": state.failure.error if isinstance(state, Stuck) else None,
            "position": judgment.position if judgment else None,
            "score_first": judgment.score_first if judgment else None,
            "score_second": judgment.score_second if judgment else None,
            **totals(state, price),
        }
        return [record]

    def case(self, item: Pair) -> Case:
        """Name the pair's row."""
        key = CaseKey(self.dataset, item.pair_id, self.design.name, self.judge.name, self.condition, self.replicate)
        return Case(key, item.question, item.reference, f"{item.first}\n\n{item.second}")
