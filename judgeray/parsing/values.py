"""Single values as models spell them: escapes in strings, bare words, numbers."""

from __future__ import annotations

import json
import math
import re

from judgeray.core.canonical import JSONValue

Pairs = list[tuple[str, JSONValue]]
"""Top-level fields of an object in the order written, with repeated keys kept."""

_ESCAPE = re.compile(r"(?:\\u[0-9a-fA-F]{4})++|\\(.)", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_LITERALS = {"true": True, "True": True, "false": False, "False": False}
_UNKNOWN = ("null", "None", "NaN", "Infinity", "-Infinity")


def unescaped(raw: str) -> str:
    r"""Resolve the escapes of a string; one that JSON does not know (`partially\_supported`) is its own letter."""
    return _ESCAPE.sub(_resolve, raw)


def bare_value(word: str) -> JSONValue:
    """Read a word without quotes: a JSON or Python literal, a number, or else a string."""
    if word in _UNKNOWN:
        return None
    if _NUMBER.fullmatch(word):
        return _number(word)
    return _LITERALS.get(word, word)


def finite(digits: str) -> float | None:
    """Read a number; None beyond the range of floats, where JSON has no spelling for the value."""
    value = float(digits)
    return value if math.isfinite(value) else None


def _resolve(escape: re.Match[str]) -> str:
    if escape[1] is not None:
        return _ESCAPED.get(escape[1], escape[1])
    # The library joins the two escapes of a character beyond U+FFFF and keeps lone halves.
    return str(json.loads(f'"{escape[0]}"'))


def _number(word: str) -> float | None:
    try:
        return int(word) if word.lstrip("-").isdigit() else finite(word)
    except ValueError:  # more digits than Python is willing to read
        return None
