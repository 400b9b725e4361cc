"""The verdict a simulated judge gives: the truth with the stated probability, else a likely mistake."""

from __future__ import annotations

from typing import NamedTuple

from judgeray.emulator.behaviour import Behaviour
from judgeray.emulator.draws import uniform, uniforms
from judgeray.emulator.prompt import Prompt
from judgeray.emulator.support_class import row_class
from judgeray.emulator.support_prompt import SupportPrompt

_MISTAKES = {
    "supported": ("partially_supported", 0.9, "unsupported"),
    "partially_supported": ("supported", 0.92, "unsupported"),
    "unsupported": ("partially_supported", 0.85, "supported"),
}
"""By true label: the usual wrong verdict, its share among wrong ones, and the other."""


class Luck(NamedTuple):
    """Eight numbers in [0, 1) that belong to one prompt.

    On prompts whose `own` is low the verdict depends on `error` instead of the row's difficulty. The rest
    shapes the reply beyond right and wrong.
    """

    own: float
    error: float
    mistake: float
    shape: float
    cut: float
    confidence: float
    score: float
    phrase: float


def verdict(prompt: Prompt, asked: SupportPrompt, behaviour: Behaviour) -> tuple[str, Luck]:
    """Give the verdict on one row, with the luck that shapes the rest of the reply.

    The row's difficulty is drawn from seed, model, question and candidate, so that all designs of a model
    share it; on a share `behaviour.noise` of prompts it is drawn from the whole prompt instead. The verdict
    is right where the difficulty is below the probability of being right. A request that sends a seed of its
    own draws its luck anew; one that sends none repeats itself.
    """
    seed = str(behaviour.seed)
    luck = Luck(*uniforms("prompt", seed, prompt.digest))
    if luck.own < behaviour.noise:
        difficulty = luck.error
    else:
        difficulty = uniform("row", seed, prompt.model, asked.question, asked.candidate)
    kind = row_class(asked.reference, asked.candidate)
    label = "partially_supported" if kind == "partially_supported_list" else kind
    right = difficulty < behaviour.probability(prompt.model, asked.design, kind)
    return (label if right else _mistake(label, luck.mistake)), luck


def _mistake(label: str, draw: float) -> str:
    usual, share, other = _MISTAKES[label]
    return usual if draw < share else other
