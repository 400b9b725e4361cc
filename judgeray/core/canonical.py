"""Canonical JSON: one spelling for one value, the ground that call keys stand on."""

from __future__ import annotations

import json
from collections.abc import Mapping

JSONValue = None | bool | int | float | str | list["JSONValue"] | dict[str, "JSONValue"]


def plain(value: object) -> JSONValue:
    """Turn a value into plain JSON types; numbers that are whole are written as integers.

    Raises TypeError on anything without a stable spelling (sets, NaN, objects): never falls back to `str()`.
    """
    if value is None or isinstance(value, bool | str | int):
        return value
    if isinstance(value, float):
        if value != value or value in (float("inf"), float("-inf")):
            raise TypeError(f"{value!r} has no JSON spelling")
        return int(value) if value.is_integer() else value
    if isinstance(value, Mapping):
        if not all(isinstance(name, str) for name in value):
            raise TypeError(f"JSON object keys must be strings, found {sorted(map(repr, value))}")
        return {name: plain(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    raise TypeError(f"{type(value).__name__} has no stable JSON spelling")


def canonical_json(value: object) -> str:
    """Write JSON with sorted keys, no blanks and ASCII only, so that lone surrogates survive as escapes."""
    return json.dumps(plain(value), sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
