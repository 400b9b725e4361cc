"""Bodies on the wire: ASCII JSON out, so that any text can be sent; JSON in, lone surrogates included."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import orjson

from judgeray.core.canonical import JSONValue
from judgeray.providers.errors import ProviderError
from judgeray.providers.words import fit_to_show

SIMULATED_HEADER = "x-judgeray-simulated"
"""Response header by which judgeray's emulator says that no model answered."""

MOST_TOKENS = 2**53
"""No count beyond this is a count; larger integers would not fit the verdict columns either."""

MOST_NAME_CHARACTERS = 200


def encode(body: Mapping[str, Any]) -> bytes:
    """Write a request body; every non-ASCII character is escaped."""
    return json.dumps(body, ensure_ascii=True, separators=(",", ":")).encode("ascii")


def text_of(content: bytes) -> str:
    """Decode a response body, which is UTF-8 (RFC 8259). Raises ProviderError (retry) where it is not."""
    try:
        return content.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError as error:
        fault = error.reason
    raise ProviderError("retry", f"the response body is not UTF-8: {fault}", code="body:not_utf8")


def decode(text: str) -> dict[str, Any]:
    """Read a response body. Raises ProviderError (retry) where it is not one JSON object."""
    body, fault = _parsed(text)
    if fault:
        page = text.lstrip().startswith("<")
        why = "a web page; check base_url" if page else f"not JSON: {fault}" if text.strip() else "empty"
        raise ProviderError("retry", f"the response body is {why}", code="body:not_json")
    if not isinstance(body, dict):
        message = f"the response body is not a JSON object but {type(body).__name__}"
        raise ProviderError("retry", message, code="body:not_an_object")
    return body


def _parsed(text: str) -> tuple[object, str]:
    """Parse JSON; where that cannot be done, say why. The exceptions hold the text, so none is raised onward."""
    fault = ""
    # The second reads what the first refuses but JSON allows: escapes of lone surrogates, very large integers.
    for load in (orjson.loads, json.loads):
        try:
            return load(text), ""
        except (ValueError, RecursionError) as error:
            fault = str(error)
    return None, fault


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


def inner(value: object, *names: str) -> Any:  # noqa: ANN401 -- any JSON value
    """Follow names into nested objects; None where one is missing or not an object."""
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def objects(value: object) -> list[dict[str, Any]]:
    """The objects in a list; nothing where there is no list."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def joined(texts: list[object]) -> str | None:
    """Join the texts of several parts; None where no part has one."""
    found = [text for text in texts if isinstance(text, str)]
    return "".join(found) if found else None


def whole(value: object) -> int | None:
    """Read a token count; anything but a non-negative integer is unknown."""
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    return value if 0 <= value < MOST_TOKENS else None


def text_or_none(value: object) -> str | None:
    """Read an optional text, verbatim."""
    return value if isinstance(value, str) else None


def name_or_none(value: object) -> str | None:
    """Read an optional name or id; unlike a model's text it goes into columns, so it must be printable."""
    if not isinstance(value, str):
        return None
    if value.isprintable() and len(value) <= MOST_NAME_CHARACTERS:
        return value
    return fit_to_show(value, most_characters=MOST_NAME_CHARACTERS)
