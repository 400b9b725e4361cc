"""What lies behind a verdict: the texts that a report may show, and where they come from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True, order=True)
class CaseKey:
    """Names one verdict row of a log."""

    dataset: str
    row_id: str
    design: str
    judge: str
    condition: str
    replicate: int


@dataclass(frozen=True, slots=True)
class Exchange:
    """One call and its reply, verbatim; `reply` is None where no text is kept."""

    system: str | None
    user: str
    reply: str | None
    facts: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Evidence:
    """The exchanges of one verdict row in the order asked; `error` are the words of a failed call."""

    question: str
    reference: str
    candidate: str
    exchanges: tuple[Exchange, ...]
    error: str | None = None


class EvidenceSource(Protocol):
    """Whoever can look texts up: a run directory can, a plain verdict log cannot."""

    def find(self, keys: Sequence[CaseKey]) -> Mapping[CaseKey, Evidence]:
        """Give the evidence of these verdict rows, as far as there is any."""
        ...

    @property
    def lacking(self) -> str | None:
        """Why there is none, as a sentence for the report; None where there is."""
        ...
