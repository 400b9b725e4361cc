"""What an engine is given to do: tasks (a named procedure each) in shards that fit in memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from judgeray.core.procedure import Procedure


@dataclass(frozen=True, slots=True)
class Task:
    """One procedure on one row; `start` makes a fresh run of it, `name` is how people find the row."""

    name: str
    start: Callable[[], Procedure[Any]]


@dataclass(frozen=True, slots=True)
class Shard:
    """A slice of one dataset under one arm. `name` is unique in a run and the same in every run."""

    name: str
    tasks: Sequence[Task]
