"""The fields of a support-label reply: by key, what a verdict and the texts make of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from judgeray.emulator.pieces import claims
from judgeray.emulator.support_prompt import SupportPrompt
from judgeray.emulator.support_verdict import Luck
from judgeray.emulator.support_words import QUOTED_CHARACTERS, quoted, wording

Field = str | int | float | tuple[str, ...]
Writer = Callable[[SupportPrompt, str, Luck], Field]
"""Writes one field from the prompt, the verdict and the luck."""

_SCORES = {"supported": (5, 4), "partially_supported": (3, 4), "unsupported": (1, 2)}
_USUAL_SCORE_SHARE = 0.8
_MOST_CONFIDENCE, _CONFIDENCE_SPREAD = 0.99, 0.25
_MOST_POINTS = 3


def writer_of(key: str, description: str) -> Writer:
    """The writer of one key: a known name by its meaning, any other by its description in the prompt."""
    if key in _BY_NAME:
        return _BY_NAME[key]
    for beginning, writer in _BY_DESCRIPTION.items():
        if description.startswith(beginning):
            return writer
    return _rationale


def _holding(text: str, label: str) -> tuple[str, ...]:
    """Claims that hold under a verdict: all, the first half (rounded up), or none."""
    found = claims(text)
    if label == "supported":
        return found
    return found[: -(-len(found) // 2)] if label == "partially_supported" else ()


def _lacking(text: str, label: str) -> tuple[str, ...]:
    return claims(text)[len(_holding(text, label)) :]


def _points(asked: SupportPrompt, label: str, _luck: Luck) -> Field:
    if label == "unsupported":
        return (f"Not backed by the reference: {quoted(asked.candidate)}",)
    missing = _lacking(asked.reference, label)[:_MOST_POINTS]
    return tuple([f"Missing: {claim[:QUOTED_CHARACTERS]}" for claim in missing])


def _score(_asked: SupportPrompt, label: str, luck: Luck) -> Field:
    usual, other = _SCORES[label]
    return usual if luck.score < _USUAL_SCORE_SHARE else other


def _confidence(_asked: SupportPrompt, _label: str, luck: Luck) -> Field:
    return round(_MOST_CONFIDENCE - _CONFIDENCE_SPREAD * luck.confidence**2, 2)


def _evidence(asked: SupportPrompt, label: str, luck: Luck) -> Field:
    return f'{wording(label, luck.phrase, 1)}. The candidate reads: "{quoted(asked.candidate)}".'


def _rationale(_asked: SupportPrompt, label: str, luck: Luck) -> Field:
    return f"{wording(label, luck.phrase, 0)}."


_BY_NAME: Mapping[str, Writer] = {
    "verdict": lambda _asked, label, _luck: label,
    "atomic_claims": lambda asked, _label, _luck: claims(asked.candidate),
    "candidate_claims": lambda asked, _label, _luck: claims(asked.candidate),
    "supported_claims": lambda asked, label, _luck: _holding(asked.candidate, label),
    "unsupported_claims": lambda asked, label, _luck: _lacking(asked.candidate, label),
    "reference_claims": lambda asked, _label, _luck: claims(asked.reference),
    "covered_claims": lambda asked, label, _luck: _holding(asked.reference, label),
    "missing_claims": lambda asked, label, _luck: _lacking(asked.reference, label),
    "unsupported_or_missing_points": _points,
    "evidence_summary": _evidence,
    "rationale": _rationale,
}
_BY_DESCRIPTION: Mapping[str, Writer] = {
    "list": lambda _asked, _label, _luck: (),
    "integer": _score,
    "number": _confidence,
}
