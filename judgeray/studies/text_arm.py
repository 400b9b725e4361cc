"""Writing: a generator answers the questions of a dataset, once each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import Any

from judgeray.core.call import Judge
from judgeray.core.procedure import Procedure, ask
from judgeray.core.replay import Settled, State, Stuck
from judgeray.core.reply import Reply
from judgeray.core.task import Task
from judgeray.report.evidence import CaseKey
from judgeray.rows import Row
from judgeray.studies.arm import Case, Sizes
from judgeray.studies.verdict_rows import Price, unsettled
from judgeray.studies.writing import Writing
from judgeray.writers.answer import generated_candidate, is_whole, nominal_partial
from judgeray.writers.writer import Writer


def asked(row: Row, arm: TextArm) -> Procedure[Reply]:
    """Ask the generator for an answer and give the reply as it came."""
    reply = yield from ask(arm.writer.call(row.question, arm.judge))
    return reply


def questions_of(rows: Iterable[Row]) -> list[Row]:
    """Give the first row of each question; rows of a question stand together."""
    return [next(group) for _, group in groupby(rows, key=lambda row: row.question_id)]


@dataclass(frozen=True)
class TextArm(Writing):
    """Dataset x writer x generator: `judge` is the generator, with temperature and cap as they are sent."""

    dataset: str
    writer: Writer
    judge: Judge

    groups = True

    def items(self, rows: Sequence[Row]) -> Sequence[Row]:
        """One text a question."""
        return questions_of(rows)

    def size(self, sizes: Sizes) -> int:
        """One text a question."""
        return sizes.questions

    def task(self, item: Row) -> Task:
        """Write the answer to a question."""
        return Task(self._id(item), partial(asked, item, self))

    def records(self, item: Row, state: State[Any], price: Price) -> list[dict[str, Any]]:
        """Build the text's row; null means not known."""
        status, text, error = _outcome(state)
        partial_text = None if text is None else nominal_partial(text)
        identical = None if text is None or partial_text is None else is_whole(text, partial_text)
        return [
            self.text_record(
                item.question_id,
                self._id(item),
                state,
                price,
                status=status,
                text=text,
                partial=partial_text,
                identical=identical,
                error=error,
            )
        ]

    def case(self, item: Row) -> Case:
        """Name the text's row."""
        key = CaseKey(self.dataset, self._id(item), self.writer.name, self.judge.name, "full", 0)
        return Case(key, item.question, item.reference, "")

    def _id(self, item: Row) -> str:
        return f"{item.dataset}:{item.question_id}:{self.judge.name}"


def _outcome(state: State[Any]) -> tuple[str, str | None, str | None]:
    """Give status, text, and why there is none."""
    if not isinstance(state, Settled):
        return unsettled(state), None, state.failure.error if isinstance(state, Stuck) else None
    written = generated_candidate(state.value)
    if written.text is None:
        outcome = state.value.outcome
        return (outcome if outcome in ("refused", "truncated") else "unparsed"), None, written.reason
    return "ok", written.text, None
