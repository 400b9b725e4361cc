"""The sentences with which simulated judges explain themselves."""

from __future__ import annotations

QUOTED_CHARACTERS = 110

_WORDINGS = {
    "supported": (
        "The candidate states the same facts as the reference and adds nothing that the reference does not say",
        "All that the candidate says is found in the reference, and nothing of weight is left out",
        "Candidate and reference agree on every point that bears on the question",
    ),
    "partially_supported": (
        "What the candidate says agrees with the reference, but part of the reference is missing from it",
        "The candidate covers some of the points of the reference correctly and leaves others out",
        "The candidate is right as far as it goes; the reference holds further facts that it omits",
    ),
    "unsupported": (
        "The candidate states something that the reference does not say, and the two cannot both be right",
        "The central statement of the candidate is not backed by the reference",
        "The reference contradicts what the candidate claims",
    ),
}


def wording(label: str, draw: float, turn: int) -> str:
    """One of three wordings for a verdict, picked by `draw` in [0, 1) and moved on by `turn`."""
    wordings = _WORDINGS[label]
    return wordings[(int(draw * len(wordings)) + turn) % len(wordings)]


def quoted(text: str) -> str:
    """The beginning of a text on one line."""
    return " ".join(text[:QUOTED_CHARACTERS].split())
