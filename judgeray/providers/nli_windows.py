"""Windows: a premise too long for an NLI model, cut into consecutive pieces that fit, with no letter lost."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

_CUTS = (re.compile(r"\n+"), re.compile(r"(?<=[.!?])\s+"), re.compile(r"\s+"))
"""Where a text may be cut, best places first: between lines, between sentences, between words."""

Fits = Callable[[str], bool]


def windows(text: str, fits: Fits) -> list[str]:
    """Cut `text` into as few pieces as reading from the left gives, each of which `fits`; joined they are the text.

    Whole sentences stay together where they fit; a longer one is cut between words, a longer word anywhere. A
    single character that does not fit is a piece all the same.
    """
    if fits(text):
        return [text]
    pieces: list[str] = []
    for atom in _atoms(text, fits, 0):
        if pieces and fits(pieces[-1] + atom):
            pieces[-1] += atom
        else:
            pieces.append(atom)
    return pieces


def _atoms(text: str, fits: Fits, level: int) -> Iterator[str]:
    if len(text) <= 1 or fits(text):
        yield text
    elif level < len(_CUTS):
        for part in _parts(text, _CUTS[level]):
            yield from _atoms(part, fits, level + 1)
    else:
        half = len(text) // 2
        yield from _atoms(text[:half], fits, level)
        yield from _atoms(text[half:], fits, level)


def _parts(text: str, cut: re.Pattern[str]) -> Iterator[str]:
    start = 0
    for gap in cut.finditer(text):
        if gap.end() < len(text):
            yield text[start : gap.end()]
            start = gap.end()
    yield text[start:]
