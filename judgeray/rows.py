"""The row: one candidate answer to one source question, with the label that a right judge gives it."""

from __future__ import annotations

from dataclasses import dataclass

LABELS = ("supported", "partially_supported", "unsupported")
"""Support labels of study 1 (arXiv 2603.28005, section 3.1)."""


@dataclass(frozen=True, slots=True)
class Row:
    """One thing to judge.

    `row_id` is `dataset:question_id:variant` unless a table brings its own. `complexity` is the number of
    ASQA qa_pairs or QAMPARI answers (study 1, Table 19); None where a dataset has no such count.
    `other_reference` is a second annotator's reference for the same question; None where there is none.
    """

    dataset: str
    question_id: str
    row_id: str
    variant: str
    label: str
    question: str
    reference: str
    candidate: str
    complexity: int | None = None
    other_reference: str | None = None


@dataclass(frozen=True, slots=True)
class Skip:
    """A source question (or table row) left out by a stated rule; counted and shown, never silent."""

    dataset: str
    question_id: str
    reason: str


def row_id(dataset: str, question_id: str, variant: str) -> str:
    """Compose the id of a constructed row."""
    return f"{dataset}:{question_id}:{variant}"
