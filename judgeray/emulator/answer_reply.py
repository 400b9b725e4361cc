"""Simulated answers to the answer writer's prompt: one to six sentences that mean nothing."""

from __future__ import annotations

from judgeray.emulator.answer_words import MOST_SENTENCES, first_sentence, further_sentence
from judgeray.emulator.behaviour import Behaviour
from judgeray.emulator.draws import uniforms
from judgeray.emulator.prompt import Prompt
from judgeray.writers.answer import ANSWER

SINGLE_SHARE = 0.25
"""Share of answers of one sentence, whose nominal part is the whole (study 1, appendix C: 25 of 100)."""

_BEFORE, _BEHIND = ANSWER.template.split("{question}")


def answer_reply(prompt: Prompt, behaviour: Behaviour) -> str | None:
    """Answer a writer's prompt, by draws from the whole prompt; None where the prompt is none.

    Of the answers SINGLE_SHARE have one sentence; two to six are equally frequent.
    """
    if prompt.system != ANSWER.system or not _fits(prompt.user):
        return None
    question = prompt.user[len(_BEFORE) : len(prompt.user) - len(_BEHIND)]
    length, start, name, year, *_ = uniforms("answer", str(behaviour.seed), prompt.digest)
    found = [first_sentence(question, name, year)]
    for number in range(_sentences(length) - 1):
        draw, other, *_ = uniforms("sentence", str(number), str(behaviour.seed), prompt.digest)
        found.append(further_sentence(int(start * MOST_SENTENCES) + number, draw, other))
    return " ".join(found)


def _fits(user: str) -> bool:
    return user.startswith(_BEFORE) and user.endswith(_BEHIND) and len(user) >= len(_BEFORE) + len(_BEHIND)


def _sentences(draw: float) -> int:
    if draw < SINGLE_SHARE:
        return 1
    return 2 + int((draw - SINGLE_SHARE) / (1 - SINGLE_SHARE) * (MOST_SENTENCES - 1))
