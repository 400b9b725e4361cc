"""Which spans name what the question asks about, and are therefore left alone.

Study 2 (arXiv 2609.15561), appendix A, "Question-Based Filtering".
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from judgeray.writers.perturbation.spans import Span

_WORD_PART = re.compile(r"\w\w+")
_OUTER_MARKS = re.compile(r"^[\W_]+|[\W_]+$")


def question_words(question: str, stop_words: Collection[str]) -> frozenset[str]:
    """Give the question's words in small letters, stop words left out.

    Words are parted at blanks and stripped of outer marks; of words with a mark inside, the parts of two characters
    and more count as well, so that `Starr's` gives `starr's` and `starr`.
    """
    found = {*_words(question), *_WORD_PART.findall(question.lower())}
    return frozenset(found - set(stop_words))


def protected_spans(spans: Sequence[Span], question: str, stop_words: Collection[str]) -> tuple[int, ...]:
    """Give the indices of spans of which some word, parted and stripped likewise, is one of the question's."""
    asked = question_words(question, stop_words)
    return tuple(index for index, span in enumerate(spans) if not asked.isdisjoint(_words(span.text)))


def _words(text: str) -> set[str]:
    return {_OUTER_MARKS.sub("", word) for word in text.lower().split()} - {""}
