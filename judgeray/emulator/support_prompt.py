"""Reading a support-label prompt: which design asks, about which texts, and for which keys."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from judgeray.designs.pointwise import HEADER
from judgeray.designs.registry import DESIGNS

_QUESTION, _REFERENCE, _CANDIDATE, _GAP = re.split(r"\{\w+\}", HEADER)
_ASKS_FOR_KEYS = "\nReturn valid JSON with"
_KEY_LINE = re.compile(r"^- (\w+): (.*)$", re.MULTILINE)


class SupportPrompt(NamedTuple):
    """A prompt in the layout of study 1 (appendix G.1).

    `design` is the registry's name, None where the system text is not that of a known design. `block` is
    what follows the header.
    """

    design: str | None
    block: str
    question: str
    reference: str
    candidate: str


def read_support_prompt(system: str, user: str) -> SupportPrompt | None:
    """Take a prompt apart; None where it has another layout.

    Texts may hold any number of lines and even the header's own words: the block is found from the end, and
    a reference and a candidate that are the same text are found as such.
    """
    design, block = _block(system, user)
    if block is None or not user.startswith(_QUESTION):
        return None
    texts = _three_texts(user[len(_QUESTION) : len(user) - len(_GAP) - len(block)])
    return None if texts is None else SupportPrompt(design, block, *texts)


@lru_cache(maxsize=256)
def asked_keys(block: str) -> dict[str, str]:
    """Keys that a block lists after `Return valid JSON with ...`, each with its description."""
    return dict(_KEY_LINE.findall(block[f"\n{block}".rindex(_ASKS_FOR_KEYS) :]))


def _block(system: str, user: str) -> tuple[str | None, str | None]:
    for design in DESIGNS.values():
        if design.system == system and user.endswith(_GAP + design.block):
            return design.name, design.block
    asks = user.rfind(_ASKS_FOR_KEYS)
    gap = user.rfind(_GAP, 0, asks + 1)
    return None, user[gap + len(_GAP) :] if gap >= 0 else None


def _three_texts(header: str) -> tuple[str, str, str] | None:
    """Question, reference and candidate: the split that makes the latter two equal, else the first one."""
    question, found, texts = header.partition(_REFERENCE)
    if not found or _CANDIDATE not in texts:
        return None
    at = len(question)
    while at >= 0:
        both = header[at + len(_REFERENCE) :]
        half = (len(both) - len(_CANDIDATE)) // 2
        if both.startswith(_CANDIDATE, half) and both[:half] == both[half + len(_CANDIDATE) :]:
            return header[:at], both[:half], both[:half]
        at = header.find(_REFERENCE, at + 1)
    reference, _, candidate = texts.partition(_CANDIDATE)
    return question, reference, candidate
