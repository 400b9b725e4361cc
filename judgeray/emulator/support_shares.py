"""Verdicts that the texts do not decide: how a judge's verdicts are spread where it has to guess or to weigh."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from judgeray.conditions.no_reference import MISSING
from judgeray.designs.pointwise import family_of
from judgeray.emulator.answer_words import is_simulated_answer
from judgeray.emulator.behaviour import DEFAULT_DESIGN
from judgeray.emulator.pieces import list_items, sentences
from judgeray.emulator.plain import plain
from judgeray.emulator.support_class import ANSWERED_SUBQUESTION
from judgeray.emulator.support_prompt import SupportPrompt


class Shares(NamedTuple):
    """Shares of the verdicts supported and partially supported; the rest is unsupported."""

    supported: float
    partially_supported: float

    def verdict(self, draw: float) -> str:
        """The verdict that a draw in [0, 1) picks."""
        if draw < self.supported:
            return "supported"
        return "partially_supported" if draw < self.supported + self.partially_supported else "unsupported"


# Without a reference a judge knows that misconceptions assert and careful answers deny or qualify, and that detail
# sounds right. On the constructed rows this gives accuracies in the ranges of Table 10: .55 to .75 on TruthfulQA,
# .26 to .48 on ASQA.
_CAREFUL = re.compile(
    r"\b(?:no|not|nothing|none|never|nobody|cannot|depends?|varies|unclear|unknown|comment|\w+n['\u2019]t)\b"
)
_DETAILED_CHARACTERS = 120
_GUESS_CAREFUL = Shares(0.88, 0.06)
_GUESS_FRAGMENT = Shares(0.25, 0.35)
_GUESS_LIST = Shares(0.40, 0.30)
_GUESS_DETAILED = Shares(0.45, 0.20)
_GUESS_BARE = Shares(0.10, 0.08)

# Table 11, mean over the judges: .49, .56 and .26 of full answers are supported under C, H and R, and .40, .54 and
# .76 of nominal partials are partially supported. A partial has one sentence or two, and so has a short answer.
_SHORT_SENTENCES = 2
_SHORT: Mapping[str, Shares] = {
    "C": Shares(0.50, 0.40),
    "S": Shares(0.46, 0.44),
    "H": Shares(0.38, 0.54),
    "B": Shares(0.22, 0.70),
    "R": Shares(0.16, 0.76),
}
_LONG: Mapping[str, Shares] = {
    "C": Shares(0.48, 0.46),
    "S": Shares(0.55, 0.39),
    "H": Shares(0.68, 0.27),
    "B": Shares(0.45, 0.50),
    "R": Shares(0.33, 0.62),
}


def verdict_shares(asked: SupportPrompt) -> Shares | None:
    """Shares of verdicts on an answer that the emulator wrote or on a row without reference; None for others."""
    if is_simulated_answer(asked.candidate):
        is_short = len(sentences(asked.candidate)) <= _SHORT_SENTENCES
        shares = _SHORT if is_short else _LONG
        return shares.get(family_of(asked.design or DEFAULT_DESIGN), shares[DEFAULT_DESIGN])
    return _guess(plain(asked.candidate)) if asked.reference.strip() == MISSING else None


def _guess(candidate: str) -> Shares:
    if ANSWERED_SUBQUESTION.search(candidate):
        return _GUESS_FRAGMENT
    if list_items(candidate):
        return _GUESS_LIST
    if _CAREFUL.search(candidate):
        return _GUESS_CAREFUL
    return _GUESS_DETAILED if len(candidate) >= _DETAILED_CHARACTERS else _GUESS_BARE
