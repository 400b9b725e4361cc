"""The text of a pairwise reply: a winner, two scores, and the other keys that the prompt asks for."""

from __future__ import annotations

from judgeray.emulator.behaviour import Behaviour
from judgeray.emulator.formats import written
from judgeray.emulator.pair_prompt import PairPrompt, read_pair_prompt
from judgeray.emulator.pair_verdict import Luck, winner
from judgeray.emulator.prompt import Prompt
from judgeray.emulator.support_prompt import asked_keys
from judgeray.emulator.support_words import quoted

_SCORES = {"A": ((5, 3), (4, 2)), "B": ((3, 5), (2, 4)), "tie": ((4, 4), (5, 5))}
_USUAL_SCORE_SHARE = 0.8
_MOST_CONFIDENCE, _CONFIDENCE_SPREAD = 0.99, 0.3
_EVIDENCE = {
    "A": "Answer A covers what the reference says; Answer B leaves part of it out or departs from it",
    "B": "Answer B covers what the reference says; Answer A leaves part of it out or departs from it",
    "tie": "Both answers stand in the same relation to the reference",
}
_RATIONALES = {
    "A": "Measured against the reference, A is the better answer",
    "B": "Measured against the reference, B is the better answer",
    "tie": "Neither answer is better than the other when measured against the reference",
}


def pair_reply(prompt: Prompt, behaviour: Behaviour) -> str | None:
    """Answer a pairwise prompt; None where the prompt is none."""
    asked = read_pair_prompt(prompt.system, prompt.user)
    if asked is None:
        return None
    position, luck = winner(prompt, asked, behaviour)
    known = _fields(asked, position, luck)
    fields = {key: known[key] for key in asked_keys(asked.block)}
    return written(fields, luck.shape, luck.cut, behaviour.formats, json_only=prompt.json_only)


def _fields(asked: PairPrompt, position: str, luck: Luck) -> dict[str, str | int | float]:
    usual, other = _SCORES[position]
    score_a, score_b = usual if luck.score < _USUAL_SCORE_SHARE else other
    return {
        "winner": position,
        "score_a": score_a,
        "score_b": score_b,
        "evidence_summary": f"{_EVIDENCE[position]}. {_reading(asked)}",
        "confidence": round(_MOST_CONFIDENCE - _CONFIDENCE_SPREAD * luck.confidence**2, 2),
        "rationale": f"{_RATIONALES[position]}.",
    }


def _reading(asked: PairPrompt) -> str:
    return f'Answer A reads: "{quoted(asked.answer_a)}". Answer B reads: "{quoted(asked.answer_b)}".'
