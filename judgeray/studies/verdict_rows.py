"""From a replayed procedure to its recorded row."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol

import pyarrow as pa

from judgeray.core.call import Judge
from judgeray.core.replay import Pending, Settled, State, Stuck
from judgeray.core.reply import Reply
from judgeray.core.status import Status
from judgeray.designs.reading import Judgment
from judgeray.rows import Row

Price = Callable[[Reply], float | None]
"""Cost in US dollars of one reply, or None where it is not known."""


class Judging(Protocol):
    """Who judged, how, and under which condition."""

    @property
    def design_name(self) -> str:
        """Name of the design."""
        ...

    @property
    def judge(self) -> Judge:
        """The judge."""
        ...

    @property
    def condition(self) -> str:
        """The condition."""
        ...

    @property
    def replicate(self) -> int:
        """The replicate, from 0."""
        ...


def judgment_of(state: State[Judgment]) -> Judgment | None:
    """Give what was read, once there is a reply."""
    return state.value if isinstance(state, Settled) else None


def verdict_record(row: Row, arm: Judging, judgment: Judgment | None, state: State[Any]) -> dict[str, Any]:
    """Build the columns of a verdict row that do not add up over calls; null means not known."""
    return {
        "dataset": row.dataset,
        "question_id": row.question_id,
        "row_id": row.row_id,
        "variant": row.variant,
        "label": row.label,
        "design": arm.design_name,
        "judge": arm.judge.name,
        "condition": arm.condition,
        "replicate": arm.replicate,
        "status": judgment.status if judgment else unsettled(state),
        "verdict": judgment.verdict if judgment else None,
        "score": judgment.score if judgment else None,
        "confidence": judgment.confidence if judgment else None,
        "parse_branch": judgment.parse_branch if judgment else None,
        "provider": arm.judge.provider,
        "model": arm.judge.model,
        "complexity": row.complexity,
        "error": state.failure.error if isinstance(state, Stuck) else None,
    }


def unsettled(state: State[Any]) -> Status:
    """Name what a row without a value waits for."""
    return "undelivered" if isinstance(state, Stuck) else "pending"


def totals(state: State[Any], price: Price, replies: Sequence[Reply] | None = None) -> dict[str, Any]:
    """Sum what the calls of a row used, or those behind `replies`; a sum with an unknown part is unknown."""
    replies = state.replies if replies is None else replies
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


def arrow_table(records: list[dict[str, Any]], schema: pa.Schema) -> pa.Table:
    """Turn records into Arrow; text that is not valid Unicode is kept readable with escapes."""
    columns = {
        name: [_storable(record[name]) for record in records]
        if pa.types.is_large_string(kind)
        else [record[name] for record in records]
        for name, kind in zip(schema.names, schema.types, strict=True)
    }
    return pa.table(columns, schema=schema)


def _storable(text: str | None) -> str | None:
    return None if text is None else text.encode("utf-8", "backslashreplace").decode("utf-8")
