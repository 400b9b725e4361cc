"""Gemini generateContent: the wire body of a call and the reading of a response."""

from __future__ import annotations

from typing import Any

from judgeray.core.call import Call
from judgeray.core.reply import Outcome, Usage
from judgeray.providers.body import merged, text_or_none, whole, without_none
from judgeray.providers.content import Content
from judgeray.providers.errors import ProviderError

TRUNCATED = frozenset({"MAX_TOKENS", "CONTINUATION"})
REFUSED = frozenset(
    {
        "SAFETY",
        "RECITATION",
        "LANGUAGE",
        "BLOCKLIST",
        "PROHIBITED_CONTENT",
        "SPII",
        "MODEL_ARMOR",
        "IMAGE_SAFETY",
        "ESCALATION",
    }
)
"""Finish reasons by which the service withholds an answer (FinishReason, Gemini API reference)."""


def path(call: Call) -> str:
    """The route of a model; names may be written with or without the `models/` prefix."""
    return f"models/{call.model.removeprefix('models/')}:generateContent"


def request_body(call: Call) -> dict[str, Any]:
    """Build the REST request body (camelCase, sampling under generationConfig)."""
    given = call.parameters
    effort, logprobs = given.get("reasoning_effort"), given.get("top_logprobs")
    config = without_none(
        maxOutputTokens=given.get("max_output_tokens"),
        temperature=given.get("temperature"),
        topP=given.get("top_p"),
        seed=given.get("seed"),
        thinkingConfig={"thinkingLevel": str(effort).upper()} if effort is not None else None,
        responseLogprobs=True if logprobs is not None else None,
        logprobs=logprobs,
    )
    body = without_none(
        contents=[{"role": "user", "parts": [{"text": call.user}]}],
        systemInstruction={"parts": [{"text": call.system}]} if call.system is not None else None,
        generationConfig=config or None,
    )
    return merged(body, given.get("extra_body"))


def read_body(body: dict[str, Any]) -> Content:
    """Read a GenerateContentResponse.

    A blocked prompt has no candidate but a block reason: refused. No candidate and no reason at all is a
    passing fault of the service: ProviderError (retry).
    """
    blocked = text_or_none((body.get("promptFeedback") or {}).get("blockReason"))
    candidates = body.get("candidates") or []
    if not candidates and blocked is None:
        raise ProviderError("retry", "google: the response has neither candidates nor a block reason")
    candidate = candidates[0] if candidates else {}
    finish = blocked or text_or_none(candidate.get("finishReason"))
    parts = (candidate.get("content") or {}).get("parts") or []
    texts = [part["text"] for part in parts if "text" in part and not part.get("thought")]
    return Content(
        outcome=_outcome(blocked, finish, bool("".join(texts))),
        text="".join(texts) if texts else None,
        usage=_usage(body.get("usageMetadata") or {}),
        finish_reason=finish,
        served_model=text_or_none(body.get("modelVersion")),
        response_id=text_or_none(body.get("responseId")),
    )


def _outcome(blocked: str | None, finish: str | None, has_text: bool) -> Outcome:
    if blocked is not None or finish in REFUSED:
        return "refused"
    if finish in TRUNCATED:
        return "truncated"
    return "complete" if has_text else "empty"


def _usage(usage: dict[str, Any]) -> Usage:
    """Gemini counts thoughts apart from candidates; our output includes both."""
    thoughts, written = whole(usage.get("thoughtsTokenCount")), whole(usage.get("candidatesTokenCount"))
    output = None if thoughts is None and written is None else (thoughts or 0) + (written or 0)
    return Usage(
        input_tokens=whole(usage.get("promptTokenCount")),
        output_tokens=output,
        reasoning_tokens=thoughts,
        cached_tokens=whole(usage.get("cachedContentTokenCount")),
        total_tokens=whole(usage.get("totalTokenCount")),
    )
