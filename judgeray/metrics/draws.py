"""Fresh draws: a reply that breaks its format is asked for again, a few times, each time as a call of its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from judgeray.core.call import Call, Judge
from judgeray.core.procedure import Procedure, ask
from judgeray.core.reply import Reply
from judgeray.core.status import Status
from judgeray.metrics.metric import Part

T = TypeVar("T")

FRESH_DRAWS = 2
"""Further draws at most; then the reply is unparsed."""


@dataclass(frozen=True, slots=True)
class Drawn(Generic[T]):
    """What was read in the end, None unless `status` is ok, and the number of replies that took."""

    status: Status
    value: T | None
    draws: int

    def part(self, name: str) -> Part:
        """This step under its name."""
        return Part(name, self.status, self.draws)


def drawn(call: Callable[[int], Call], read: Callable[[str], T | None]) -> Procedure[Drawn[T]]:
    """Ask `call(0)`, then `call(1)` and so on, until `read` finds what it wants in a reply's text.

    A refusal is final and is never read. So is a reply that was cut before it said what was asked: the next one
    would be cut too.
    """
    for draw in range(1 + FRESH_DRAWS):
        reply = yield from ask(call(draw))
        value = None if reply.outcome == "refused" else read(reply.text or "")
        if value is not None:
            return Drawn("ok", value, draw + 1)
        if (status := _final(reply)) is not None:
            return Drawn(status, None, draw + 1)
    return Drawn("unparsed", None, 1 + FRESH_DRAWS)


def draw_call(judge: Judge, system: str, user: str, replicate: int, draw: int) -> Call:
    """Build the call of one draw; no two draws of any replicates share one.

    Where the judge sends a seed the draw moves it, since the same seed is there to give the same reply.
    """
    seed = judge.parameters.get("seed")
    if draw and isinstance(seed, int):
        judge = replace(judge, parameters={**judge.parameters, "seed": seed + draw})
    return judge.call(system, user, replicate * (1 + FRESH_DRAWS) + draw)


def _final(reply: Reply) -> Status | None:
    if reply.outcome in ("refused", "truncated"):
        return reply.outcome
    return None
