"""From a replayed task to its verdict row."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pyarrow as pa

from judgeray.core.replay import Pending, Settled, State, Stuck
from judgeray.core.reply import Reply
from judgeray.designs.reading import Judgment
from judgeray.rows import Row
from judgeray.studies.arm import Arm
from judgeray.verdicts import VERDICT_SCHEMA

Price = Callable[[Reply], float | None]
"""Cost in US dollars of one reply, or None where it is not known."""


def verdict_row(row: Row, arm: Arm, state: State[Judgment], price: Price) -> dict[str, Any]:
    """Build one verdict row (columns of DESIGN's verdict log); null means not known."""
    judgment = state.value if isinstance(state, Settled) else None
    return {
        "dataset": row.dataset,
        "question_id": row.question_id,
        "row_id": row.row_id,
        "variant": row.variant,
        "label": row.label,
        "design": arm.design.name,
        "judge": arm.judge.name,
        "condition": arm.condition,
        "replicate": arm.replicate,
        "status": _status(state),
        "verdict": judgment.verdict if judgment else None,
        "score": judgment.score if judgment else None,
        "confidence": judgment.confidence if judgment else None,
        "parse_branch": judgment.parse_branch if judgment else None,
        "provider": arm.judge.provider,
        "model": arm.judge.model,
        "complexity": row.complexity,
        "error": state.failure.error if isinstance(state, Stuck) else None,
        **_totals(state, price),
    }


def _status(state: State[Judgment]) -> str:
    if isinstance(state, Settled):
        return state.value.status
    return "undelivered" if isinstance(state, Stuck) else "pending"


def _totals(state: State[Judgment], price: Price) -> dict[str, Any]:
    """Sum what the calls of a row used; a sum with an unknown part is unknown."""
    replies = state.replies
    failed = [state.failure.attempts] if isinstance(state, Stuck) else []
    waiting = [call.key for call in state.wanted] if isinstance(state, Pending) else []
    stuck = [state.failure.key] if isinstance(state, Stuck) else []
    return {
        "input_tokens": _sum(reply.usage.input_tokens for reply in replies),
        "output_tokens": _sum(reply.usage.output_tokens for reply in replies),
        "reasoning_tokens": _sum(reply.usage.reasoning_tokens for reply in replies),
        "cached_tokens": _sum(reply.usage.cached_tokens for reply in replies),
        "total_tokens": _sum(reply.usage.total_tokens for reply in replies),
        "cost_usd": _sum(price(reply) for reply in replies),
        "served_model": _joined(reply.served_model for reply in replies),
        "mode": _joined(reply.mode for reply in replies),
        "call_keys": [*(reply.key for reply in replies), *waiting, *stuck],
        "attempts": _sum([*(reply.attempts for reply in replies), *failed]),
        "latency_seconds": _sum(reply.latency_seconds for reply in replies),
        "finish_reason": _joined(reply.finish_reason for reply in replies),
        "simulated": any(reply.simulated for reply in replies) if replies else None,
    }


def _sum(values: Iterable[float | None]) -> float | None:
    known = list(values)
    if not known or any(value is None for value in known):
        return None
    return sum(value for value in known if value is not None)


def _joined(values: Iterable[str | None]) -> str | None:
    """The distinct values in the order of the calls, joined by `+`."""
    return "+".join(dict.fromkeys(value for value in values if value is not None)) or None


def verdict_table(rows: list[dict[str, Any]]) -> pa.Table:
    """Turn verdict rows into Arrow; text that is not valid Unicode is kept readable with escapes."""
    columns = {
        name: [_storable(row[name]) for row in rows]
        if pa.types.is_large_string(kind)
        else [row[name] for row in rows]
        for name, kind in zip(VERDICT_SCHEMA.names, VERDICT_SCHEMA.types, strict=True)
    }
    return pa.table(columns, schema=VERDICT_SCHEMA)


def _storable(text: str | None) -> str | None:
    return None if text is None else text.encode("utf-8", "backslashreplace").decode("utf-8")
