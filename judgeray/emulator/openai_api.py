"""OpenAI's manners: keys, headers, error bodies, and the checks that its two text APIs share."""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from judgeray.core.canonical import JSONValue
from judgeray.emulator.api import REFUSED_KEY_PREFIX, Api, Body, Headers, bearer_key
from judgeray.emulator.fault_names import FaultName
from judgeray.emulator.openai_faults import openai_fault
from judgeray.emulator.refusal import RequestRefusedError

_KINDS = {403: "permission_error", 429: "requests"}
_INVALID = "invalid_request_error"
# No limit is set, so the headers announce one that no client reaches.
_RATE_HEADERS = {
    "x-ratelimit-limit-requests": "6000000",
    "x-ratelimit-limit-tokens": "10000000000",
    "x-ratelimit-remaining-requests": "5999999",
    "x-ratelimit-remaining-tokens": "9999999999",
    "x-ratelimit-reset-requests": "1ms",
    "x-ratelimit-reset-tokens": "1ms",
}


def _authenticate(headers: Headers) -> None:
    key = bearer_key(headers)
    if not key:
        raise RequestRefusedError(401, "You didn't provide an API key in an Authorization: Bearer header.")
    if key.startswith(REFUSED_KEY_PREFIX):
        raise RequestRefusedError(401, "Incorrect API key provided.", code="invalid_api_key")


def _error_body(refusal: RequestRefusedError, _request_id: str) -> object:
    kind = refusal.kind or _KINDS.get(refusal.status, "server_error" if refusal.status >= 500 else _INVALID)
    return {"error": {"message": refusal.message, "type": kind, "param": refusal.param, "code": refusal.code}}


def _headers(request_id: str) -> Headers:
    return {
        "x-request-id": f"req_{request_id}",
        "openai-version": "2020-10-01",
        "openai-processing-ms": "1",
        **_RATE_HEADERS,
    }


def _fault(fault: FaultName, model: str, retry_after_seconds: float) -> RequestRefusedError:
    return unknown_model(model) if fault == "not_found" else openai_fault(fault, model, retry_after_seconds)


OPENAI = Api("openai", bearer_key, _authenticate, _error_body, _headers, _fault)


def unknown_model(model: str) -> RequestRefusedError:
    """The refusal of a model that does not exist here."""
    message = f"The model `{model}` does not exist or you do not have access to it."
    return RequestRefusedError(404, message, code="model_not_found")


def check_names(body: Body, allowed: AbstractSet[str]) -> None:
    """Refuse parameters that the API does not have, and streaming, which this stand-in does not do."""
    for name in body:
        if name not in allowed:
            message = f"Unknown parameter: '{name}'."
            raise RequestRefusedError(400, message, code="unknown_parameter", param=name)
    if body.get("stream"):
        raise RequestRefusedError(400, "This simulated API does not stream.", param="stream")


def required_text(body: Body, name: str) -> str:
    """A parameter that must be there and be a non-empty string."""
    value = required(body, name)
    if not isinstance(value, str) or not value:
        raise _invalid_type(name, "string", value)
    return value


def required(body: Body, name: str) -> JSONValue:
    """A parameter that must be there."""
    if body.get(name) is None:
        message = f"Missing required parameter: '{name}'."
        raise RequestRefusedError(400, message, code="missing_required_parameter", param=name)
    return body[name]


def whole_number(body: Body, name: str, least: int | None = None) -> int | None:
    """An integer parameter, None where it is absent."""
    value = body.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int):
        raise _invalid_type(name, "integer", value)
    if least is not None and value < least:
        message = f"Invalid '{name}': integer below minimum value. Expected a value >= {least}, but got {value}."
        raise RequestRefusedError(400, message, code="integer_below_min_value", param=name)
    return value


def check_temperature(body: Body) -> None:
    """Refuse a temperature that is no number from 0 to 2."""
    value = body.get("temperature")
    if value is None:
        return
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _invalid_type("temperature", "number", value)
    if not 0 <= value <= 2:
        message = f"Invalid 'temperature': expected a value from 0 to 2, but got {value}."
        code = "decimal_above_max_value" if value > 2 else "decimal_below_min_value"
        raise RequestRefusedError(400, message, code=code, param="temperature")


def text_of(content: JSONValue, param: str) -> str:
    """The text of a message's content: a string, or a list of parts that hold text."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        raise _invalid_type(param, "string or array", content)
    texts = [part.get("text") for part in content if isinstance(part, dict)]
    found = [text for text in texts if isinstance(text, str)]
    if len(found) < len(content):
        raise RequestRefusedError(400, "This simulated API reads text only.", param=param)
    return "\n".join(found)


def messages_text(messages: JSONValue, param: str) -> tuple[str, str]:
    """System text and user text of a list of messages; several of a kind are joined by empty lines."""
    if not isinstance(messages, list) or not messages:
        raise _invalid_type(param, "non-empty array", messages)
    system: list[str] = []
    user: list[str] = []
    for i, message in enumerate(messages):
        if not isinstance(message, dict):
            raise _invalid_type(f"{param}[{i}]", "object", message)
        side = system if message.get("role") in ("system", "developer") else user
        side.append(text_of(message.get("content"), f"{param}[{i}].content"))
    return "\n\n".join(system), "\n\n".join(user)


def demands_json(form: JSONValue) -> bool:
    """Whether a `response_format` or `text.format` demands JSON."""
    return isinstance(form, dict) and form.get("type") in ("json_schema", "json_object")


def _invalid_type(name: str, expected: str, found: object) -> RequestRefusedError:
    message = f"Invalid type for '{name}': expected a {expected}, but got {type(found).__name__} instead."
    return RequestRefusedError(400, message, code="invalid_type", param=name)
