"""Condition `markdown`: the candidate as a Markdown list, one bullet a sentence, every word as it was.

Taking away the bullets and joining the lines with blanks gives the candidate back, except for its own line breaks
and longer runs of blanks between sentences.
"""

from __future__ import annotations

from dataclasses import replace

from judgeray.conditions.condition import Condition, fixed
from judgeray.conditions.sentences import SENTENCE_GAP
from judgeray.rows import Row

BULLET = "- "


def bulleted(text: str) -> str:
    """Begin a bullet at the text's start and at each further sentence; a blank text stays as it is."""
    if not text.strip():
        return text
    return BULLET + SENTENCE_GAP.sub(f"\n{BULLET}", text)


def _with_bullets(row: Row) -> Row:
    return replace(row, candidate=bulleted(row.candidate))


MARKDOWN = Condition(
    "markdown", "The candidate is laid out as a Markdown list, one bullet a sentence.", fixed(_with_bullets)
)
