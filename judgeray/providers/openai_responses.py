"""OpenAI Responses API: the wire body of a call and the reading of a response (POST /responses)."""

from __future__ import annotations

from typing import Any

from judgeray.core.call import Call
from judgeray.core.reply import Outcome, Usage
from judgeray.providers.body import merged, text_or_none, whole, without_none
from judgeray.providers.content import Content
from judgeray.providers.errors import ProviderError

PATH = "/responses"


def request_body(call: Call) -> dict[str, Any]:
    """Build the request body; parameters that the manifest does not set are absent."""
    given = call.parameters
    logprobs = given.get("top_logprobs")
    body = without_none(
        model=call.model,
        instructions=call.system,
        input=call.user,
        store=False,
        max_output_tokens=given.get("max_output_tokens"),
        temperature=given.get("temperature"),
        top_p=given.get("top_p"),
        reasoning={"effort": given["reasoning_effort"]} if "reasoning_effort" in given else None,
        include=["message.output_text.logprobs"] if logprobs is not None else None,
        top_logprobs=logprobs,
    )
    return merged(body, given.get("extra_body"))


def read_body(body: dict[str, Any]) -> Content:
    """Read a Response object. Raises ProviderError (retry) for status `failed`, which arrives with HTTP 200."""
    if body.get("status") == "failed":
        error = body.get("error") or {}
        raise ProviderError("retry", f"openai: response failed: {error.get('code')}: {error.get('message')}")
    if not isinstance(body.get("output"), list):
        raise ProviderError("retry", "openai: the response has no output list")
    parts = [part for item in body["output"] if item.get("type") == "message" for part in item["content"]]
    texts = [part["text"] for part in parts if part.get("type") == "output_text"]
    refused = any(part.get("type") == "refusal" for part in parts)
    reason = (body.get("incomplete_details") or {}).get("reason")
    return Content(
        outcome=_outcome(refused, reason, bool("".join(texts))),
        text="".join(texts) if texts else None,
        usage=_usage(body.get("usage") or {}),
        finish_reason=reason or text_or_none(body.get("status")),
        served_model=text_or_none(body.get("model")),
        response_id=text_or_none(body.get("id")),
    )


def _outcome(refused: bool, reason: str | None, has_text: bool) -> Outcome:
    if refused or reason == "content_filter":
        return "refused"
    if reason is not None:
        return "truncated"
    return "complete" if has_text else "empty"


def _usage(usage: dict[str, Any]) -> Usage:
    return Usage(
        input_tokens=whole(usage.get("input_tokens")),
        output_tokens=whole(usage.get("output_tokens")),
        reasoning_tokens=whole((usage.get("output_tokens_details") or {}).get("reasoning_tokens")),
        cached_tokens=whole((usage.get("input_tokens_details") or {}).get("cached_tokens")),
        total_tokens=whole(usage.get("total_tokens")),
    )
