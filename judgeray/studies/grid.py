"""The grid of study 1: every row of a dataset under every arm, one call each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice

from judgeray.conditions.registry import CONDITIONS
from judgeray.core.procedure import Procedure, ask
from judgeray.core.task import Shard, Task
from judgeray.datasets.registry import load
from judgeray.datasets.source import DatasetSource
from judgeray.designs.reading import Judgment
from judgeray.rows import Row
from judgeray.studies.arm import Arm

SHARD_ROWS = 5_000


def judged(row: Row, arm: Arm) -> Procedure[Judgment]:
    """Ask the arm's judge about one row and read its reply."""
    reply = yield from ask(arm.design.call(row, arm.judge, arm.replicate))
    return arm.design.read(reply)


@dataclass(frozen=True)
class GridShard:
    """A slice of one dataset's rows under one arm."""

    arm: Arm
    number: int
    rows: Sequence[Row]

    @property
    def file_name(self) -> str:
        """Name of the slice's verdict file inside the arm's folder."""
        return f"{self.arm.condition}-r{self.arm.replicate}-{self.number:05d}"

    def shard(self) -> Shard:
        """The tasks of the slice, rows changed by the arm's condition."""
        change = CONDITIONS[self.arm.condition]
        tasks = [Task(row.row_id, partial(judged, change(row), self.arm)) for row in self.rows]
        return Shard(f"{self.arm.partition}/{self.file_name}", tasks)


def grid_shards(sources: Iterable[DatasetSource], arms: Sequence[Arm]) -> Iterator[GridShard]:
    """Cut datasets into slices and pair each with the arms of its dataset; holds one slice at a time."""
    for source in sources:
        mine = [arm for arm in arms if arm.dataset == source.name]
        rows = (item for item in load(source) if isinstance(item, Row))
        for number, chunk in enumerate(_slices(rows, SHARD_ROWS)):
            for arm in mine:
                yield GridShard(arm, number, chunk)


def _slices(rows: Iterator[Row], size: int) -> Iterator[list[Row]]:
    while chunk := list(islice(rows, size)):
        yield chunk
