"""Anthropic Messages API: the wire body of a call and the reading of a message (POST /v1/messages)."""

from __future__ import annotations

from typing import Any

from judgeray.core.call import Call
from judgeray.core.reply import Outcome, Usage
from judgeray.providers.body import merged, text_or_none, whole, without_none
from judgeray.providers.content import Content
from judgeray.providers.errors import ProviderError

PATH = "/v1/messages"
SAMPLING_VERSION = "2023-06-01"
"""The API version on which temperature and top_p are still taken; later ones answer 400 to both."""

DEFAULT_MAX_TOKENS = 16_000
"""Anthropic demands `max_tokens`; this is what a judge gets unless the manifest sets `max_output_tokens`."""


def request_body(call: Call) -> dict[str, Any]:
    """Build the request body. The cap is always in the call: the API refuses a request without it."""
    given = call.parameters
    body = without_none(
        model=call.model,
        max_tokens=given.get("max_output_tokens", DEFAULT_MAX_TOKENS),
        system=call.system,
        messages=[{"role": "user", "content": call.user}],
        temperature=given.get("temperature"),
        top_p=given.get("top_p"),
        output_config={"effort": given["reasoning_effort"]} if "reasoning_effort" in given else None,
    )
    return merged(body, given.get("extra_body"))


def request_headers(call: Call) -> dict[str, str]:
    """Ask for the older API version where the call sets sampling parameters, and only there."""
    sampling = {"temperature", "top_p"} & set(call.parameters)
    return {"anthropic-version": SAMPLING_VERSION} if sampling else {}


def read_body(body: dict[str, Any]) -> Content:
    """Read a message; thinking blocks are no text."""
    blocks = body.get("content")
    if not isinstance(blocks, list):
        raise ProviderError("retry", "anthropic: the message has no content list")
    texts = [block["text"] for block in blocks if block.get("type") == "text"]
    stop = text_or_none(body.get("stop_reason"))
    return Content(
        outcome=_outcome(stop, bool("".join(texts))),
        text="".join(texts) if texts else None,
        usage=_usage(body.get("usage") or {}),
        finish_reason=stop,
        served_model=text_or_none(body.get("model")),
        response_id=text_or_none(body.get("id")),
    )


def _outcome(stop: str | None, has_text: bool) -> Outcome:
    if stop == "refusal":
        return "refused"
    if stop in ("max_tokens", "model_context_window_exceeded", "pause_turn"):
        return "truncated"
    return "complete" if has_text else "empty"


def _usage(usage: dict[str, Any]) -> Usage:
    """Anthropic's input count leaves cached input out; ours includes it."""
    fresh, output = whole(usage.get("input_tokens")), whole(usage.get("output_tokens"))
    read = whole(usage.get("cache_read_input_tokens"))
    written = whole(usage.get("cache_creation_input_tokens"))
    total_input = None if fresh is None else fresh + (read or 0) + (written or 0)
    return Usage(
        input_tokens=total_input,
        output_tokens=output,
        reasoning_tokens=whole((usage.get("output_tokens_details") or {}).get("thinking_tokens")),
        cached_tokens=read,
        total_tokens=None if total_input is None or output is None else total_input + output,
    )
