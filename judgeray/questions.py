"""The question: one source question and the text that answers it rightly."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Question:
    """One thing to answer, with its gold answer, verbatim (study 2, arXiv 2609.15561, section 3)."""

    dataset: str
    question_id: str
    question: str
    reference: str
