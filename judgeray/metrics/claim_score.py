"""Scoring by claims: split both texts, check each list against the other text, count."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from judgeray.core.canonical import JSONValue
from judgeray.core.procedure import Procedure, together
from judgeray.metrics.draws import Drawn
from judgeray.metrics.entailment import Checked
from judgeray.metrics.f_beta import count, precision_of, recall_of, value_of
from judgeray.metrics.metric import Part, Score, Scored
from judgeray.metrics.settings import Settings

Split = Callable[[str], Procedure[Drawn[tuple[str, ...]]]]
Check = Callable[[Sequence[str], str], Procedure[Drawn[Checked]]]
Detail = dict[str, JSONValue]


def claim_score(item: Scored, settings: Settings, split: Split, check: Check) -> Procedure[Score]:
    """Split and check in two waves; precision needs the answer's claims alone, and nothing else is asked for it.

    A text without claims has no share of them: where a list that the mode reads is empty, the score is ok without
    a value, and nothing is checked.
    """
    texts = {"answer": item.answer, "reference": item.reference}
    others = {"answer": item.reference, "reference": item.answer}
    sides = ("answer",) if settings.mode == "precision" else ("answer", "reference")
    claims = yield from _by_side({side: split(texts[side]) for side in sides})
    parts = _parts(claims, "claims")
    detail: Detail = {f"{side}_claims": _listed(drawn.value) for side, drawn in claims.items()}
    if ended := _failed(parts, detail) or _undefined(claims, parts, detail):
        return ended
    checks = yield from _by_side({side: check(claims[side].value, others[side]) for side in sides})
    parts += _parts(checks, "verdicts")
    for side, drawn in checks.items():
        detail |= _checked(side, drawn.value)
    return _failed(parts, detail) or _counted(checks, settings, parts, detail)


def _by_side(asked: Mapping[str, Procedure[Any]]) -> Procedure[dict[str, Any]]:
    values = yield from together(*asked.values())
    return dict(zip(asked, values, strict=True))


def _parts(drawn: Mapping[str, Drawn[Any]], step: str) -> tuple[Part, ...]:
    return tuple(value.part(f"{side}_{step}") for side, value in drawn.items())


def _failed(parts: tuple[Part, ...], detail: Detail) -> Score | None:
    status = next((part.status for part in parts if part.status != "ok"), None)
    return None if status is None else Score(status, None, detail, parts)


def _undefined(claims: Mapping[str, Drawn[Any]], parts: tuple[Part, ...], detail: Detail) -> Score | None:
    empty = [side for side, drawn in claims.items() if not drawn.value]
    if not empty:
        return None
    return Score("ok", None, detail | {"undefined": f"no claims in the {' and the '.join(empty)}"}, parts)


def _counted(
    checks: Mapping[str, Drawn[Checked]], settings: Settings, parts: tuple[Part, ...], detail: Detail
) -> Score:
    verdicts = [drawn.value.verdicts for drawn in checks.values() if drawn.value is not None]
    counts = count(*verdicts)
    shares: Detail = {"precision": precision_of(counts), "recall": recall_of(counts, settings)}
    return Score("ok", value_of(counts, settings), {**detail, **asdict(counts), **shares}, parts)


def _listed(claims: Sequence[str] | None) -> JSONValue:
    return None if claims is None else list(claims)


def _checked(side: str, checked: Checked | None) -> Detail:
    if checked is None:
        return {f"{side}_verdicts": None}
    further = {f"{side}_{name}": value for name, value in checked.further.items()}
    return {f"{side}_verdicts": list(checked.verdicts), **further}
