"""Telling the calls of one part of a procedure from those of the rest."""

from __future__ import annotations

from typing import TypeVar

from judgeray.core.procedure import Procedure

T = TypeVar("T")


def noting(procedure: Procedure[T], keys: set[str]) -> Procedure[T]:
    """Run a procedure as it is, and note the keys of its calls in `keys`."""
    try:
        wave = next(procedure)
        while True:
            keys.update(call.key for call in wave)
            answers = yield wave
            wave = procedure.send(answers)
    except StopIteration as stop:
        value: T = stop.value
        return value
    finally:
        procedure.close()
