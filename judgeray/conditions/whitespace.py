"""Condition `whitespace`: the candidate with other gaps between its words, every word as it was."""

from __future__ import annotations

import re
from dataclasses import replace

from judgeray.conditions.condition import Condition, fixed
from judgeray.conditions.sentences import SENTENCE_GAP
from judgeray.rows import Row

_WORD_GAP = re.compile(r"(?<=\S) +(?=\S)")


def respaced(text: str) -> str:
    """Turn blanks between sentences into one line break, and double every other run of blanks between words.

    Blanks at either end, tabs and the text's own line breaks stay.
    """
    return _WORD_GAP.sub(lambda gap: gap.group() * 2, SENTENCE_GAP.sub("\n", text))


def _with_other_gaps(row: Row) -> Row:
    return replace(row, candidate=respaced(row.candidate))


WHITESPACE = Condition(
    "whitespace",
    "The blanks between the candidate's words are doubled, and each sentence begins on a line of its own.",
    fixed(_with_other_gaps),
)
