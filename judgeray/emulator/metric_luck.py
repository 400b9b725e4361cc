"""How good a simulated judge is at metrics: told by how well it does on the rows of study 1."""

from __future__ import annotations

from judgeray.emulator.behaviour import DEFAULT_DESIGN, Behaviour
from judgeray.emulator.prompt import Prompt

_LEAST_FLIPS, _FLIPS_PER_MISTAKE = 0.02, 0.3
_LEAST_DEVIATION, _DEVIATION_PER_MISTAKE = 0.2, 1.0


def flip_share(prompt: Prompt, behaviour: Behaviour) -> float:
    """Share of claims on which a model says the opposite of what the words tell."""
    return _LEAST_FLIPS + _FLIPS_PER_MISTAKE * _mistakes(prompt, behaviour)


def deviation(prompt: Prompt, behaviour: Behaviour) -> float:
    """Standard deviation of a model's grades, on a scale from 0 to 1: one grade for a whole text is less sure."""
    return _LEAST_DEVIATION + _DEVIATION_PER_MISTAKE * _mistakes(prompt, behaviour)


def _mistakes(prompt: Prompt, behaviour: Behaviour) -> float:
    return 1 - behaviour.probability(prompt.model, DEFAULT_DESIGN, "unsupported")
