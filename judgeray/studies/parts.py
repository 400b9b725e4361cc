"""Parts: slices of datasets under one arm each, small enough for memory."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import pyarrow as pa

from judgeray.core.replay import State
from judgeray.core.task import Shard, Task
from judgeray.datasets.source import DatasetSource
from judgeray.report.evidence import CaseKey
from judgeray.rows import Skip
from judgeray.studies.arm import Arm, Case
from judgeray.studies.slices import SLICE_ROWS, SliceReader, slices
from judgeray.studies.study import GRID, Study
from judgeray.studies.verdict_rows import Price, arrow_table


@dataclass(frozen=True)
class Part:
    """Some items of one arm, in the order of the dataset; they are read when they are first asked for."""

    arm: Arm
    number: int
    read: Callable[[], Sequence[Any]]

    @cached_property
    def items(self) -> Sequence[Any]:
        """What the arm asks about."""
        return self.read()

    @property
    def file_name(self) -> str:
        """Name of the slice's file inside the arm's partition."""
        return f"{self.arm.variant}-{self.number:05d}"

    def shard(self) -> Shard:
        """The procedures of the slice."""
        return Shard(f"{self.arm.partition}/{self.file_name}", self._tasks)

    def _tasks(self, places: Sequence[int] | None) -> list[Task]:
        items = self.items
        return [self.arm.task(item) for item in (items if places is None else map(items.__getitem__, places))]

    def table(self, states: Sequence[State[Any]], price: Price) -> pa.Table:
        """Turn replayed items into what is recorded of them."""
        pairs = zip(self.items, states, strict=True)
        records = [record for item, state in pairs for record in self.arm.records(item, state, price)]
        return arrow_table(records, self.arm.schema)

    def cases(self) -> list[Case]:
        """Name the recorded rows, in order."""
        return [self.arm.case(item) for item in self.items]

    def only(self, keys: Container[CaseKey]) -> Part:
        """Keep the items whose recorded rows have these keys."""
        items = self.items
        return Part(self.arm, self.number, lambda: [item for item in items if self.arm.case(item).key in keys])


def parts(
    sources: Iterable[DatasetSource],
    arms: Sequence[Arm],
    study: Study = GRID,
    counts: Mapping[str, int] | None = None,
    readers: Mapping[str, SliceReader] | None = None,
) -> Iterator[Part]:
    """Cut datasets into slices and pair each with the arms of its dataset; holds one slice at a time.

    With `counts`, the number of slices by dataset, nothing is read before the items of a part are asked for. Who
    goes through the parts again and again gives the `readers` to use.
    """
    for source in sources:
        mine = [arm for arm in arms if arm.dataset == source.name]
        if not mine:
            continue
        reader = readers[source.name] if readers else slice_reader(source, study)
        for number in reader.numbers() if counts is None else range(counts[source.name]):
            for arm in mine:
                yield Part(arm, number, partial(_items, reader, number, arm))


def slice_reader(source: DatasetSource, study: Study) -> SliceReader:
    """Reads a dataset in slices, from its first row on the first time it is asked."""
    return SliceReader(source.name, partial(_sliced, source, study))


def _sliced(source: DatasetSource, study: Study) -> Iterator[list[Any]]:
    return slices((item for item in study.load(source) if not isinstance(item, Skip)), SLICE_ROWS, study.unit)


def _items(reader: SliceReader, number: int, arm: Arm) -> Sequence[Any]:
    return arm.items(reader.rows(number))
