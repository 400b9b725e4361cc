"""Which claims a text entails: one prompt for all claims of a list, and verdicts that are matched by index."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from judgeray.core.call import Judge
from judgeray.core.canonical import JSONValue
from judgeray.core.procedure import Procedure
from judgeray.metrics.draws import Drawn, draw_call, drawn
from judgeray.metrics.json_lists import field as value_of
from judgeray.metrics.json_lists import stated_list

VERSION = "v1"
OUTPUT_TOKENS = 260

SYSTEM = """\
You check claims against a text. A claim is entailed where the text alone says or directly implies all of it. A \
claim that the text contradicts, or about which it says nothing or only part, is not entailed; what you know from \
elsewhere does not count.
Return valid JSON with keys:
- verdicts: list of one object for each claim, with the keys index (that of the claim), reason (short string) and \
verdict (1 where the claim is entailed, 0 where it is not)"""
USER = "Text:\n{text}\n\nClaims:\n{claims}"
"""The user message; `claims` is a JSON list of objects with index (from 1) and claim, one a line."""

_DIGITS = {"0": 0, "1": 1}


@dataclass(frozen=True, slots=True)
class Checked:
    """A verdict for each claim, in the order of the claims: 1 for entailed, 0 for not.

    `further` is what else the checker tells, as plain JSON by name.
    """

    verdicts: tuple[int, ...]
    further: Mapping[str, JSONValue] = field(default_factory=dict)


def user_text(claims: Sequence[str], text: str) -> str:
    """Write the user message; a line break inside a claim is an escape, so that claims cannot pass for others."""
    lines = [json.dumps({"index": n, "claim": claim}, ensure_ascii=False) for n, claim in enumerate(claims, 1)]
    return USER.format(text=text, claims="[\n" + ",\n".join(lines) + "\n]")


def entailed(claims: Sequence[str], text: str, judge: Judge, replicate: int = 0) -> Procedure[Drawn[Checked]]:
    """Have all `claims` (at least one) checked against `text` in one call."""
    user = user_text(claims, text)
    return (
        yield from drawn(
            lambda draw: draw_call(judge, SYSTEM, user, replicate, draw),
            lambda reply: read_verdicts(reply, len(claims)),
        )
    )


def read_verdicts(text: str, claims: int) -> Checked | None:
    """Read exactly one verdict for each index from 1 to `claims`, in any order.

    None for a missing, further or repeated index, and for any verdict but 0 and 1: of such a list nobody can tell
    which verdict belongs to which claim.
    """
    found: dict[int, int] = {}
    for entry in stated_list(text, "verdicts") or ():
        index, verdict = _whole(value_of(entry, "index")), _DIGITS.get(_spelled(value_of(entry, "verdict")))
        if index is None or verdict is None or index in found:
            return None
        found[index] = verdict
    if sorted(found) != list(range(1, claims + 1)):
        return None
    return Checked(tuple(found[index] for index in range(1, claims + 1)))


def _whole(value: JSONValue) -> int | None:
    spelled = _spelled(value)
    return int(spelled) if spelled.isascii() and spelled.isdigit() and len(spelled) <= len("10000") else None


def _spelled(value: JSONValue) -> str:
    """A number or numeral as it is written; booleans and all else are none."""
    if isinstance(value, bool) or not isinstance(value, int | str):
        return ""
    return str(value).strip()
