"""What the text APIs have in common: a completion is written as a reply, and a content fault changes it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from judgeray.emulator.api import Api, Body
from judgeray.emulator.fault_names import FaultName
from judgeray.emulator.prompt import Completion

Reply = dict[str, Any]
Spoil = Callable[[Reply], None]
"""Changes a reply in place, or raises RequestRefusedError where the API answers with an error."""

REFUSAL_WORDS = "I'm sorry, but I can't help with that."


@dataclass(frozen=True)
class TextForm:
    """One endpoint that answers prompts: how it writes replies (given the request's body) and spoils them."""

    api: Api
    write: Callable[[Completion, Body], Reply]
    spoils: Mapping[FaultName, Spoil]

    def reply(self, completion: Completion, body: Body, fault: FaultName | None) -> Reply:
        """Write a completion, under a content fault where `fault` is one; raises RequestRefusedError."""
        reply = self.write(completion, body)
        spoil = self.spoils.get(fault) if fault else None
        if spoil is not None:
            spoil(reply)
        return reply


def half(text: str) -> str:
    """The first half of a text."""
    return text[: len(text) // 2]
