"""OpenAI Responses API: the wire body of a call and the reading of a response (POST /responses)."""

from __future__ import annotations

from typing import Any

from judgeray.core.call import Call
from judgeray.core.reply import Outcome, Usage
from judgeray.providers.body import inner, joined, merged, name_or_none, objects, whole, without_none
from judgeray.providers.content import Content
from judgeray.providers.errors import ProviderError
from judgeray.providers.failures import from_status
from judgeray.providers.logprobs import openai_logprobs

PATH = "/responses"

NO_REPLY = frozenset({"failed", "cancelled", "queued", "in_progress"})
"""Statuses of a Response that holds no reply to keep (ResponseStatus)."""

POLICY_FAILURES = frozenset({"invalid_prompt", "bio_policy", "misalignment_policy_violation"})
"""Error codes of a failed Response by which the service declines the row's text (ResponseError.code)."""


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


def read_body(body: dict[str, Any], key: str = "") -> Content:
    """Read a Response object.

    A failed response arrives with HTTP 200: one that failed for a policy is a refusal, any other is a ProviderError
    with the reaction that its error code asks for. ProviderError (retry) for a response that is not finished.
    """
    status, failure = name_or_none(body.get("status")), name_or_none(inner(body, "error", "code"))
    if failure not in POLICY_FAILURES and (status in NO_REPLY or not isinstance(body.get("output"), list)):
        raise _no_reply(body, key)
    parts = [part for item in objects(body.get("output")) for part in objects(item.get("content"))]
    written = [part for part in parts if part.get("type") == "output_text"]
    text = joined([part.get("text") for part in written])
    refused = failure in POLICY_FAILURES or any(part.get("type") == "refusal" for part in parts)
    reason = name_or_none(inner(body, "incomplete_details", "reason"))
    return Content(
        outcome=_outcome(refused, reason or ("incomplete" if status == "incomplete" else None), bool(text)),
        text=text,
        usage=_usage(body.get("usage")),
        finish_reason=reason or failure or status,
        served_model=name_or_none(body.get("model")),
        response_id=name_or_none(body.get("id")),
        token_logprobs=openai_logprobs([entry for part in written for entry in objects(part.get("logprobs"))]),
    )


def _no_reply(body: dict[str, Any], key: str) -> ProviderError:
    if isinstance(body.get("error"), dict):
        return from_status("openai", 200, body, key=key)
    status = name_or_none(body.get("status"))
    if status in NO_REPLY:
        return ProviderError("retry", f"openai: the response is {status}", code=f"200:{status}")
    return ProviderError("retry", "openai: the response has no output list", code="body:no_output")


def _outcome(refused: bool, incomplete: str | None, has_text: bool) -> Outcome:
    if refused or incomplete == "content_filter":
        return "refused"
    if incomplete is not None:
        return "truncated"
    return "complete" if has_text else "empty"


def _usage(usage: object) -> Usage:
    return Usage(
        input_tokens=whole(inner(usage, "input_tokens")),
        output_tokens=whole(inner(usage, "output_tokens")),
        reasoning_tokens=whole(inner(usage, "output_tokens_details", "reasoning_tokens")),
        cached_tokens=whole(inner(usage, "input_tokens_details", "cached_tokens")),
        total_tokens=whole(inner(usage, "total_tokens")),
    )
