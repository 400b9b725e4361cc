"""The sentences of simulated answers, made-up names in all of them, and how such an answer is known again."""

from __future__ import annotations

import re

from judgeray.emulator.plain import plain

TOPIC_CHARACTERS = 80

_SYLLABLES = ("bar", "dun", "fel", "gor", "hal", "jun", "kes", "lom", "mir", "nev", "pol", "rad", "sol", "ven")
_ENDINGS = ("a", "en", "is", "o", "wick")
_FIRST_YEAR, _YEARS = 1600, 400

_USUAL = "is the answer usually given to"
_FURTHER = (
    "Some accounts put it in {year} instead.",
    "{name} took part from {year} on, and the two are often named together.",
    "Read in another way, the question points to {name}, which came into use in {year}.",
    "The matter was settled in {year}, when {name} confirmed it in writing.",
    "Before that, {name} had been named, but this is no longer held.",
    "All of these are found in works of reference, most often in this order.",
)
_SIMULATED = re.compile(rf"[a-z]+ \([0-9]{{4}}\) {_USUAL} ")
_NO_TOPIC = re.compile(r"[^\w\s'\u2019-]+")

MOST_SENTENCES = len(_FURTHER)
"""Sentences of the longest answer: the first, and all further ones but one."""


def first_sentence(question: str, draw: float, other: float) -> str:
    """Name something for a question, in one sentence that holds no mark but its period."""
    topic = " ".join(_NO_TOPIC.sub(" ", question[: 2 * TOPIC_CHARACTERS]).split())[:TOPIC_CHARACTERS].strip()
    asked = f"the question {topic}" if topic else "this question"
    return f"{_name(draw)} ({_year(other)}) {_USUAL} {asked}."


def further_sentence(number: int, draw: float, other: float) -> str:
    """One of the sentences that may follow; numbers go round."""
    return _FURTHER[number % len(_FURTHER)].format(name=_name(draw), year=_year(other))


def is_simulated_answer(text: str) -> bool:
    """Whether a text begins as a simulated answer does, whatever its layout and case."""
    return _SIMULATED.match(plain(text[: 4 * TOPIC_CHARACTERS])) is not None


def _name(draw: float) -> str:
    place = int(draw * len(_SYLLABLES) ** 2 * len(_ENDINGS))
    place, ending = divmod(place, len(_ENDINGS))
    first, second = divmod(place, len(_SYLLABLES))
    return f"{_SYLLABLES[first]}{_SYLLABLES[second]}{_ENDINGS[ending]}".capitalize()


def _year(draw: float) -> int:
    return _FIRST_YEAR + int(draw * _YEARS)
