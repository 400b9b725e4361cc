"""Gemini's Batch API in file mode: its input lines, result lines and operation (Batch API guide, google.rpc)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from judgeray.core.call import Call
from judgeray.providers import google_generate
from judgeray.providers.batch import BatchStatus
from judgeray.providers.body import encode, inner, name_or_none, text_or_none, whole
from judgeray.providers.errors import ProviderError
from judgeray.providers.failures import from_status
from judgeray.providers.harvest import LineFormat
from judgeray.providers.taxonomy import STATUS_OF_NAME
from judgeray.providers.words import fit_to_show

ENDED = frozenset({"SUCCEEDED", "FAILED", "CANCELLED", "EXPIRED", "PARTIALLY_SUCCEEDED"})
WITHOUT_RESULTS = frozenset({"CANCELLED", "EXPIRED"})
"""States of a job that gives nothing back, though parts of it may have run."""

COUNTS = ("requestCount", "successfulRequestCount", "failedRequestCount", "pendingRequestCount")

RPC_CODES = {
    1: "CANCELLED",
    3: "INVALID_ARGUMENT",
    4: "DEADLINE_EXCEEDED",
    5: "NOT_FOUND",
    7: "PERMISSION_DENIED",
    8: "RESOURCE_EXHAUSTED",
    9: "FAILED_PRECONDITION",
    13: "INTERNAL",
    14: "UNAVAILABLE",
    16: "UNAUTHENTICATED",
}
"""Names of google.rpc.Code by number, since lines and operations give the number alone; the rest may pass."""


def model_path(call: Call) -> str:
    """The resource name of a call's model."""
    return google_generate.path(call).removesuffix(":generateContent")


def write_line(custom_id: str, call: Call) -> bytes:
    """One line of the input file; its `request` is the realtime body of the same call, in the REST spelling."""
    return encode({"key": custom_id, "request": google_generate.request_body(call)}) + b"\n"


def body_of(line: dict[str, Any], key: str) -> tuple[dict[str, Any], str | None]:
    """Take the response out of a result line. Raises ProviderError where there is an error or status instead."""
    response = line.get("response")
    if isinstance(response, dict) and response:
        return response, None
    error = line.get("error") or line.get("status")
    if isinstance(error, dict):
        raise rpc_error(error, key)
    words = fit_to_show(text_or_none(error) or "the line holds neither a response nor an error", key)
    raise ProviderError("retry", f"google: not executed: {words}", code="batch:no_response")


LINE_FORMAT = LineFormat("key", body_of, google_generate.read_body)


def rpc_error(error: dict[str, Any], key: str) -> ProviderError:
    """Read a google.rpc.Status, whose code is a number of google.rpc.Code or an HTTP status."""
    code = whole(error.get("code")) or 0
    name = text_or_none(error.get("status")) or RPC_CODES.get(code, "UNKNOWN")
    status = STATUS_OF_NAME.get(name, code if 400 <= code < 600 else 200)
    return from_status("google", status, {"error": {**error, "status": name}}, key=key)


def read_status(operation: Mapping[str, Any], key: str) -> BatchStatus:
    """Read the operation of a batch. An unknown state is taken for a running one unless the operation is done."""
    told = name_or_none(inner(operation.get("metadata"), "state")) or "unknown"
    state = told.removeprefix("BATCH_STATE_").removeprefix("JOB_STATE_")
    counts = _counts(operation)
    if state not in ENDED and operation.get("done") is not True:
        return BatchStatus("running", state, counts)
    error = operation.get("error")
    if isinstance(error, dict) and error:
        problem = rpc_error(error, key)
        # What is wrong with a whole file is wrong again when the same file is submitted again.
        reaction = "account" if problem.reaction == "row" else problem.reaction
        return BatchStatus("ended", state, counts, problem.message, reaction)
    if state == "FAILED":
        return BatchStatus("ended", state, counts, "google: the batch failed and no reason was given", "retry")
    if state in WITHOUT_RESULTS:
        return BatchStatus("ended", state, counts, f"google: the batch ended without results: {state}", "retry")
    return BatchStatus("ended", state, counts)


def responses_file(operation: Mapping[str, Any]) -> str | None:
    """The name of the result file, if there is one."""
    holders = (operation.get("response"), inner(operation.get("metadata"), "output"))
    names = (text_or_none(inner(holder, "responsesFile")) for holder in holders)
    return next((name for name in names if name), None)


def _counts(operation: Mapping[str, Any]) -> dict[str, int]:
    """Counts are 64-bit integers, which JSON carries as texts."""
    stats = inner(operation.get("metadata"), "batchStats")
    numbers = {name: _number(inner(stats, name)) for name in COUNTS}
    return {name: number for name, number in numbers.items() if number is not None}


def _number(value: object) -> int | None:
    if isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) < 16:
        return int(value)
    return whole(value)
