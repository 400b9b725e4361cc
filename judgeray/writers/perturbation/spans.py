"""Factual spans: which stretches of a parsed text can be made wrong.

Study 2 (arXiv 2609.15561), appendix A, "Factual Span Identification".
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

KINDS = frozenset({"NOUN", "PROPN", "ADV", "ADJ", "NUM"})
ROLES = frozenset(
    {"oprd", "dobj", "advmod", "amod", "npadvmod", "pcomp", "pobj", "dative", "appos", "attr", "ROOT"}
)
NUMBER_ROLES = ROLES | {"nummod"}
SUBJECTS = frozenset({"nsubj", "nsubjpass", "csubj", "csubjpass"})

_RELATIVE_CLAUSE, _CONJUNCT = "relcl", "conj"
_NOT_FIRST = ("PUNCT", "SPACE")


class Span(NamedTuple):
    """A stretch of a text: characters `start` to `end` (exclusive), and how they read."""

    start: int
    end: int
    text: str


def factual_spans(doc: Doc) -> tuple[Span, ...]:
    """Give the factual spans of a dependency parse in spaCy's English labels, in text order, never overlapping.

    A span goes from the left edge of its head word to that word, without marks or blanks at its beginning. Heads
    are the words of KINDS with a role in ROLES, numbers with one in NUMBER_ROLES, and conjuncts of such. No span
    touches a subject, but a relative clause on the subject has spans of its own. An adjective that modifies a noun
    is none. Of spans inside each other the outer one counts.
    """
    found: list[Span] = []
    free = 0
    for first, last in sorted(_candidates(doc), key=lambda ends: (ends[0], -ends[1])):
        if first >= free:
            start, end = doc[first].idx, doc[last].idx + len(doc[last])
            found.append(Span(start, end, doc.text[start:end]))
            free = last + 1
    return tuple(found)


def _candidates(doc: Doc) -> Iterator[tuple[int, int]]:
    for token in doc:
        if _is_factual(token) and not _is_in_subject(token):
            yield _first(doc, token), token.i


def _is_factual(token: Token) -> bool:
    """Whether the word, or what it is coordinated with, has a kind and a role that carry facts."""
    while token.pos_ in KINDS and token.dep_ == _CONJUNCT:
        token = token.head
    if token.pos_ == "ADJ" and token.dep_ == "amod" and token.head.pos_ in ("NOUN", "PROPN"):
        return False
    return token.pos_ in KINDS and token.dep_ in (NUMBER_ROLES if token.pos_ == "NUM" else ROLES)


def _is_in_subject(token: Token) -> bool:
    while token.dep_ not in SUBJECTS:
        if token.dep_ == _RELATIVE_CLAUSE or token.head.i == token.i:
            return False
        token = token.head
    return True


def _first(doc: Doc, head: Token) -> int:
    first = head.left_edge.i
    for place in range(first, head.i):
        if _is_in_subject(doc[place]):
            first = place + 1
    while doc[first].pos_ in _NOT_FIRST and first < head.i:
        first += 1
    return first
