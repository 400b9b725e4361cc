"""Marks around the spans of a text: setting them for a prompt, and reading them back from a reply.

A ladder's texts hold no brackets or braces of their own (`plain` sees to that), so that whatever looks like a mark
is one. The model leaves the marks in its text; there the spans are read off, and then the marks are taken away.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from judgeray.writers.perturbation.odd import OddReplyError
from judgeray.writers.perturbation.spans import Span

_ROUND = str.maketrans("[]{}", "()()")
_PAIR = re.compile(r"\[+([^\[\]{}]*)\]+|\{+([^\[\]{}]*)\}+")
_MARK = re.compile(r"[\[\]{}]")


class Draft(NamedTuple):
    """A text without marks, and where its spans stand."""

    text: str
    spans: tuple[Span, ...]

    def rest(self) -> list[str]:
        """The words outside all spans."""
        ends = [0, *(span.end for span in self.spans)]
        starts = [*(span.start for span in self.spans), len(self.text)]
        return " ".join(self.text[end:start] for end, start in zip(ends, starts, strict=True)).split()


def plain(text: str) -> str:
    """Turn square brackets and braces into round brackets."""
    return text.translate(_ROUND)


def bracketed(draft: Draft) -> str:
    """Put every span in square brackets."""
    return _written(draft, lambda _, term: f"[{term}]")


def numbered(draft: Draft) -> str:
    """Put every span in square brackets with its index behind a colon: `[term:0]`."""
    return _written(draft, lambda index, term: f"[{term}:{index}]")


def marked(draft: Draft, group: Collection[int]) -> str:
    """Put the spans of `group` in square brackets and all others in double braces."""
    return _written(draft, lambda index, term: f"[{term}]" if index in group else f"{{{{{term}}}}}")


def unmarked(text: str) -> Draft:
    """Read the spans off a text with marks and take the marks away, blanks inside them too.

    Marks of one kind side by side count as one; which kind a pair is of does not matter. Raises OddReplyError where
    marks do not pair, stand inside each other, or hold nothing.
    """
    pieces: list[str] = []
    spans: list[Span] = []
    at = length = 0
    for pair in _PAIR.finditer(text):
        before, term = text[at : pair.start()], (pair.group(1) or pair.group(2) or "").strip()
        if not term:
            raise OddReplyError("a term came back empty")
        start = length + len(before)
        at, length = pair.end(), start + len(term)
        pieces += (before, term)
        spans.append(Span(start, length, term))
    cleaned = "".join([*pieces, text[at:]])
    if _MARK.search(cleaned):
        raise OddReplyError("marks do not pair")
    return Draft(cleaned, tuple(spans))


def _written(draft: Draft, write: Callable[[int, str], str]) -> str:
    pieces: list[str] = []
    at = 0
    for index, span in enumerate(draft.spans):
        pieces += (draft.text[at : span.start], write(index, span.text))
        at = span.end
    return "".join([*pieces, draft.text[at:]])


def texts(spans: Sequence[Span]) -> list[str]:
    """How spans read."""
    return [span.text for span in spans]
