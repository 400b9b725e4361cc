"""Simulated claims: the clauses of a text, or its sentences where the prompt lets facts stay together."""

from __future__ import annotations

from judgeray.emulator.behaviour import Behaviour
from judgeray.emulator.draws import uniforms
from judgeray.emulator.formats import written
from judgeray.emulator.pieces import LONGEST_PIECE, MOST_PIECES, claims, sentences
from judgeray.emulator.prompt import Prompt
from judgeray.metrics.claims import USER, system_text
from judgeray.metrics.settings import Level

_LEVELS: tuple[Level, ...] = ("low", "high")
VARIANTS: dict[str, tuple[Level, Level]] = {
    system_text(atomicity, coverage): (atomicity, coverage) for atomicity in _LEVELS for coverage in _LEVELS
}
"""Atomicity and coverage by the system text that asks for them."""

_BEFORE = USER.partition("{text}")[0]
_LIST_WORDS = " is one of the answers to the question"
"""What `claims` adds to the items of a list; no text has it, so no text would entail the claim."""

_SHORT_WORDS = 4
_BREATH_WORDS = 16


def claims_reply(prompt: Prompt, behaviour: Behaviour) -> str | None:
    """Answer a claims prompt with the claims of its text; None where the prompt is none.

    Low coverage leaves out claims of fewer than four words. A share `behaviour.formats.broken` of lists is cut
    off; a request with another seed draws anew.
    """
    variant = VARIANTS.get(prompt.system)
    if variant is None or not prompt.user.startswith(_BEFORE):
        return None
    shape, cut, *_ = uniforms("claims", str(behaviour.seed), prompt.digest)
    fields = {"claims": _claims(prompt.user[len(_BEFORE) :], *variant)}
    return written(fields, shape, cut, behaviour.formats, json_only=prompt.json_only)


def _claims(text: str, atomicity: Level, coverage: Level) -> list[str]:
    pieces = claims(text) if atomicity == "high" else _breaths(text)
    found = [piece.removesuffix(_LIST_WORDS)[:LONGEST_PIECE] for piece in pieces[:MOST_PIECES]]
    long = [piece for piece in found if len(piece.split()) >= _SHORT_WORDS]
    return long if coverage == "low" and long else found


def _breaths(text: str) -> list[str]:
    """Sentences, of which the long ones are cut into clauses."""
    return [piece for sentence in sentences(text) for piece in _breath(sentence)]


def _breath(sentence: str) -> tuple[str, ...]:
    clauses = claims(sentence)
    is_list = any(clause.endswith(_LIST_WORDS) for clause in clauses)
    return (sentence,) if is_list or len(sentence.split()) <= _BREATH_WORDS else clauses
