"""Simulated rankings: exact facts first, loose words last, now and then in a form that cannot be used."""

from __future__ import annotations

import re
from collections.abc import Sequence

from judgeray.emulator.draws import uniform

ODD_SHARE = 0.04

_TERM = re.compile(r"\[([^\[\]]*):([0-9]+)\]")
_NUMBER, _NAME, _SINGLE_WORD = re.compile(r"[0-9]"), re.compile(r"\b[A-Z]"), re.compile(r"\w+")
_THINKING = "Numbers and names carry the facts, then the things that they belong to; single words could go."


def rank(text: str, *names: str) -> list[int]:
    """Order the numbered terms of a text by how exact they are, and among equals by draws from `names`."""
    terms = {int(number): term for term, number in _TERM.findall(text)}
    weights = {number: _weight(term) + uniform("term", str(number), *names) for number, term in terms.items()}
    return sorted(weights, key=lambda number: (-weights[number], number))


def written_ranking(order: Sequence[int]) -> str:
    """Write an order as the prompt asks for it."""
    return f"<thinking>{_THINKING}</thinking>\n<output>{', '.join(map(str, order))}</output>"


def odd_ranking(order: Sequence[int], draw: float) -> str:
    """Write an order that lacks its last term, or names its first one twice, or stands outside all tags."""
    if draw < 1 / 3:
        return written_ranking(order[:-1])
    if draw < 2 / 3:
        return written_ranking([*order[:1], *order])
    return f"The order is {', '.join(map(str, order))}."


def _weight(term: str) -> int:
    if _NUMBER.search(term):
        return 3
    if _NAME.search(term):
        return 2
    return 0 if _SINGLE_WORD.fullmatch(term) else 1
