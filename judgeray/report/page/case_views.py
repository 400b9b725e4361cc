"""Rows to read, as the template draws them: shortened where a text is long, and inert."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup, escape

from judgeray.report.cases import Case, CellCases
from judgeray.report.evidence import Evidence, Exchange
from judgeray.report.extras import Extras
from judgeray.report.page.grids import Places
from judgeray.report.text import block

LONGEST_TEXT = 6_000
"""Characters that a page shows of one prompt or reply."""

_TONES = {
    "not answered": "none",
    "not read": "none",
    "right where another design is wrong": "right",
}


@dataclass(frozen=True)
class TurnView:
    """One call and its reply; texts are escaped and keep their lines."""

    system: Markup | None
    user: Markup
    reply: Markup | None
    facts: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class CaseView:
    """One row to read."""

    number: int
    row_id: str
    verdict: str
    tone: str
    told: str
    reading: list[tuple[str, str]]
    exchanges: list[TurnView]


@dataclass(frozen=True)
class CellView:
    """The rows of one cell; `left_out` counts those not shown."""

    title: str
    told: str
    parts: tuple[tuple[str, str], ...]
    cases: list[CaseView]
    left_out: int


def cell_views(extras: Extras, places: Places, several_conditions: bool) -> list[CellView]:
    """Prepare all cells, in their order."""
    views, number = [], 0
    for cell in extras.cells:
        cases = [_case(number + n, case, extras.evidence.get(case.key)) for n, case in enumerate(cell.cases)]
        number += len(cases)
        views.append(_cell(cell, cases, places, several_conditions))
    return views


def _cell(cell: CellCases, cases: list[CaseView], places: Places, several: bool) -> CellView:
    names = [cell.dataset, cell.design, cell.judge, *([cell.condition] if several else [])]
    row: dict[str, Any] = {
        "dataset": cell.dataset, "judge": cell.judge, "design": cell.design, "condition": cell.condition,
    }  # fmt: skip
    told = ", ".join(f"{count} {kind}" for kind, count in cell.counts)
    return CellView(" · ".join(names), told, places.of(row), cases, cell.total - len(cases))


def _case(number: int, case: Case, evidence: Evidence | None) -> CaseView:
    error = (evidence.error if evidence else None) or case.error
    reading = [
        ("label", case.label),
        ("verdict", case.verdict or "none"),
        ("status", case.status),
        ("read as", case.parse_branch or "not recorded"),
        *((f"{kind} tokens", f"{count:,}") for kind, count in case.tokens),
        ("question", case.question_id),
        *([("replicate", str(case.key.replicate))] if case.key.replicate else []),
        *([("error", error)] if error else []),
    ]
    return CaseView(
        number=number,
        row_id=case.key.row_id,
        verdict=case.verdict or case.status,
        tone=_TONES.get(case.kind, "wrong"),
        told=f"label {case.label}; {case.kind}",
        reading=reading,
        exchanges=list(_turns(evidence.exchanges)) if evidence else [],
    )


def _turns(exchanges: Iterable[Exchange]) -> Iterable[TurnView]:
    for turn in exchanges:
        yield TurnView(
            system=None if turn.system is None else shortened(turn.system),
            user=shortened(turn.user),
            reply=None if turn.reply is None else shortened(turn.reply),
            facts=turn.facts,
        )


def shortened(text: str) -> Markup:
    """Escape a text, its lines kept; the middle of a long one is left out, and how much is said."""
    if len(text) > LONGEST_TEXT:
        half = LONGEST_TEXT // 2
        gap = f"\n[… {len(text) - 2 * half:,} characters left out; judgeray show has them …]\n"
        text = text[:half] + gap + text[-half:]
    return escape(block(text))
