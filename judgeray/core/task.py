"""What an engine is given to do: tasks (a named procedure each) in shards that fit in memory."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from judgeray.core.procedure import Procedure


@dataclass(frozen=True, slots=True)
class Task:
    """One procedure on one row; `start` makes a fresh run of it, `name` is how people find the row."""

    name: str
    start: Callable[[], Procedure[Any]]


@dataclass(frozen=True)
class Shard:
    """A slice of one dataset under one arm. `name` is unique in a run and the same in every run.

    Its tasks are made when they are first asked for: of a shard with nothing left to do, no row is read. `make` is
    told the places of those that are wanted, or None for all.
    """

    name: str
    make: Callable[[Sequence[int] | None], Sequence[Task]]
    places: Sequence[int] | None = None

    @cached_property
    def tasks(self) -> Sequence[Task]:
        """The tasks, in the order of the rows."""
        return self.make(self.places)

    def only(self, places: Sequence[int]) -> Shard:
        """Keep the tasks at these places."""
        return Shard(self.name, self.make, places)


@dataclass(frozen=True)
class Remembered:
    """What is known of a shard without replaying it: the places of tasks that are not settled, in order, and how
    many calls of the settled ones are known, by provider account."""

    open: Sequence[int]
    calls: Mapping[str, int]
