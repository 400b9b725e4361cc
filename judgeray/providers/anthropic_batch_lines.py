"""Anthropic's Message Batches API: its body, its result lines, its batch object (Message Batches reference)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from judgeray.core.call import Call
from judgeray.providers import anthropic_messages
from judgeray.providers.batch import BatchLine, BatchStatus
from judgeray.providers.body import encode, inner, name_or_none, text_or_none, whole
from judgeray.providers.errors import ProviderError
from judgeray.providers.failures import from_status
from judgeray.providers.harvest import LineFormat
from judgeray.providers.taxonomy import STATUS_OF_NAME

COUNTS = ("processing", "succeeded", "errored", "canceled", "expired")
NOT_EXECUTED = frozenset({"canceled", "expired"})
"""Types of a result whose request was never sent to the model, and is not billed."""


def write_body(lines: Iterable[BatchLine]) -> Iterator[bytes]:
    """The body of a create, in pieces: each request's `params` are the realtime body of the same call."""
    separator = b""
    yield b'{"requests":['
    for line in lines:
        params = anthropic_messages.request_body(line.call)
        yield separator + encode({"custom_id": line.custom_id, "params": params})
        separator = b","
    yield b"]}"


def create_headers(call: Call) -> dict[str, str]:
    """The headers of a create: the API version that one call needs rules all requests of its batch."""
    return anthropic_messages.request_headers(anthropic_messages.request_body(call))


def body_of(line: dict[str, Any], key: str) -> tuple[dict[str, Any], str | None]:
    """Take the message out of a result line. Raises ProviderError for all that is not `succeeded`."""
    result = line.get("result")
    kind, message = name_or_none(inner(result, "type")), inner(result, "message")
    if kind == "succeeded" and isinstance(message, dict):
        return message, None
    if kind == "errored":
        error = inner(result, "error")
        name = text_or_none(inner(error, "error", "type")) or ""
        raise from_status("anthropic", STATUS_OF_NAME.get(name, 200), error, key=key)
    if kind in NOT_EXECUTED:
        raise ProviderError("retry", f"anthropic: not executed: {kind}", code=f"batch:{kind}")
    raise ProviderError("retry", f"anthropic: a result of an unknown kind: {kind}", code="batch:unknown")


LINE_FORMAT = LineFormat("custom_id", body_of, anthropic_messages.read_body)


def read_status(batch: Mapping[str, Any]) -> BatchStatus:
    """Read a MessageBatch object; all requests count as processing until the batch has ended.

    Results are kept for 29 days; of a batch whose results are gone nothing can be had.
    """
    state = name_or_none(batch.get("processing_status")) or "unknown"
    numbers = {name: whole(inner(batch.get("request_counts"), name)) for name in COUNTS}
    counts = {name: number for name, number in numbers.items() if number is not None}
    if state != "ended":
        return BatchStatus("running", state, counts)
    if text_or_none(batch.get("archived_at")) and not text_or_none(batch.get("results_url")):
        return BatchStatus("ended", state, counts, "anthropic: the results were archived and are gone", "retry")
    return BatchStatus("ended", state, counts)


def requests_in(batch: Mapping[str, Any]) -> int:
    """How many requests a batch holds, in whatever state they are."""
    return sum(read_status(batch).counts.values())
