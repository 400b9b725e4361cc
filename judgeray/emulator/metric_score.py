"""Simulated grades: they fall with what the answer says beside the reference, and are none too sure of it."""

from __future__ import annotations

import math
import re
from statistics import NormalDist

from judgeray.emulator.behaviour import Behaviour
from judgeray.emulator.draws import uniform, uniforms
from judgeray.emulator.formats import written
from judgeray.emulator.metric_luck import deviation
from judgeray.emulator.metric_words import missing_share
from judgeray.emulator.prompt import Prompt
from judgeray.metrics.judge_score import GRADES, SYSTEM, USER

_QUESTION, _REFERENCE, _ANSWER, _BEHIND = re.split(r"\{\w+\}", USER)
_NORMAL = NormalDist()
_LEAST_DRAW = 1e-9
_SHARED = 0.8
"""Correlation of the noise of two answers to one reference is the square of this."""

_HIGHEST = len(GRADES) - 1
_FAULTLESS, _WORTHLESS = 0.15, 0.65
"""Shares of words beside the reference: up to the first an answer is a paraphrase, from the second on wrong."""


def score_reply(prompt: Prompt, behaviour: Behaviour) -> str | None:
    """Answer a grading prompt; None where the prompt is none.

    The grade falls in a straight line with the share of the answer's content words that the reference lacks, and
    has normal noise by the model (`deviation`): most of it is strictness that all answers to one reference meet,
    the rest is drawn from the whole prompt.
    """
    shown = _shown(prompt)
    if shown is None:
        return None
    reference, answer = shown
    shape, cut, noise, *_ = uniforms("grade", str(behaviour.seed), prompt.digest)
    strictness = uniform("strictness", str(behaviour.seed), prompt.model, reference)
    lacking = missing_share(answer, reference)
    quality = (_WORTHLESS - lacking) / (_WORTHLESS - _FAULTLESS) if answer.strip() else 0.0
    error = _SHARED * _normal(strictness) + math.sqrt(1 - _SHARED**2) * _normal(noise)
    grade = round(_HIGHEST * (min(1.0, quality) + deviation(prompt, behaviour) * error))
    fields = {
        "score": min(_HIGHEST, max(0, grade)),
        "rationale": f"About {lacking:.0%} of what the answer says stands beside the reference.",
    }
    return written(fields, shape, cut, behaviour.formats, json_only=prompt.json_only)


def _normal(draw: float) -> float:
    return _NORMAL.inv_cdf(max(draw, _LEAST_DRAW))


def _shown(prompt: Prompt) -> tuple[str, str] | None:
    """Reference and answer; of texts that hold the prompt's own words, each ends at the first of them."""
    if prompt.system != SYSTEM or not (prompt.user.startswith(_QUESTION) and prompt.user.endswith(_BEHIND)):
        return None
    texts = prompt.user[: len(prompt.user) - len(_BEHIND)].partition(_REFERENCE)[2]
    reference, found, answer = texts.partition(_ANSWER)
    return (reference, answer) if found else None
