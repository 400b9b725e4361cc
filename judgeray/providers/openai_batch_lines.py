"""OpenAI's Batch API: its input lines, its result lines, its batch object (Batch API guide and reference)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from judgeray.core.call import Call
from judgeray.providers import openai_chat, openai_responses
from judgeray.providers.account import Account
from judgeray.providers.batch import BatchStatus
from judgeray.providers.body import encode, inner, name_or_none, objects, text_or_none, whole
from judgeray.providers.errors import ProviderError
from judgeray.providers.failures import from_status
from judgeray.providers.harvest import LineFormat
from judgeray.providers.words import fit_to_show

ENDED = frozenset({"completed", "failed", "expired", "cancelled"})
TAG = "judgeray_tag"
"""Key in a batch's metadata under which its tag stands."""

QUEUE_FULL = frozenset({"token_limit_exceeded", "rate_limit_exceeded"})
"""Codes of a failed batch that was never begun, because too much is enqueued already."""

NOT_EXECUTED = frozenset({"batch_expired", "batch_cancelled", "request_timeout"})
"""Codes of a result line whose request was not executed or not to its end (BatchRequestOutput.error)."""

MOST_SHOWN = 3


def endpoint(account: Account) -> str:
    """The route that every line of a batch names."""
    return "/v1" + (openai_chat.PATH if account.api == "chat" else openai_responses.PATH)


def request_body(call: Call, account: Account) -> dict[str, Any]:
    """The body of a line: the realtime body of the same call."""
    if account.api == "chat":
        return openai_chat.request_body(call, account.max_tokens_field)
    return openai_responses.request_body(call)


def write_line(custom_id: str, url: str, body: Mapping[str, Any]) -> bytes:
    """One line of the input file."""
    return encode({"custom_id": custom_id, "method": "POST", "url": url, "body": body}) + b"\n"


def line_format(account: Account) -> LineFormat:
    """How the result lines of this account's endpoint are read."""
    read_body = openai_chat.read_body if account.api == "chat" else openai_responses.read_body
    return LineFormat("custom_id", body_of, read_body)


def body_of(line: dict[str, Any], key: str) -> tuple[dict[str, Any], str | None]:
    """Take the response body out of a line of the output file or the error file.

    Both files hold lines of every kind. Only status 200 is a reply: a 4xx body has the place of one, with `error`
    null beside it. Raises ProviderError for all others.
    """
    response, error = line.get("response"), line.get("error")
    if isinstance(response, dict):
        status, body = response.get("status_code"), response.get("body")
        if status == 200 and isinstance(body, dict):
            return body, text_or_none(response.get("request_id"))
        if isinstance(status, int) and 300 <= status < 600:
            raise from_status("openai", status, body, key=key)
    code = name_or_none(inner(error, "code"))
    if code in NOT_EXECUTED or not error:
        words = text_or_none(inner(error, "message")) or "the line holds neither a response nor an error"
        raise ProviderError("retry", f"openai: not executed: {fit_to_show(words, key)}", code=f"batch:{code}")
    raise from_status("openai", 200, {"error": error}, key=key)


def result_files(batch: Mapping[str, Any]) -> list[str]:
    """The ids of a batch's result files, if any; an id may be absent, null or an empty text."""
    ids = (text_or_none(batch.get(field)) for field in ("output_file_id", "error_file_id"))
    return [file_id for file_id in ids if file_id]


def read_status(batch: Mapping[str, Any], key: str) -> BatchStatus:
    """Read a Batch object. An unknown status is taken for a running one."""
    state = name_or_none(batch.get("status")) or "unknown"
    counts = _counts(batch)
    if state != "failed":
        return BatchStatus("ended" if state in ENDED else "running", state, counts)
    errors = objects(inner(batch.get("errors"), "data"))
    if not errors:
        return BatchStatus("ended", state, counts, "openai: the batch failed and no reason was given", "retry")
    reasons = [_failure(error, key) for error in errors]
    told = "; ".join(fit_to_show(reason.message, key) for reason in reasons[:MOST_SHOWN])
    more = f"; and {len(reasons) - MOST_SHOWN} more" if len(reasons) > MOST_SHOWN else ""
    passing = {"busy", "retry"}.issuperset(reason.reaction for reason in reasons)
    return BatchStatus("ended", state, counts, told + more, "busy" if passing else "account")


def _failure(error: dict[str, Any], key: str) -> ProviderError:
    """One reason why a whole batch failed: its queue is full, or it would fail again as it stands."""
    code, line = name_or_none(error.get("code")), whole(error.get("line"))
    words = f"{code}: {text_or_none(error.get('message')) or 'no reason given'}"
    told = f"openai: the batch failed: {fit_to_show(words, key)}" + ("" if line is None else f" (line {line})")
    return ProviderError("busy" if code in QUEUE_FULL else "account", told, code=f"batch:{code}")


def _counts(batch: Mapping[str, Any]) -> dict[str, int]:
    numbers = {name: whole(inner(batch.get("request_counts"), name)) for name in ("total", "completed", "failed")}
    return {name: number for name, number in numbers.items() if number is not None}
