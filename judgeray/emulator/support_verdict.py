"""The verdict a simulated judge gives: the truth with the stated probability, else a likely mistake."""

from __future__ import annotations

from typing import NamedTuple

from judgeray.emulator.behaviour import Behaviour
from judgeray.emulator.draws import uniform, uniforms
from judgeray.emulator.plain import opening
from judgeray.emulator.prompt import Prompt
from judgeray.emulator.support_class import row_class
from judgeray.emulator.support_prompt import SupportPrompt
from judgeray.emulator.support_shares import verdict_shares

_MISTAKES = {
    "supported": ("partially_supported", 0.9, "unsupported"),
    "partially_supported": ("supported", 0.92, "unsupported"),
    "unsupported": ("partially_supported", 0.85, "supported"),
}
"""By true label: the usual wrong verdict, its share among wrong ones, and the other."""

_REFERENCE_WORDS, _CANDIDATE_WORDS = 8, 3


class Luck(NamedTuple):
    """Seven numbers in [0, 1) that belong to one prompt.

    On prompts whose `own` is low the verdict depends on `error` instead of the row's difficulty. The rest
    shapes the reply beyond right and wrong.
    """

    own: float
    error: float
    shape: float
    cut: float
    confidence: float
    score: float
    phrase: float


def verdict(prompt: Prompt, asked: SupportPrompt, behaviour: Behaviour) -> tuple[str, Luck]:
    """Give the verdict on one row, with the luck that shapes the rest of the reply.

    The row's difficulty is drawn from seed, model, question and the openings of reference and candidate, so that
    all designs of a model share it and a text appended to the candidate leaves it as it is; on a share
    `behaviour.noise` of prompts it is drawn from the whole prompt instead. The verdict is right where the
    difficulty is below the probability of being right, and how far it is above picks the mistake. Where the texts
    do not tell what is right, the difficulty picks among shares of verdicts. A request that sends a seed of its
    own draws its luck anew; one that sends none repeats itself.
    """
    seed = str(behaviour.seed)
    luck = Luck(*uniforms("prompt", seed, prompt.digest)[: len(Luck._fields)])
    if luck.own < behaviour.noise:
        difficulty = luck.error
    else:
        difficulty = uniform("row", seed, prompt.model, asked.question, *_openings(asked))
    shares = verdict_shares(asked)
    if shares is not None:
        return shares.verdict(difficulty), luck
    kind = row_class(asked.reference, asked.candidate)
    label = "partially_supported" if kind == "partially_supported_list" else kind
    probability = behaviour.probability(prompt.model, asked.design, kind)
    if difficulty < probability:
        return label, luck
    return _mistake(label, (difficulty - probability) / (1 - probability)), luck


def _openings(asked: SupportPrompt) -> tuple[str, str]:
    return opening(asked.reference, _REFERENCE_WORDS), opening(asked.candidate, _CANDIDATE_WORDS)


def _mistake(label: str, draw: float) -> str:
    usual, share, other = _MISTAKES[label]
    return usual if draw < share else other
