"""Anthropic Messages: request bodies read into a prompt, Message objects written from a completion."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import Any

from judgeray.core.canonical import JSONValue
from judgeray.emulator.anthropic_api import ANTHROPIC, FIRST_VERSION_WITHOUT_SAMPLING
from judgeray.emulator.api import Body
from judgeray.emulator.parameters import ANTHROPIC_COUNT, ANTHROPIC_MESSAGES, ANTHROPIC_SAMPLING
from judgeray.emulator.prompt import Completion, Prompt, token_count
from judgeray.emulator.refusal import RequestRefusedError


def read_message(body: Body, version: str) -> Prompt:
    """Read the body of `POST /v1/messages`; raises RequestRefusedError as the API would."""
    _check_names(body, ANTHROPIC_MESSAGES, version)
    if body.get("stream"):
        raise _invalid("stream: this simulated API does not stream")
    cap = _required(body, "max_tokens")
    if isinstance(cap, bool) or not isinstance(cap, int):
        raise _invalid("max_tokens: Input should be a valid integer")
    if cap < 1:
        raise _invalid("max_tokens: Input should be greater than or equal to 1")
    _check_temperature(body)
    return _prompt(body, cap)


def read_count(body: Body, version: str) -> Prompt:
    """Read the body of `POST /v1/messages/count_tokens`."""
    _check_names(body, ANTHROPIC_COUNT, version)
    return _prompt(body, None)


def write_message(completion: Completion, _body: Body) -> dict[str, Any]:
    """Write the Message object."""
    return {
        "id": f"msg_{completion.name}",
        "type": "message",
        "role": "assistant",
        "model": completion.served_model,
        "content": [{"type": "text", "text": completion.text}],
        "stop_reason": "max_tokens" if completion.truncated else "end_turn",
        "stop_sequence": None,
        "stop_details": None,
        "usage": {
            "input_tokens": completion.input_tokens - completion.cached_tokens - completion.written_tokens,
            "cache_creation_input_tokens": completion.written_tokens,
            "cache_read_input_tokens": completion.cached_tokens,
            "cache_creation": {
                "ephemeral_5m_input_tokens": completion.written_tokens,
                "ephemeral_1h_input_tokens": 0,
            },
            "output_tokens": completion.output_tokens,
            "service_tier": "standard",
            "inference_geo": "not_available",
        },
    }


def write_count(prompt: Prompt) -> object:
    """Write the count of a prompt's tokens."""
    system = token_count(prompt.system) if prompt.system else 0
    return {"input_tokens": system + token_count(prompt.user)}


def _prompt(body: Body, cap: int | None) -> Prompt:
    model, messages = _required(body, "model"), _required(body, "messages")
    if not isinstance(model, str):
        raise _invalid("model: Input should be a valid string")
    if not isinstance(messages, list):
        raise _invalid("messages: Input should be a valid list")
    if not messages:
        raise _invalid("messages: at least one message is required")
    texts = [_message_text(message, f"messages.{i}") for i, message in enumerate(messages)]
    system = body.get("system")
    output = body.get("output_config")
    return Prompt(
        ANTHROPIC.name,
        model,
        "" if system is None else _text_of(system, "system"),
        "\n\n".join(texts),
        output_cap=cap,
        json_only=isinstance(output, dict) and output.get("format") is not None,
        marked_characters=_marked_characters(messages),
    )


def _marked_characters(messages: list[JSONValue]) -> int:
    """How much of the user text ends in a block that is to be cached; all the blocks are text."""
    first = messages[0]
    content = first.get("content") if isinstance(first, dict) else None
    blocks = [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []
    marks = [number for number, block in enumerate(blocks, 1) if block.get("cache_control") is not None]
    return sum(len(str(block.get("text"))) for block in blocks[: max(marks, default=0)])


def _message_text(message: JSONValue, where: str) -> str:
    if not isinstance(message, dict):
        raise _invalid(f"{where}: Input should be a valid dictionary")
    if message.get("role") not in ("user", "assistant"):
        raise _invalid(f"{where}.role: Input should be 'user' or 'assistant'")
    return _text_of(_required(message, "content", f"{where}."), f"{where}.content")


def _text_of(content: JSONValue, where: str) -> str:
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        raise _invalid(f"{where}: Input should be a valid string or list")
    texts = [block.get("text") for block in content if isinstance(block, dict) and block.get("type") == "text"]
    found = [text for text in texts if isinstance(text, str)]
    if len(found) < len(content):
        raise _invalid(f"{where}: this simulated API reads text blocks only")
    return "".join(found)


def _check_names(body: Body, allowed: AbstractSet[str], version: str) -> None:
    if version < FIRST_VERSION_WITHOUT_SAMPLING:
        allowed = allowed | ANTHROPIC_SAMPLING
    for name in body:
        if name not in allowed:
            raise _invalid(f"{name}: Extra inputs are not permitted")


def _check_temperature(body: Body) -> None:
    value = body.get("temperature")
    if value is not None and (isinstance(value, bool) or not isinstance(value, int | float)):
        raise _invalid("temperature: Input should be a valid number")
    if isinstance(value, int | float) and not 0 <= value <= 1:
        raise _invalid("temperature: range: 0..1")


def _required(body: Body, name: str, where: str = "") -> JSONValue:
    if name not in body:
        raise _invalid(f"{where}{name}: Field required")
    return body[name]


def _invalid(message: str) -> RequestRefusedError:
    return RequestRefusedError(400, message)
