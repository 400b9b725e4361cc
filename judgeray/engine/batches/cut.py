"""Cutting wanted calls into batches: by what may share one, by count and by bytes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from judgeray.core.call import Call
from judgeray.providers.batch import BatchCaps, BatchLine, estimated_bytes

SHARE_OF_CAP = 0.95
"""Share of a provider's byte limit that is used: bytes are estimated before the body is built."""

LONGEST_ID = "x" * 64


def cut(calls: Iterable[Call], caps: BatchCaps) -> Iterator[list[Call]]:
    """Yield batches of calls that may share one; holds at most one unfinished batch per group."""
    waiting: dict[str, list[Call]] = {}
    bytes_of: dict[str, int] = {}
    for call in calls:
        name, size = group(call), estimated_bytes(BatchLine(LONGEST_ID, call))
        batch = waiting.setdefault(name, [])
        full = len(batch) >= caps.most_requests or bytes_of.get(name, 0) + size > caps.most_bytes * SHARE_OF_CAP
        if batch and full:
            yield waiting.pop(name)
            batch, bytes_of[name] = waiting.setdefault(name, []), 0
        batch.append(call)
        bytes_of[name] = bytes_of.get(name, 0) + size
    yield from (batch for batch in waiting.values() if batch)


def group(call: Call) -> str:
    """Calls share a batch by model and by which parameters they set: OpenAI and Gemini take one model a batch, and
    Anthropic's API version, which sampling parameters decide, holds for the whole batch."""
    return f"{call.model} {' '.join(sorted(call.parameters))}"
