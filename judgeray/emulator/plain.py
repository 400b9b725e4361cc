"""Plain text: a text without what its layout and its letters' case add, so that looks do not decide."""

from __future__ import annotations

import re

_BULLET = re.compile(r"^[ \t]*[-*•][ \t]+", re.MULTILINE)
_OPENING_CHARACTERS = 400


def plain(text: str) -> str:
    """Take away case, bullets at the beginnings of lines, outer blanks, and runs of blanks and line breaks."""
    return " ".join(_BULLET.sub("", text).casefold().split())


def opening(text: str, words: int) -> str:
    """The first words of a plain text, which stay the same where something is appended."""
    return " ".join(plain(text[:_OPENING_CHARACTERS]).split(" ")[:words])
