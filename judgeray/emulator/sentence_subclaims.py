"""Simulated subclaims: a sentence cut at its commas and conjunctions."""

from __future__ import annotations

import re

from judgeray.emulator.prompt import Prompt
from judgeray.writers.subclaims import NONE, SUBCLAIMS

MOST_CLAIMS = 20

_BEFORE = SUBCLAIMS.template.partition("{sentence}")[0]
_JOINT = re.compile(r",\s+(?:(?:and|but|which|who)\s+)?|\s+(?:and|but)\s+")


def subclaims_reply(prompt: Prompt) -> str | None:
    """Answer a prompt for subclaims; None where the prompt is none."""
    if prompt.system != SUBCLAIMS.system or not prompt.user.startswith(_BEFORE):
        return None
    sentence = " ".join(prompt.user[len(_BEFORE) :].split())
    parts = [part.strip(" .") for part in _JOINT.split(sentence)]
    claims = [part for part in parts if any(character.isalnum() for character in part)][:MOST_CLAIMS]
    return "\n".join(f"- {claim}." for claim in claims) or NONE
