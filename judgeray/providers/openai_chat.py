"""Chat Completions API, as OpenAI and compatible servers speak it (POST /chat/completions)."""

from __future__ import annotations

from typing import Any

from judgeray.core.call import Call
from judgeray.core.reply import Outcome, Usage
from judgeray.providers.body import merged, text_or_none, whole, without_none
from judgeray.providers.content import Content
from judgeray.providers.errors import ProviderError

PATH = "/chat/completions"


def request_body(call: Call, max_tokens_field: str = "max_completion_tokens") -> dict[str, Any]:
    """Build the request body; older compatible servers know the cap only as `max_tokens`."""
    given = call.parameters
    messages = [{"role": "system", "content": call.system}] if call.system is not None else []
    messages.append({"role": "user", "content": call.user})
    logprobs = given.get("top_logprobs")
    body = without_none(
        model=call.model,
        messages=messages,
        temperature=given.get("temperature"),
        top_p=given.get("top_p"),
        seed=given.get("seed"),
        reasoning_effort=given.get("reasoning_effort"),
        logprobs=True if logprobs is not None else None,
        top_logprobs=logprobs,
    )
    body.update(without_none(**{max_tokens_field: given.get("max_output_tokens")}))
    return merged(body, given.get("extra_body"))


def read_body(body: dict[str, Any]) -> Content:
    """Read a chat completion. Raises ProviderError (retry) where there is no choice."""
    choices = body.get("choices")
    if not isinstance(choices, list) or not choices or not isinstance(choices[0].get("message"), dict):
        raise ProviderError("retry", "openai: the completion has no choice with a message")
    message, finish = choices[0]["message"], text_or_none(choices[0].get("finish_reason"))
    text = text_or_none(message.get("content"))
    return Content(
        outcome=_outcome(bool(message.get("refusal")), finish, bool(text)),
        text=text,
        usage=_usage(body.get("usage") or {}),
        finish_reason=finish,
        served_model=text_or_none(body.get("model")),
        response_id=text_or_none(body.get("id")),
    )


def _outcome(refused: bool, finish: str | None, has_text: bool) -> Outcome:
    if refused or finish == "content_filter":
        return "refused"
    if finish == "length":
        return "truncated"
    return "complete" if has_text else "empty"


def _usage(usage: dict[str, Any]) -> Usage:
    return Usage(
        input_tokens=whole(usage.get("prompt_tokens")),
        output_tokens=whole(usage.get("completion_tokens")),
        reasoning_tokens=whole((usage.get("completion_tokens_details") or {}).get("reasoning_tokens")),
        cached_tokens=whole((usage.get("prompt_tokens_details") or {}).get("cached_tokens")),
        total_tokens=whole(usage.get("total_tokens")),
    )
