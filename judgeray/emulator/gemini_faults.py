"""Gemini's injected faults: refusals of status faults, and generated content under content faults."""

from __future__ import annotations

from collections.abc import Mapping

from judgeray.emulator.fault_names import FaultName
from judgeray.emulator.gemini_limits import PER_DAY, PER_MINUTE, quota_exceeded
from judgeray.emulator.refusal import BAD_GATEWAY_PAGE, RequestRefusedError
from judgeray.emulator.text_form import Reply, Spoil, half

_UNTOLD = "Resource has been exhausted (e.g. check quota)."
_PER_DAY_LIMIT, _PER_MINUTE_LIMIT = 10_000, 1_000


def gemini_fault(fault: FaultName, model: str, retry_after_seconds: float) -> RequestRefusedError:
    """The refusal for a status fault other than a key that is not valid."""
    if fault == "rate_limited":
        return quota_exceeded(PER_MINUTE, model, _PER_MINUTE_LIMIT, retry_after_seconds)
    if fault == "quota_exhausted":
        # A quota of the day comes with a delay too, of seconds only: it must not be believed.
        return quota_exceeded(PER_DAY, model, _PER_DAY_LIMIT, retry_after_seconds)
    status, message = _REFUSALS[fault]
    page = BAD_GATEWAY_PAGE if fault == "bad_gateway" else None
    return RequestRefusedError(status, message, page=page)


_REFUSALS: Mapping[FaultName, tuple[int, str]] = {
    "rate_limited_silently": (429, _UNTOLD),
    "bad_request": (400, "Request contains an invalid argument."),
    "forbidden": (403, "Your project has been denied access. Please contact support."),
    "not_found": (404, "Requested entity was not found."),
    "context_length": (
        400,
        "The input token count (1048577) exceeds the maximum number of tokens allowed (1048576).",
    ),
    "server_error": (500, "An internal error has occurred. Please retry."),
    "bad_gateway": (502, "Bad gateway."),
    "unavailable": (503, "The model is overloaded. Please try again later."),
    "gateway_timeout": (504, "The request timed out. Please try again."),
    "overloaded": (529, "The model is overloaded."),
}


def _stopped(reply: Reply, reason: str) -> None:
    reply["candidates"] = [{"finishReason": reason, "index": 0}]
    _no_output(reply)


def _no_output(reply: Reply) -> None:
    usage = reply["usageMetadata"]
    del usage["candidatesTokenCount"]
    usage["totalTokenCount"] = usage["promptTokenCount"]


def _refused(reply: Reply) -> None:
    _stopped(reply, "SAFETY")


def _filtered(reply: Reply) -> None:
    _stopped(reply, "PROHIBITED_CONTENT")


def _blocked(reply: Reply) -> None:
    _empty(reply)
    reply["promptFeedback"] = {"blockReason": "PROHIBITED_CONTENT"}


def _empty(reply: Reply) -> None:
    del reply["candidates"]
    _no_output(reply)


def _textless(reply: Reply) -> None:
    reply["candidates"][0] |= {"content": {"role": "model"}, "finishReason": "MAX_TOKENS"}
    usage = reply["usageMetadata"]
    usage["thoughtsTokenCount"] = usage.pop("candidatesTokenCount")


def _short(reply: Reply) -> None:
    candidate = reply["candidates"][0]
    part = candidate["content"]["parts"][0]
    part["text"] = half(part["text"])
    candidate["finishReason"] = "MAX_TOKENS"


def _uncounted(reply: Reply) -> None:
    del reply["usageMetadata"]


SPOILED_CONTENT: Mapping[FaultName, Spoil] = {
    "refusal": _refused,
    "content_filter": _filtered,
    "prompt_block": _blocked,
    "empty_candidates": _empty,
    "no_text": _textless,
    "length": _short,
    "null_usage": _uncounted,
}
