"""The verdict that a simulated judge gives on one sentence, and how sure it is of it."""

from __future__ import annotations

from typing import NamedTuple

from judgeray.designs.sentence import F
from judgeray.emulator.behaviour import Behaviour
from judgeray.emulator.draws import uniforms
from judgeray.emulator.prompt import Prompt
from judgeray.emulator.sentence_words import supported

_MOST_SURE, _LEAST_SURE = 1 - 1e-6, 0.5 + 1e-4
_SUREST_MISTAKE = 0.85


class Judged(NamedTuple):
    """`digit` is what is said, `sure` its probability; `shape` and `cut` pick the format in which it is written."""

    digit: int
    sure: float
    shape: float
    cut: float


def sentence_verdict(prompt: Prompt, behaviour: Behaviour) -> Judged | None:
    """Judge the sentence of a prompt of design F; None where the prompt is none.

    The model says what the words tell (`supported`), but on a share of prompts, its error, the opposite.
    A judge is surer where it is right: a draw near its error leaves it undecided, on either side.
    """
    asked = _asked(prompt)
    if asked is None:
        return None
    draw, shape, cut, *_ = uniforms("sentence", str(behaviour.seed), prompt.digest)
    error = behaviour.sentence_error_of(prompt.model)
    digit = int(supported(*asked) == (draw >= error))
    return Judged(digit, _sure(draw, error), shape, cut)


def _sure(draw: float, error: float) -> float:
    if draw < error:
        return _LEAST_SURE + (_SUREST_MISTAKE - _LEAST_SURE) * (1 - draw / error) ** 2
    distance = (draw - error) / (1 - error)
    return min(_MOST_SURE, max(_LEAST_SURE, 1 - 0.5 * (1 - distance) ** 3))


def _asked(prompt: Prompt) -> tuple[str, str] | None:
    """Document and sentence; of a text that holds the mark between them, the sentence begins behind the last."""
    if prompt.system != F.system or not prompt.user.startswith(F.before):
        return None
    document, found, sentence = prompt.user[len(F.before) :].rpartition(F.between)
    return (document, sentence) if found else None
