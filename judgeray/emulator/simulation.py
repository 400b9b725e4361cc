"""One simulation: a behaviour, its audit, and the one way from prompt to completion."""

from __future__ import annotations

import asyncio
import math
from itertools import count
from statistics import NormalDist

from judgeray.emulator.audit import Audit
from judgeray.emulator.behaviour import Behaviour
from judgeray.emulator.draws import uniform
from judgeray.emulator.families import reply_text
from judgeray.emulator.prompt import Completion, Prompt, complete

_STANDARD_NORMAL = NormalDist()
_LEAST_DRAW = 1e-9


class Simulation:
    """State shared by all routes of one server."""

    def __init__(self, behaviour: Behaviour) -> None:
        self.behaviour = behaviour
        self.audit = Audit()
        self._numbers = count(1)

    def next_id(self) -> str:
        """A name that this server gives once: 24 hex digits."""
        return f"{next(self._numbers):024x}"

    def serves(self, model: str) -> bool:
        """Whether a model of this name exists here."""
        known = self.behaviour.known_models
        return known is None or model in known

    async def answer(self, prompt: Prompt) -> Completion:
        """Take a well-formed prompt, wait for as long as a model would, and complete it."""
        self.audit.received(prompt)
        if self.behaviour.latency_seconds > 0:
            await asyncio.sleep(latency_seconds(prompt, self.behaviour))
        completion = complete(prompt, self.next_id(), reply_text(prompt, self.behaviour))
        self.audit.executed(prompt)
        return completion


def latency_seconds(prompt: Prompt, behaviour: Behaviour) -> float:
    """Latency of one prompt: lognormal, drawn from the prompt and the behaviour's seed."""
    draw = uniform("latency", str(behaviour.seed), prompt.digest)
    deviation = _STANDARD_NORMAL.inv_cdf(max(draw, _LEAST_DRAW))
    return behaviour.latency_seconds * math.exp(behaviour.latency_sigma * deviation)
