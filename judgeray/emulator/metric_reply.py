"""Simulated replies to the prompts of metrics."""

from __future__ import annotations

from judgeray.emulator.behaviour import Behaviour
from judgeray.emulator.metric_claims import claims_reply
from judgeray.emulator.metric_entailment import entailment_reply
from judgeray.emulator.metric_score import score_reply
from judgeray.emulator.prompt import Prompt


def metric_reply(prompt: Prompt, behaviour: Behaviour) -> str | None:
    """Answer a prompt for claims, entailment or a grade; None where the prompt is none of these."""
    for family in (claims_reply, entailment_reply, score_reply):
        text = family(prompt, behaviour)
        if text is not None:
            return text
    return None
