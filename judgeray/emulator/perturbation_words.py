"""Other words for the terms of a text: wrong, of the same kind, and deterministic."""

from __future__ import annotations

import re

_NAMES = ("Barlow", "Castellan", "Dunmore", "Fairholt", "Harwick", "Lindgren", "Marchetti", "Novak", "Sorley")
_ADVERBS = ("barely", "formerly", "partly", "rarely", "reportedly", "separately")
_THINGS = ("ballad", "canal", "circuit", "dialect", "harbour", "journal", "sculpture", "textile", "vessel")
_HOW_FAR_OFF, _HOW_FAR_OFF_IN_YEARS = 7, 45

_NUMBER = re.compile(r"[0-9]+")
_LAST_WORD = re.compile(r"\w[\w'\u2019-]*(?=\W*$)")
_AN = re.compile(r"\ban (?=\w+\W*$)")


def wrong_term(term: str, draw: float) -> str:
    """Put another term in the place of one, never the same, as `draw` in [0, 1) picks.

    The first number of a term becomes another with at least as many digits; of a term without one the last word
    becomes a name, an adverb or a thing, in the plural where it looks like one.
    """
    if _NUMBER.search(term):
        return _NUMBER.sub(lambda found: _other_number(found.group(), draw), term, count=1)
    found = _LAST_WORD.search(term)
    if found is None:
        return _picked(_THINGS, draw, term)
    return _AN.sub("a ", term[: found.start()] + _other_word(found.group(), draw) + term[found.end() :])


def _other_number(digits: str, draw: float) -> str:
    spread = _HOW_FAR_OFF_IN_YEARS if len(digits) == 4 else _HOW_FAR_OFF
    return str(int(digits) + 1 + int(draw * spread)).zfill(len(digits))


def _other_word(word: str, draw: float) -> str:
    if word[0].isupper():
        return _picked(_NAMES, draw, word)
    if word.endswith("ly"):
        return _picked(_ADVERBS, draw, word)
    if word.endswith("s"):
        return _picked(tuple(f"{thing}s" for thing in _THINGS), draw, word)
    return _picked(_THINGS, draw, word)


def _picked(words: tuple[str, ...], draw: float, but: str) -> str:
    others = [word for word in words if word != but]
    return others[int(draw * len(others))]
