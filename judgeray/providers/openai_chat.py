"""Chat Completions API, as OpenAI and compatible servers speak it (POST /chat/completions)."""

from __future__ import annotations

from typing import Any

from judgeray.core.call import Call
from judgeray.core.reply import Outcome, Usage
from judgeray.providers.body import inner, joined, merged, name_or_none, objects, text_or_none, whole, without_none
from judgeray.providers.content import Content
from judgeray.providers.errors import ProviderError
from judgeray.providers.failures import from_status
from judgeray.providers.logprobs import openai_logprobs

PATH = "/chat/completions"

TRUNCATED = frozenset({"length", "model_length"})
"""Finish reasons of a completion that was cut off: the cap, and (Mistral) the end of the model's context."""


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


def read_body(body: dict[str, Any], key: str = "") -> Content:
    """Read a chat completion.

    Raises ProviderError where there is no choice, or where a gateway reports another server's failure in a response
    with status 200: at the top of the body or inside the choice.
    """
    choice = next(iter(objects(body.get("choices"))), {})
    message, finish = choice.get("message"), name_or_none(choice.get("finish_reason"))
    error = choice.get("error") or body.get("error")
    if error and (finish == "error" or not inner(message, "content")):
        raise from_status("openai", 200, {"error": error}, key=key)
    if not isinstance(message, dict):
        raise ProviderError("retry", "openai: the completion has no choice with a message", code="body:no_choice")
    text = _text(message.get("content"))
    return Content(
        outcome=_outcome(bool(message.get("refusal")), finish, bool(text)),
        text=text,
        usage=_usage(body.get("usage")),
        finish_reason=finish,
        served_model=name_or_none(body.get("model")),
        response_id=name_or_none(body.get("id")),
        token_logprobs=openai_logprobs(inner(choice, "logprobs", "content")),
    )


def _text(content: object) -> str | None:
    """A string, or the list of typed parts that some compatible servers send for models that think."""
    if isinstance(content, list):
        return joined([part.get("text") for part in objects(content) if part.get("type") == "text"])
    return text_or_none(content)


def _outcome(refused: bool, finish: str | None, has_text: bool) -> Outcome:
    if refused or finish == "content_filter":
        return "refused"
    if finish in TRUNCATED:
        return "truncated"
    return "complete" if has_text else "empty"


def _usage(usage: object) -> Usage:
    return Usage(
        input_tokens=whole(inner(usage, "prompt_tokens")),
        output_tokens=whole(inner(usage, "completion_tokens")),
        reasoning_tokens=whole(inner(usage, "completion_tokens_details", "reasoning_tokens")),
        cached_tokens=whole(inner(usage, "prompt_tokens_details", "cached_tokens")),
        total_tokens=whole(inner(usage, "total_tokens")),
    )
