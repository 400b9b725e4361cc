"""Procedures: plain generators that yield calls and are sent replies.

A procedure yields a tuple of calls and is sent one reply or None for each; None means "not known yet".
`ask`, `ask_all` and `together` hide that, so that a procedure reads like ordinary code:

    reply = yield from ask(call)
    left, right = yield from together(claims(answer), claims(reference))
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from typing import Any, TypeVar

from judgeray.core.call import Call
from judgeray.core.reply import Reply

T = TypeVar("T")
Wave = tuple[Call, ...]
Replies = tuple[Reply | None, ...]
Procedure = Generator[Wave, Replies, T]


def ask(call: Call) -> Procedure[Reply]:
    """Ask one call and return its reply."""
    reply = None
    while reply is None:
        (reply,) = yield (call,)
    return reply


def ask_all(calls: Iterable[Call]) -> Procedure[list[Reply]]:
    """Ask several calls at once and return their replies in the order asked."""
    wanted = list(calls)
    known: dict[int, Reply] = {}
    while len(known) < len(wanted):
        missing = [i for i in range(len(wanted)) if i not in known]
        answers = yield tuple(wanted[i] for i in missing)
        known.update({i: reply for i, reply in zip(missing, answers, strict=True) if reply is not None})
    return [known[i] for i in range(len(wanted))]


def together(*procedures: Procedure[Any]) -> Procedure[tuple[Any, ...]]:
    """Run procedures side by side and return their values; each goes on as soon as its replies are there."""
    branches = [_Branch(procedure) for procedure in procedures]
    while any(branch.wanted for branch in branches):
        answers = yield tuple(call for branch in branches for call in branch.wanted)
        start = 0
        for branch in branches:
            end = start + len(branch.wanted)
            branch.send(answers[start:end])
            start = end
    return tuple(branch.value for branch in branches)


class _Branch:
    def __init__(self, procedure: Procedure[Any]) -> None:
        self._procedure = procedure
        self.wanted: Wave = ()
        self.value: Any = None
        self._advance(None)

    def send(self, answers: Replies) -> None:
        if any(reply is not None for reply in answers):
            self._advance(answers)

    def _advance(self, answers: Replies | None) -> None:
        try:
            self.wanted = next(self._procedure) if answers is None else self._procedure.send(answers)
        except StopIteration as stop:
            self.wanted, self.value = (), stop.value
