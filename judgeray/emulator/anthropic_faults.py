"""Anthropic's injected faults: refusals of status faults, and Messages under content faults."""

from __future__ import annotations

from collections.abc import Mapping

from judgeray.core.canonical import JSONValue
from judgeray.emulator.anthropic_limits import rate_limited
from judgeray.emulator.fault_names import FaultName
from judgeray.emulator.refusal import BAD_GATEWAY_PAGE, RequestRefusedError
from judgeray.emulator.text_form import REFUSAL_WORDS, Reply, Spoil, half

_SPEND_LIMIT: JSONValue = {"error_code": "enforced_spend_limit_reached"}


def anthropic_fault(fault: FaultName, retry_after_seconds: float) -> RequestRefusedError:
    """The refusal for a status fault other than an unknown model."""
    if fault == "rate_limited":
        message = "This request would exceed your organization's rate limit of requests per minute."
        return rate_limited(message, retry_after_seconds)
    status, message = _REFUSALS[fault]
    page = BAD_GATEWAY_PAGE if fault == "bad_gateway" else None
    details = (_SPEND_LIMIT,) if fault == "quota_exhausted" else ()
    return RequestRefusedError(status, message, details=details, page=page)


_REFUSALS: Mapping[FaultName, tuple[int, str]] = {
    "rate_limited_silently": (429, "Number of concurrent connections has exceeded your rate limit."),
    "quota_exhausted": (429, "You have reached the monthly spend limit of your organization."),
    "bad_request": (400, "messages: the request could not be processed"),
    "unauthorized": (401, "invalid x-api-key"),
    "forbidden": (403, "Your API key does not have permission to use the specified resource."),
    "context_length": (400, "prompt is too long: 1000001 tokens > 1000000 maximum"),
    "server_error": (500, "Internal server error"),
    "bad_gateway": (502, "Bad gateway"),
    "unavailable": (503, "Service unavailable"),
    "gateway_timeout": (504, "Request timed out"),
    "overloaded": (529, "Overloaded"),
}


def _refused(reply: Reply) -> None:
    reply["content"], reply["stop_reason"] = [], "refusal"
    reply["stop_details"] = {"type": "refusal", "category": "general_harms", "explanation": REFUSAL_WORDS}


def _blocked(reply: Reply) -> None:
    _refused(reply)
    reply["usage"]["output_tokens"] = 0


def _filtered(_reply: Reply) -> None:
    raise RequestRefusedError(400, "Output blocked by content filtering policy")


def _empty(reply: Reply) -> None:
    reply["content"] = []


def _textless(reply: Reply) -> None:
    reply["content"] = [{"type": "thinking", "thinking": "", "signature": "simulated"}]
    reply["stop_reason"] = "max_tokens"


def _short(reply: Reply) -> None:
    reply["content"][0]["text"] = half(reply["content"][0]["text"])
    reply["stop_reason"] = "max_tokens"


def _uncounted(reply: Reply) -> None:
    reply["usage"] = None


SPOILED_MESSAGES: Mapping[FaultName, Spoil] = {
    "refusal": _refused,
    "content_filter": _filtered,
    "prompt_block": _blocked,
    "empty_candidates": _empty,
    "no_text": _textless,
    "length": _short,
    "null_usage": _uncounted,
}
