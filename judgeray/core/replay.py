"""Replay: run a procedure against the replies that are known, and see what it still wants."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from judgeray.core.call import Call
from judgeray.core.procedure import Procedure, Replies, Wave
from judgeray.core.reply import Answer, Failure, Reply

T = TypeVar("T")


class NondeterministicProcedureError(Exception):
    """A procedure asked for different calls when run twice on the same replies; it would buy for ever."""


@dataclass(frozen=True, slots=True)
class Settled(Generic[T]):
    """The procedure ended; `replies` are those it used, in the order asked."""

    value: T
    replies: tuple[Reply, ...]


@dataclass(frozen=True, slots=True)
class Pending:
    """The procedure waits for `wanted`; nothing of it is known yet."""

    wanted: Wave
    replies: tuple[Reply, ...]


@dataclass(frozen=True, slots=True)
class Stuck:
    """The procedure waits for calls of which one failed; `failure` carries the provider's words."""

    failure: Failure
    replies: tuple[Reply, ...]


State = Settled[T] | Pending | Stuck


class Replay(Generic[T]):
    """One run of a procedure, as far as known answers carry it, and further when more are known. Pure: no call is
    sent."""

    def __init__(self, procedure: Procedure[T]) -> None:
        self._procedure = procedure
        self._used: dict[str, Reply] = {}
        self._settled: Settled[T] | None = None
        self._wanted: Wave = ()
        self._advance(None)

    def go_on(self, known: Mapping[str, Answer]) -> State[T]:
        """Go on with the answers in `known`, by call key."""
        while self._settled is None:
            answers = tuple(_reply(known.get(call.key)) for call in self._wanted)
            if not any(reply is not None for reply in answers):
                return _waiting(self._wanted, known, tuple(self._used.values()))
            self._used.update({reply.key: reply for reply in answers if reply is not None})
            self._advance(answers)
        return self._settled

    def close(self) -> None:
        """Let go of the procedure where it stands."""
        self._procedure.close()

    def _advance(self, answers: Replies | None) -> None:
        try:
            self._wanted = next(self._procedure) if answers is None else self._procedure.send(answers)
        except StopIteration as stop:
            self._settled = Settled(stop.value, tuple(self._used.values()))


def replay(procedure: Procedure[T], known: Mapping[str, Answer]) -> State[T]:
    """Run `procedure` as far as the answers in `known` (by call key) carry it. Pure: no call is sent."""
    run = Replay(procedure)
    try:
        return run.go_on(known)
    finally:
        run.close()


def _reply(answer: Answer | None) -> Reply | None:
    return answer if isinstance(answer, Reply) else None


def _waiting(wanted: Wave, known: Mapping[str, Answer], used: tuple[Reply, ...]) -> Pending | Stuck:
    unasked = tuple({call.key: call for call in wanted if call.key not in known}.values())
    if unasked:
        return Pending(unasked, used)
    failures = [answer for call in wanted if isinstance(answer := known[call.key], Failure)]
    return Stuck(failures[0], used)


def check_again(first: State[T], start: Callable[[], Procedure[T]], known: Mapping[str, Answer], name: str) -> None:
    """Replay a fresh run and compare it with what the first gave.

    Raises NondeterministicProcedureError, naming the procedure, when the two want or used different calls.
    """
    if _trace(first) != _trace(replay(start(), known)):
        raise NondeterministicProcedureError(
            f"{name}: asked for other calls when run again on the same replies. A procedure may not use "
            "random numbers, clocks or sets to build its calls; seed them from the row."
        )


def replay_twice(start: Callable[[], Procedure[T]], known: Mapping[str, Answer], name: str) -> State[T]:
    """Replay and check again; see `check_again` for what it raises."""
    state = replay(start(), known)
    check_again(state, start, known, name)
    return state


def _trace(state: State[T]) -> tuple[object, ...]:
    wanted: tuple[Call, ...] = state.wanted if isinstance(state, Pending) else ()
    return (type(state), tuple(call.key for call in wanted), tuple(reply.key for reply in state.replies))
