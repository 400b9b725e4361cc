"""Words by which simulated judges compare two texts: the content words, and among them names and numbers."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from judgeray.emulator.pieces import sentences

_WORD = re.compile(r"\w+(?:['\u2019]\w+)*")
_STEM = 4
_DECISIVE_WEIGHT = 3
_FUNCTION_WORDS = frozenset(
    _WORD.findall(
        "a about after all also an and are as at be been before but by can could did do does for from had has have "
        "he her his i if in into is it its may more most no not of often on one or other our she so some such than "
        "that the their them then there these they this those to up was we were what when where which while who "
        "whom whose why will with would you your"
    )
)


class Word(NamedTuple):
    """A content word, cut to its first letters so that its forms agree; `decisive` for a name or a number."""

    stem: str
    decisive: bool


@lru_cache(maxsize=4096)
def content_words(text: str) -> tuple[Word, ...]:
    """Content words in order; a capital letter makes a name except at the beginning of a sentence."""
    return tuple(
        Word(found[0].casefold()[:_STEM], _is_number(found[0]) or (place > 0 and found[0][0].isupper()))
        for sentence in sentences(text)
        for place, found in enumerate(_WORD.finditer(sentence))
        if found[0].casefold() not in _FUNCTION_WORDS
    )


def missing(text: str, other: str) -> list[Word]:
    """Content words of `text` that `other` lacks."""
    present = {word.stem for word in content_words(other)}
    return [word for word in content_words(text) if word.stem not in present]


def missing_share(text: str, other: str) -> float:
    """Share of the content words of `text` that `other` lacks, a name or number counting three times; else 0."""
    whole = _weight(content_words(text))
    return _weight(missing(text, other)) / whole if whole else 0.0


def _weight(words: tuple[Word, ...] | list[Word]) -> int:
    return sum(_DECISIVE_WEIGHT if word.decisive else 1 for word in words)


def _is_number(word: str) -> bool:
    return any(letter.isdigit() for letter in word)
