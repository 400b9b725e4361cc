"""Reading a pairwise prompt: which design asks, and about which two answers."""

from __future__ import annotations

import re
from typing import NamedTuple

from judgeray.designs.pairwise import PAIR_HEADER
from judgeray.designs.registry import PAIRWISE

_QUESTION, _REFERENCE, _ANSWER_A, _ANSWER_B, _GAP = re.split(r"\{\w+\}", PAIR_HEADER)


class PairPrompt(NamedTuple):
    """A prompt of a pairwise design; `answer_a` is shown first. `block` is what follows the header."""

    block: str
    question: str
    reference: str
    answer_a: str
    answer_b: str


def read_pair_prompt(system: str, user: str) -> PairPrompt | None:
    """Take a prompt apart; None where it is that of no pairwise design.

    The block is found from the end; of texts that hold the header's own words, each ends at the first of them.
    """
    for design in PAIRWISE.values():
        end = _GAP + design.block
        if design.system == system and user.startswith(_QUESTION) and user.endswith(end):
            return _split(design.block, user[len(_QUESTION) : len(user) - len(end)])
    return None


def _split(block: str, header: str) -> PairPrompt | None:
    texts = []
    for mark in (_REFERENCE, _ANSWER_A, _ANSWER_B):
        text, found, header = header.partition(mark)
        if not found:
            return None
        texts.append(text)
    question, reference, answer_a = texts
    return PairPrompt(block, question, reference, answer_a, header)
