"""Bodies on the wire: ASCII JSON out, so that any text can be sent; JSON in, lone surrogates included."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import orjson

from judgeray.core.canonical import JSONValue
from judgeray.providers.errors import ProviderError

SIMULATED_HEADER = "x-judgeray-simulated"
"""Response header by which judgeray's emulator says that no model answered."""


def encode(body: Mapping[str, Any]) -> bytes:
    """Write a request body; every non-ASCII character is escaped."""
    return json.dumps(body, ensure_ascii=True, separators=(",", ":")).encode("ascii")


def decode(text: str | bytes) -> dict[str, Any]:
    """Read a response body. Raises ProviderError (retry) where it is not one JSON object."""
    try:
        body = orjson.loads(text)
    except orjson.JSONDecodeError:
        body = _decode_leniently(text)
    if not isinstance(body, dict):
        raise ProviderError("retry", f"the response body is not a JSON object but {type(body).__name__}")
    return body


def _decode_leniently(text: str | bytes) -> object:
    """Read what orjson refuses but JSON allows: escapes of lone surrogates, very large integers."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ProviderError("retry", f"the response body is not JSON: {error}") from error


def merged(body: dict[str, Any], extra: JSONValue) -> dict[str, Any]:
    """Lay `extra_body` over a request body, one level deep for objects that both have."""
    if not isinstance(extra, dict):
        return body
    result = dict(body)
    for name, value in extra.items():
        old = result.get(name)
        result[name] = {**old, **value} if isinstance(old, dict) and isinstance(value, dict) else value
    return result


def without_none(**fields: object) -> dict[str, Any]:
    """Keep only the fields that are set, so that nothing unset reaches the wire."""
    return {name: value for name, value in fields.items() if value is not None}


def whole(value: object) -> int | None:
    """Read a token count; anything but a non-negative integer is unknown."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def text_or_none(value: object) -> str | None:
    """Read an optional string field."""
    return value if isinstance(value, str) else None
