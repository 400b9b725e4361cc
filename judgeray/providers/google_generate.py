"""Gemini generateContent: the wire body of a call and the reading of a response."""

from __future__ import annotations

from typing import Any

from judgeray.core.call import Call
from judgeray.core.reply import Outcome, Usage
from judgeray.providers.body import inner, joined, merged, name_or_none, objects, whole, without_none
from judgeray.providers.content import Content
from judgeray.providers.errors import ProviderError
from judgeray.providers.failures import from_status
from judgeray.providers.logprobs import google_logprobs

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

SHUT_OFF = "PUP_LIMITED_DISABLED"
"""Finish reason of an account that is limited or disabled for breaking the use policy."""


def path(call: Call) -> str:
    """The route of a model; `models/` may be left out, `tunedModels/` may not."""
    model = call.model if "/" in call.model else f"models/{call.model}"
    return f"{model}:generateContent"


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


def read_body(body: dict[str, Any], key: str = "") -> Content:
    """Read a GenerateContentResponse.

    A blocked prompt has no candidate but a block reason: refused. No candidate and no reason at all is a
    passing fault of the service: ProviderError (retry). An account that is shut off: ProviderError (account).
    """
    blocked = name_or_none(inner(body, "promptFeedback", "blockReason"))
    candidate = next(iter(objects(body.get("candidates"))), None)
    if candidate is None and blocked is None:
        raise _no_reply(body, key)
    finish = blocked or name_or_none(inner(candidate, "finishReason"))
    parts = objects(inner(candidate, "content", "parts"))
    text = joined([part.get("text") for part in parts if not part.get("thought")])
    if finish == SHUT_OFF and not text:
        raise ProviderError(
            "account", f"google: the account is limited or disabled ({finish})", code=f"200:{finish}"
        )
    return Content(
        outcome=_outcome(blocked, finish, bool(text)),
        text=text,
        usage=_usage(body.get("usageMetadata")),
        finish_reason=finish,
        served_model=name_or_none(body.get("modelVersion")),
        response_id=name_or_none(body.get("responseId")),
        token_logprobs=google_logprobs(inner(candidate, "logprobsResult")),
    )


def _no_reply(body: dict[str, Any], key: str) -> ProviderError:
    if isinstance(body.get("error"), dict):
        return from_status("google", 200, body, key=key)
    message = "google: the response has neither candidates nor a block reason"
    return ProviderError("retry", message, code="body:no_candidate")


def _outcome(blocked: str | None, finish: str | None, has_text: bool) -> Outcome:
    if blocked is not None or finish in REFUSED:
        return "refused"
    if finish in TRUNCATED:
        return "truncated"
    return "complete" if has_text else "empty"


def _usage(usage: object) -> Usage:
    """Gemini counts thoughts apart from candidates; our output includes both."""
    thoughts, written = whole(inner(usage, "thoughtsTokenCount")), whole(inner(usage, "candidatesTokenCount"))
    output = None if thoughts is None and written is None else (thoughts or 0) + (written or 0)
    return Usage(
        input_tokens=whole(inner(usage, "promptTokenCount")),
        output_tokens=output,
        reasoning_tokens=thoughts,
        cached_tokens=whole(inner(usage, "cachedContentTokenCount")),
        total_tokens=whole(inner(usage, "totalTokenCount")),
    )
