"""Remembering how procedures went: many tasks begin with the same one, and its prompts are built once for all."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from judgeray.core.procedure import Procedure, Replies, Wave
from judgeray.core.reply import Reply

T = TypeVar("T")
Said = tuple[str, str | None] | None
"""Outcome and text of a reply, which is all that procedures read of it; None while it is not known."""


@dataclass(frozen=True)
class _Path(Generic[T]):
    """Waves that were asked and what was said to them; one wave more than that, or the end with its value."""

    waves: tuple[Wave, ...]
    said: tuple[tuple[Said, ...], ...]
    end: tuple[T] | None

    def follows(self, said: Sequence[tuple[Said, ...]]) -> bool:
        """Whether the path tells what comes after these replies."""
        return self.said[: len(said)] == tuple(said)


class Memory(Generic[T]):
    """Remembers the last path of each of `most` procedures by their keys, least recently used first to go."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._paths: OrderedDict[Hashable, _Path[T]] = OrderedDict()

    def run(self, key: Hashable, start: Callable[[], Procedure[T]]) -> Procedure[T]:
        """Run the procedure that `start` makes, and `key` names, as if nothing were remembered.

        Where the replies are those of the path, its calls and value are given again. Procedures of equal keys must
        be equal; values must never be changed.
        """
        live, waves = _Live(start), list[Wave]()
        answers, said = list[Replies](), list[tuple[Said, ...]]()
        try:
            while True:
                path = self._paths.get(key)
                if path is None or not path.follows(said):
                    wave, end = live.after(answers)
                    path = _Path((*waves, *([] if wave is None else [wave])), tuple(said), end)
                self._keep(key, path)
                if path.end and len(path.waves) == len(said):
                    return path.end[0]
                waves.append(path.waves[len(said)])
                answers.append((yield waves[-1]))
                said.append(tuple(map(_said, answers[-1])))
        finally:
            live.close()

    def _keep(self, key: Hashable, path: _Path[T]) -> None:
        self._paths[key] = path
        self._paths.move_to_end(key)
        if len(self._paths) > self._most:
            self._paths.popitem(last=False)


class _Live(Generic[T]):
    """A real run, which goes as far as it must."""

    def __init__(self, start: Callable[[], Procedure[T]]) -> None:
        self._start = start
        self._procedure: Procedure[T] | None = None
        self._sent = 0

    def after(self, answers: Sequence[Replies]) -> tuple[Wave | None, tuple[T] | None]:
        """Send what was not sent yet; give the next wave, or the value in a tuple."""
        wave: Wave | None = None
        try:
            if self._procedure is None:
                self._procedure = self._start()
                wave = next(self._procedure)
            for answer in answers[self._sent :]:
                wave = self._procedure.send(answer)
        except StopIteration as stop:
            return None, (stop.value,)
        finally:
            self._sent = len(answers)
        return wave, None

    def close(self) -> None:
        """Let the run go."""
        if self._procedure is not None:
            self._procedure.close()


def _said(reply: Reply | None) -> Said:
    return None if reply is None else (reply.outcome, reply.text)
