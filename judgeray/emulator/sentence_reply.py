"""Simulated replies about single sentences: a verdict of design F, or a list of subclaims."""

from __future__ import annotations

from judgeray.designs.sentence import KEY
from judgeray.emulator.behaviour import Behaviour
from judgeray.emulator.formats import written
from judgeray.emulator.prompt import Prompt
from judgeray.emulator.sentence_subclaims import subclaims_reply
from judgeray.emulator.sentence_verdict import sentence_verdict


def sentence_reply(prompt: Prompt, behaviour: Behaviour) -> str | None:
    """Answer a prompt about one sentence; None where the prompt is none."""
    verdict = sentence_verdict(prompt, behaviour)
    if verdict is None:
        return subclaims_reply(prompt)
    fields = {KEY: verdict.digit}
    return written(fields, verdict.shape, verdict.cut, behaviour.formats, json_only=prompt.json_only)
