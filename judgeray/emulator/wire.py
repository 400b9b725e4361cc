"""JSON on the wire: orjson, and the standard library for lone surrogates, which orjson refuses."""

from __future__ import annotations

import json

import orjson


def load_json(body: bytes) -> object:
    """Parse JSON; raises ValueError on anything else."""
    try:
        return orjson.loads(body)
    except orjson.JSONDecodeError:
        try:
            return json.loads(body)
        except RecursionError as error:
            raise ValueError("JSON is nested too deeply") from error


def dump_json(value: object) -> bytes:
    """Write compact JSON; lone surrogates become escapes."""
    try:
        return orjson.dumps(value)
    except TypeError:
        return json.dumps(value, separators=(",", ":")).encode("ascii")


def indented_json(value: object) -> str:
    """Write JSON with two blanks of indent, the way models do; lone surrogates stay as they are."""
    try:
        return orjson.dumps(value, option=orjson.OPT_INDENT_2).decode()
    except TypeError:
        return json.dumps(value, indent=2, ensure_ascii=False)
