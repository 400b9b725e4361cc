"""The winner a simulated pairwise judge names: the better answer with the stated probability."""

from __future__ import annotations

from typing import NamedTuple

from judgeray.emulator.behaviour import Behaviour, RowClass
from judgeray.emulator.draws import uniform, uniforms
from judgeray.emulator.pair_prompt import PairPrompt
from judgeray.emulator.plain import plain
from judgeray.emulator.prompt import Prompt
from judgeray.emulator.support_class import row_class

_RANKS: dict[RowClass, int] = {
    "supported": 2,
    "partially_supported": 1,
    "partially_supported_list": 1,
    "unsupported": 0,
}
_OTHER = {"A": "B", "B": "A"}
_TIE_SHARE = 0.7
"""Share of wrong winners that are ties."""


class Luck(NamedTuple):
    """Seven numbers in [0, 1) that belong to one prompt.

    Answer A wins where `position` is low. Where `own` is low, `error` stands in for the pair's difficulty. The
    rest shapes the reply beyond right and wrong.
    """

    own: float
    error: float
    shape: float
    cut: float
    confidence: float
    score: float
    position: float


def winner(prompt: Prompt, asked: PairPrompt, behaviour: Behaviour) -> tuple[str, Luck]:
    """Name the winner, `A`, `B` or `tie`, with the luck that shapes the rest of the reply.

    The pair's difficulty is drawn from seed, model, question and the two answers in either order, so that both
    orders share it; on a share `behaviour.noise` of prompts it is drawn from the whole prompt instead.
    """
    seed = str(behaviour.seed)
    luck = Luck(*uniforms("pair prompt", seed, prompt.digest)[: len(Luck._fields)])
    if luck.position < behaviour.first_position:
        return "A", luck
    better = _better(asked)
    if luck.own < behaviour.noise:
        difficulty = luck.error
    else:
        difficulty = uniform("pair", seed, prompt.model, asked.question, *sorted((asked.answer_a, asked.answer_b)))
    if better == "tie" or difficulty < behaviour.pair_accuracy:
        return better, luck
    tie_below = behaviour.pair_accuracy + _TIE_SHARE * (1 - behaviour.pair_accuracy)
    return ("tie" if difficulty < tie_below else _OTHER[better]), luck


def _better(asked: PairPrompt) -> str:
    """The answer of higher class; a tie between texts that are the same or of one class."""
    if plain(asked.answer_a) == plain(asked.answer_b):
        return "tie"
    rank_a, rank_b = (_RANKS[row_class(asked.reference, text)] for text in (asked.answer_a, asked.answer_b))
    if rank_a == rank_b:
        return "tie"
    return "A" if rank_a > rank_b else "B"
