"""Prompt families: who answers which prompt. A new family is one file and one line here."""

from __future__ import annotations

from collections.abc import Callable

from judgeray.emulator.answer_reply import answer_reply
from judgeray.emulator.behaviour import Behaviour
from judgeray.emulator.metric_reply import metric_reply
from judgeray.emulator.pair_reply import pair_reply
from judgeray.emulator.perturbation_reply import perturbation_reply
from judgeray.emulator.prompt import Prompt
from judgeray.emulator.sentence_reply import sentence_reply
from judgeray.emulator.support_reply import support_reply

Family = Callable[[Prompt, Behaviour], str | None]
"""Answers a prompt of its family with the reply's text, and every other with None."""

FAMILIES: tuple[Family, ...] = (
    support_reply,
    pair_reply,
    answer_reply,
    perturbation_reply,
    metric_reply,
    sentence_reply,
)


def reply_text(prompt: Prompt, behaviour: Behaviour) -> str:
    """Answer with the first family that knows the prompt, or with a short text that names the prompt."""
    for family in FAMILIES:
        text = family(prompt, behaviour)
        if text is not None:
            return text
    return f"This is a simulated reply to prompt {prompt.digest[:12]}."
