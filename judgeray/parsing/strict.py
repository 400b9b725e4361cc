"""The whole text as one JSON object, by the standard library."""

from __future__ import annotations

import json

from judgeray.core.canonical import JSONValue
from judgeray.parsing.values import Pairs, finite


def strict_object(text: str) -> Pairs | None:
    """Read the whole text, outer blanks aside, as one JSON object.

    None where it is anything else, is nested too deep for the library or has numbers that JSON cannot spell.
    """
    outermost: Pairs = []

    def keep(pairs: Pairs) -> dict[str, JSONValue]:
        nonlocal outermost  # objects are completed from the inside out, so the outermost comes last
        outermost = pairs
        return dict(pairs)

    try:
        value = json.loads(
            text.strip(), object_pairs_hook=keep, parse_float=finite, parse_constant=_refuse_constant
        )
    except (ValueError, RecursionError):
        return None
    return outermost if isinstance(value, dict) else None


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")
