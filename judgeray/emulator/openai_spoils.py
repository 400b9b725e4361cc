"""OpenAI's replies under content faults: each changes a Response or a ChatCompletion that was just written."""

from __future__ import annotations

from collections.abc import Mapping

from judgeray.emulator.fault_names import FaultName
from judgeray.emulator.refusal import RequestRefusedError
from judgeray.emulator.text_form import REFUSAL_WORDS, Reply, Spoil, half

_FILTERED = "content_filter"


def _refused_response(reply: Reply) -> None:
    reply["output"][0]["content"] = [{"type": "refusal", "refusal": REFUSAL_WORDS}]


def _blocked(_reply: Reply) -> None:
    message = "Invalid prompt: your prompt was flagged as potentially violating our usage policy."
    raise RequestRefusedError(400, message, code="invalid_prompt")


def _filtered_response(reply: Reply) -> None:
    _cut_response(reply, _FILTERED)


def _empty_response(reply: Reply) -> None:
    reply["output"] = []


def _textless_response(reply: Reply) -> None:
    reply["status"], reply["completed_at"] = "incomplete", None
    reply["incomplete_details"] = {"reason": "max_output_tokens"}
    reply["output"] = [{"id": reply["id"].replace("resp", "rs"), "type": "reasoning", "summary": []}]
    reply["usage"]["output_tokens_details"]["reasoning_tokens"] = reply["usage"]["output_tokens"]


def _short_response(reply: Reply) -> None:
    _cut_response(reply, "max_output_tokens")


def _cut_response(reply: Reply, reason: str) -> None:
    reply["status"], reply["completed_at"] = "incomplete", None
    reply["incomplete_details"] = {"reason": reason}
    message = reply["output"][0]
    message["status"] = "incomplete"
    message["content"][0]["text"] = half(message["content"][0]["text"])


def _uncounted(reply: Reply) -> None:
    reply["usage"] = None


def _refused_chat(reply: Reply) -> None:
    reply["choices"][0]["message"] |= {"content": None, "refusal": REFUSAL_WORDS}


def _filtered_chat(reply: Reply) -> None:
    _cut_chat(reply, _FILTERED)


def _empty_chat(reply: Reply) -> None:
    reply["choices"] = []


def _textless_chat(reply: Reply) -> None:
    reply["choices"][0]["message"]["content"] = ""
    reply["choices"][0]["finish_reason"] = "length"
    details = reply["usage"]["completion_tokens_details"]
    details["reasoning_tokens"] = reply["usage"]["completion_tokens"]


def _short_chat(reply: Reply) -> None:
    _cut_chat(reply, "length")


def _cut_chat(reply: Reply, reason: str) -> None:
    choice = reply["choices"][0]
    choice["finish_reason"] = reason
    choice["message"]["content"] = half(choice["message"]["content"])


SPOILED_RESPONSES: Mapping[FaultName, Spoil] = {
    "refusal": _refused_response,
    "content_filter": _filtered_response,
    "prompt_block": _blocked,
    "empty_candidates": _empty_response,
    "no_text": _textless_response,
    "length": _short_response,
    "null_usage": _uncounted,
}
SPOILED_CHATS: Mapping[FaultName, Spoil] = {
    "refusal": _refused_chat,
    "content_filter": _filtered_chat,
    "prompt_block": _blocked,
    "empty_candidates": _empty_chat,
    "no_text": _textless_chat,
    "length": _short_chat,
    "null_usage": _uncounted,
}
