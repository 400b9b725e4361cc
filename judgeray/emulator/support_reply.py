"""The text of a support-label reply: a JSON object with exactly the keys that the prompt asks for."""

from __future__ import annotations

from functools import lru_cache

from judgeray.emulator.behaviour import Behaviour
from judgeray.emulator.formats import written
from judgeray.emulator.prompt import Prompt
from judgeray.emulator.support_fields import Writer, writer_of
from judgeray.emulator.support_prompt import asked_keys, read_support_prompt
from judgeray.emulator.support_verdict import verdict


def support_reply(prompt: Prompt, behaviour: Behaviour) -> str | None:
    """Answer a support-label prompt; None where the prompt is none."""
    asked = read_support_prompt(prompt.system, prompt.user)
    if asked is None or "verdict" not in asked_keys(asked.block):
        return None
    label, luck = verdict(prompt, asked, behaviour)
    fields = {key: writer(asked, label, luck) for key, writer in _writers(asked.block)}
    return written(fields, luck.shape, luck.cut, behaviour.formats, json_only=prompt.json_only)


@lru_cache(maxsize=256)
def _writers(block: str) -> tuple[tuple[str, Writer], ...]:
    return tuple([(key, writer_of(key, description)) for key, description in asked_keys(block).items()])
