"""An arm: one way of making calls about a dataset, and what is recorded of each thing it asks about."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import pyarrow as pa

from judgeray.core.call import Call, Judge
from judgeray.core.replay import State
from judgeray.core.reply import Reply
from judgeray.core.task import Task
from judgeray.report.evidence import CaseKey
from judgeray.studies.verdict_rows import Price


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much there is of a dataset.

    `rows` are what it holds, `questions` what statistics take as one, `pairs` candidates of one question that
    differ in their label, `units` what a study finds inside rows (sentences of summaries), `labelled`
    those of them that people have labelled.
    """

    rows: int = 0
    questions: int = 0
    pairs: int = 0
    units: int = 0
    labelled: int = 0


@dataclass(frozen=True, slots=True)
class Case:
    """The key of a recorded row and the texts behind it."""

    key: CaseKey
    question: str
    reference: str
    candidate: str


class Arm(Protocol):
    """What every arm can tell. An item is what it asks about: a row, a pair of candidates, or a question.

    `groups` tells that items are made of whole questions, whose rows must stand together in the dataset.
    `output_tokens` is what a reply is expected to write; it only feeds plans.
    """

    groups: bool
    schema: pa.Schema

    @property
    def dataset(self) -> str:
        """Name of the dataset whose rows it takes."""
        ...

    @property
    def judge(self) -> Judge:
        """Who is asked (a generator, where texts are written)."""
        ...

    @property
    def design_name(self) -> str:
        """What is asked: the name of a design or writer."""
        ...

    @property
    def output_tokens(self) -> int:
        """Tokens that a reply is expected to write."""
        ...

    @property
    def prompts(self) -> dict[str, dict[str, str]]:
        """Name each prompt, with its version, source and SHA-256, for provenance.json."""
        ...

    @property
    def judges(self) -> tuple[Judge, ...]:
        """Everyone who is asked, in the order asked."""
        ...

    @property
    def partition(self) -> str:
        """Folder of its records inside the run directory."""
        ...

    @property
    def variant(self) -> str:
        """What tells it from other arms of its partition; begins the names of its files."""
        ...

    def items(self, rows: Sequence[Any]) -> Sequence[Any]:
        """Make items of what the dataset holds; whole questions stand together."""
        ...

    def size(self, sizes: Sizes) -> int:
        """Count the items of a dataset."""
        ...

    def task(self, item: Any) -> Task:  # noqa: ANN401 -- items are the arm's own
        """Give the procedure for one item."""
        ...

    def records(self, item: Any, state: State[Any], price: Price) -> list[dict[str, Any]]:  # noqa: ANN401
        """Build the recorded rows of one item, with the columns of `schema`: one, or one for each of its parts."""
        ...

    def case(self, item: Any) -> Case:  # noqa: ANN401
        """Name the recorded row and the texts behind it."""
        ...

    def own(self, state: State[Any]) -> Sequence[Reply]:
        """Give the replies that count for this arm: those of texts that it needs stand with who writes them."""
        ...

    def follow_ups(self, item: Any, state: State[Any]) -> Iterable[Call]:  # noqa: ANN401
        """Give calls that will follow those wanted now, of about the right length; only for plans."""
        ...


def arm_name(arm: Arm) -> str:
    """How messages and files name an arm; unique in a run."""
    return f"{arm.partition}/{arm.variant}"
