"""Parts: slices of datasets under one arm each, small enough for memory."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from judgeray.core.replay import State
from judgeray.core.task import Shard
from judgeray.datasets.source import DatasetSource
from judgeray.report.evidence import CaseKey
from judgeray.rows import Skip
from judgeray.studies.arm import Arm, Case
from judgeray.studies.study import GRID, Study
from judgeray.studies.verdict_rows import Price, arrow_table

PART_ROWS = 5_000
"""Rows of a slice; a question that begins in it is finished in it."""


@dataclass(frozen=True)
class Part:
    """Some items of one arm, in the order of the dataset."""

    arm: Arm
    number: int
    items: Sequence[Any]

    @property
    def file_name(self) -> str:
        """Name of the slice's file inside the arm's partition."""
        return f"{self.arm.variant}-{self.number:05d}"

    def shard(self) -> Shard:
        """The procedures of the slice."""
        return Shard(f"{self.arm.partition}/{self.file_name}", [self.arm.task(item) for item in self.items])

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
        return Part(self.arm, self.number, [item for item in self.items if self.arm.case(item).key in keys])


def parts(sources: Iterable[DatasetSource], arms: Sequence[Arm], study: Study = GRID) -> Iterator[Part]:
    """Cut datasets into slices and pair each with the arms of its dataset; holds one slice at a time."""
    for source in sources:
        mine = [arm for arm in arms if arm.dataset == source.name]
        if not mine:
            continue
        rows = (item for item in study.load(source) if not isinstance(item, Skip))
        for number, chunk in enumerate(_slices(rows, PART_ROWS, study.unit)):
            for arm in mine:
                yield Part(arm, number, arm.items(chunk))


def _slices(rows: Iterable[Any], size: int, unit: Callable[[Any], str] = GRID.unit) -> Iterator[list[Any]]:
    """Cut rows after `size` of them, or later where a unit has not ended."""
    chunk: list[Any] = []
    for row in rows:
        if len(chunk) >= size and unit(row) != unit(chunk[-1]):
            yield chunk
            chunk = []
        chunk.append(row)
    if chunk:
        yield chunk
