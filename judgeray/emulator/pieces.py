"""Pieces: cutting a text into sentences, list items and claims, the way a judge would list them."""

from __future__ import annotations

import re
from functools import lru_cache

MOST_PIECES = 60
LONGEST_PIECE = 240

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
_NEXT_SUBQUESTION = re.compile(r"(?<=\w)\s+(?=(?:Who|What|When|Where|Which|Why|How|Whose|Whom)\b)")
_CLAUSE_END = re.compile(r"[,;] (?:and |but |while )?|(?<=\w) (?:and|but|while) ")
_LIST_ITEM_WORDS = 6
_LISTED_ITEMS, _LISTED_ITEM_WORDS = 3, 12
_SHORT_CLAUSE = 25


def sentences(text: str) -> list[str]:
    """Cut at the ends of sentences; nothing else is changed."""
    return [part for part in _SENTENCE_END.split(text.strip()) if part]


def list_items(text: str) -> list[str]:
    """Items of a comma list, which has at least three of at most twelve words each; none of any other text."""
    items = text.split(", ")
    is_list = len(items) >= _LISTED_ITEMS and all(len(item.split()) <= _LISTED_ITEM_WORDS for item in items)
    return items if is_list else []


@lru_cache(maxsize=1024)
def claims(text: str) -> tuple[str, ...]:
    """Cut a text into at most 60 claims of at most 240 characters.

    A comma list gives one claim an item, answered sub-questions one each, and prose its clauses.
    """
    text = text.strip()[: MOST_PIECES * LONGEST_PIECE]
    items = text.split(", ")
    if len(items) > 1 and all(len(item.split()) <= _LIST_ITEM_WORDS for item in items):
        found = [f"{item.strip()} is one of the answers to the question" for item in items if item.strip()]
    elif "? " in text:
        found = _NEXT_SUBQUESTION.split(text)
    else:
        found = [clause for sentence in sentences(text) for clause in _clauses(sentence)]
    return tuple([claim[:LONGEST_PIECE] for claim in found[:MOST_PIECES]])


def _clauses(sentence: str) -> list[str]:
    clauses: list[str] = []
    for part in _CLAUSE_END.split(sentence):
        # A short rest is no claim of its own: it stays with the clause before it.
        if clauses and len(part) < _SHORT_CLAUSE:
            clauses[-1] = f"{clauses[-1]}, {part}"
        elif part:
            clauses.append(part)
    return clauses
