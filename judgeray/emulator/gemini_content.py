"""Gemini generateContent: request bodies read into a prompt, responses written from a completion."""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet
from typing import Any

from judgeray.core.canonical import JSONValue
from judgeray.emulator.api import Body
from judgeray.emulator.gemini_api import GEMINI
from judgeray.emulator.gemini_logprobs import asked_logprobs, written_logprobs
from judgeray.emulator.parameters import GEMINI_CONFIG, GEMINI_CONTENT, GEMINI_COUNT
from judgeray.emulator.prompt import Completion, Prompt, token_count
from judgeray.emulator.refusal import RequestRefusedError

_SNAKE = re.compile(r"_(\w)")


def read_content(body: Body, model: str) -> Prompt:
    """Read the body of `:generateContent`; raises RequestRefusedError as the API would.

    Like all JSON of this API, names may be written in camelCase or snake_case.
    """
    fields = camel(body)
    _check_names(fields, GEMINI_CONTENT, "")
    config = fields.get("generationConfig") or {}
    if not isinstance(config, dict):
        raise _invalid("Invalid value at 'generation_config'")
    config = camel(config)
    _check_names(config, GEMINI_CONFIG, " at 'generation_config'")
    _check_temperature(config)
    if _whole_number(config, "candidateCount") not in (None, 1):
        raise _invalid("This simulated API writes one candidate.")
    system = fields.get("systemInstruction")
    return Prompt(
        GEMINI.name,
        model,
        "" if system is None else _content_text(system, "system_instruction"),
        _contents_text(fields),
        _whole_number(config, "seed"),
        _cap(config),
        config.get("responseMimeType") == "application/json",
        asked_logprobs(config),
    )


def read_count(body: Body, model: str) -> Prompt:
    """Read the body of `:countTokens`: contents, or a whole request to be counted."""
    fields = camel(body)
    _check_names(fields, GEMINI_COUNT, "")
    request = fields.get("generateContentRequest")
    if isinstance(request, dict):
        return read_content(request, model)
    return Prompt(GEMINI.name, model, "", _contents_text(fields))


def unknown_model(model: str, version: str) -> RequestRefusedError:
    """The refusal of a model that does not exist here."""
    message = (
        f"models/{model} is not found for API version {version}, or is not supported for generateContent. "
        "Call ListModels to see the list of available models and their supported methods."
    )
    return RequestRefusedError(404, message)


def write_content(completion: Completion, _body: Body) -> dict[str, Any]:
    """Write the GenerateContentResponse."""
    candidate: dict[str, Any] = {
        "content": {"parts": [{"text": completion.text}], "role": "model"},
        "finishReason": "MAX_TOKENS" if completion.truncated else "STOP",
        "index": 0,
    }
    if completion.logprobs:
        candidate |= written_logprobs(completion)
    usage: dict[str, Any] = {
        "promptTokenCount": completion.input_tokens,
        "candidatesTokenCount": completion.output_tokens,
        "totalTokenCount": completion.input_tokens + completion.output_tokens,
        "promptTokensDetails": [{"modality": "TEXT", "tokenCount": completion.input_tokens}],
    }
    if completion.cached_tokens:
        usage["cachedContentTokenCount"] = completion.cached_tokens
    return {
        "candidates": [candidate],
        "usageMetadata": usage,
        "modelVersion": completion.served_model,
        "responseId": completion.name,
    }


def write_count(prompt: Prompt) -> object:
    """Write the count of a prompt's tokens."""
    total = token_count(prompt.user) + (token_count(prompt.system) if prompt.system else 0)
    return {"totalTokens": total, "promptTokensDetails": [{"modality": "TEXT", "tokenCount": total}]}


def _contents_text(fields: Body) -> str:
    contents = fields.get("contents")
    if not isinstance(contents, list) or not contents:
        raise _invalid("* GenerateContentRequest.contents: contents is not specified\n")
    return "\n\n".join([_content_text(content, f"contents[{i}]") for i, content in enumerate(contents)])


def _content_text(content: JSONValue, where: str) -> str:
    parts = content.get("parts") if isinstance(content, dict) else None
    if not isinstance(parts, list) or not parts:
        raise _invalid(f"Invalid value at '{where}': contents.parts must not be empty.")
    texts = [part.get("text") for part in parts if isinstance(part, dict)]
    found = [text for text in texts if isinstance(text, str)]
    if len(found) < len(parts):
        raise _invalid(f"Invalid value at '{where}': this simulated API reads text parts only.")
    return "\n".join(found)


def camel(body: Body) -> Body:
    """The fields of a JSON object with their names in camelCase."""
    return {_SNAKE.sub(lambda found: found[1].upper(), name) if "_" in name else name: body[name] for name in body}


def _check_names(fields: Body, allowed: AbstractSet[str], where: str) -> None:
    for name in fields:
        if name not in allowed:
            message = f'Invalid JSON payload received. Unknown name "{name}"{where}: Cannot find field.'
            violation: JSONValue = {"description": message}
            details: JSONValue = {
                "@type": "type.googleapis.com/google.rpc.BadRequest",
                "fieldViolations": [violation],
            }
            raise RequestRefusedError(400, message, details=[details])


def _cap(config: Body) -> int | None:
    cap = _whole_number(config, "maxOutputTokens")
    if cap is not None and cap < 1:
        raise _invalid(f"Invalid value at 'generation_config.max_output_tokens': {cap} is below 1.")
    return cap


def _check_temperature(config: Body) -> None:
    value = config.get("temperature")
    if value is None:
        return
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 2:
        raise _invalid(f"Invalid value at 'generation_config.temperature': {value!r} is not within [0.0, 2.0].")


def _whole_number(config: Body, name: str) -> int | None:
    value = config.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int):
        raise _invalid(f"Invalid value at 'generation_config.{name}' (TYPE_INT32), {value!r}")
    return value


def _invalid(message: str) -> RequestRefusedError:
    return RequestRefusedError(400, message)
