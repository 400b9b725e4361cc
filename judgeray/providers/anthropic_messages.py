"""Anthropic Messages API: the wire body of a call and the reading of a message (POST /v1/messages)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from judgeray.core.call import Call
from judgeray.core.reply import Outcome, Usage
from judgeray.providers.body import inner, joined, merged, name_or_none, objects, whole, without_none
from judgeray.providers.content import Content
from judgeray.providers.errors import ProviderError
from judgeray.providers.failures import from_status

PATH = "/v1/messages"

SAMPLING_VERSION = "2023-06-01"
SAMPLING = frozenset({"temperature", "top_p", "top_k"})
"""Parameters that the API takes on this version and earlier models only; later versions answer 400 to each."""

TRUNCATED = frozenset({"max_tokens", "model_context_window_exceeded", "pause_turn"})
"""Stop reasons of a message that was cut off (StopReason)."""

DEFAULT_MAX_TOKENS = 16_000
"""Anthropic demands `max_tokens`; this is what a judge gets unless the manifest sets `max_output_tokens`."""


def request_body(call: Call) -> dict[str, Any]:
    """Build the request body. The cap is always in the call: the API refuses a request without it."""
    given = call.parameters
    body = without_none(
        model=call.model,
        max_tokens=given.get("max_output_tokens", DEFAULT_MAX_TOKENS),
        system=call.system,
        messages=[{"role": "user", "content": _content(call)}],
        temperature=given.get("temperature"),
        top_p=given.get("top_p"),
        output_config={"effort": given["reasoning_effort"]} if "reasoning_effort" in given else None,
    )
    return merged(body, given.get("extra_body"))


def _content(call: Call) -> str | list[dict[str, Any]]:
    """The user text; where a part of it is shared, in two blocks, of which the first is to be cached.

    Blocks are read as one text. The API takes no block that is blank (prompt caching guide).
    """
    shared = call.user[: max(0, call.shared_prefix_characters or 0)]
    own = call.user[len(shared) :]
    if not shared.strip() or not own.strip():
        return call.user
    return [
        {"type": "text", "text": shared, "cache_control": {"type": "ephemeral"}},
        {"type": "text", "text": own},
    ]


def request_headers(body: Mapping[str, Any]) -> dict[str, str]:
    """Ask for the older API version where the request body has sampling parameters, and only there."""
    return {"anthropic-version": SAMPLING_VERSION} if SAMPLING & body.keys() else {}


def read_body(body: dict[str, Any], key: str = "") -> Content:
    """Read a message; thinking blocks are no text. Raises ProviderError where the body is no message."""
    stop, blocks = name_or_none(body.get("stop_reason")), body.get("content")
    if not isinstance(blocks, list) and stop != "refusal":
        raise _no_reply(body, key)
    text = joined([block.get("text") for block in objects(blocks) if block.get("type") == "text"])
    return Content(
        outcome=_outcome(stop, bool(text)),
        text=text,
        usage=_usage(body.get("usage")),
        finish_reason=stop,
        served_model=name_or_none(body.get("model")),
        response_id=name_or_none(body.get("id")),
    )


def _no_reply(body: dict[str, Any], key: str) -> ProviderError:
    if isinstance(body.get("error"), dict):
        return from_status("anthropic", 200, body, key=key)
    return ProviderError("retry", "anthropic: the message has no content list", code="body:no_content")


def _outcome(stop: str | None, has_text: bool) -> Outcome:
    if stop == "refusal":
        return "refused"
    if stop in TRUNCATED:
        return "truncated"
    return "complete" if has_text else "empty"


def _usage(usage: object) -> Usage:
    """Anthropic's input count leaves cached input out; ours includes it."""
    fresh, output = whole(inner(usage, "input_tokens")), whole(inner(usage, "output_tokens"))
    read = whole(inner(usage, "cache_read_input_tokens"))
    written = whole(inner(usage, "cache_creation_input_tokens"))
    total_input = None if fresh is None else fresh + (read or 0) + (written or 0)
    return Usage(
        input_tokens=total_input,
        output_tokens=output,
        reasoning_tokens=whole(inner(usage, "output_tokens_details", "thinking_tokens")),
        cached_tokens=read,
        total_tokens=None if total_input is None or output is None else total_input + output,
        cache_write_tokens=written or None,
    )
