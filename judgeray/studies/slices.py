"""Slices of a dataset: small enough for memory, never cutting what statistics take as one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from judgeray.core.errors import BadInputError

SLICE_ROWS = 5_000
"""Rows of a slice; a question that begins in it is finished in it."""


def slices(rows: Iterable[Any], size: int, unit: Callable[[Any], str]) -> Iterator[list[Any]]:
    """Cut rows after `size` of them, or later where a unit has not ended."""
    chunk: list[Any] = []
    for row in rows:
        if len(chunk) >= size and unit(row) != unit(chunk[-1]):
            yield _taken(chunk)
        chunk.append(row)
    if chunk:
        yield _taken(chunk)


def _taken(chunk: list[Any]) -> list[Any]:
    """Empty a chunk: of a slice that was given, a reading that waits keeps nothing."""
    rows = chunk.copy()
    chunk.clear()
    return rows


OPEN_READINGS = 8
"""Readings of one dataset that may be open: one goes on to new rows, and one more follows it for each further round
that procedures need, such as a call made from a reply."""


@dataclass
class _Reading:
    """A dataset read as far as slice `number`, whose rows are held until another reading is asked."""

    slices: Iterator[list[Any]]
    number: int = -1
    rows: list[Any] | None = None

    def reach(self, number: int) -> bool:
        """Read on to a slice; False where there is none."""
        while self.number < number:
            rows = next(self.slices, None)
            if rows is None:
                return False
            self.rows, self.number = rows, self.number + 1
        return True

    def leads_to(self, number: int) -> bool:
        """Whether the slice comes, or is held."""
        return self.number < number or (self.number == number and self.rows is not None)


class SliceReader:
    """Reads the slices of one dataset by number; holds one of them.

    Who goes back, as each round of a run does, finds a reading that has stood there since, or starts the dataset
    again where there is none.
    """

    def __init__(self, dataset: str, start: Callable[[], Iterator[list[Any]]]) -> None:
        self._dataset, self._start = dataset, start
        self._readings: list[_Reading] = []

    def numbers(self) -> Iterator[int]:
        """Number the slices while reading them."""
        number = 0
        while self._at(number):
            yield number
            number += 1

    def rows(self, number: int) -> Sequence[Any]:
        """Give the rows of a slice. Raises BadInputError where the dataset has become shorter."""
        reading = self._at(number)
        if reading is None or reading.rows is None:
            raise BadInputError(f"dataset '{self._dataset}': its file has changed since this command began.")
        return reading.rows

    def _at(self, number: int) -> _Reading | None:
        """Bring the reading that has least to read to a slice; None where there is no such slice."""
        reading = self._nearest(number)
        for other in self._readings:
            if other is not reading:
                other.rows = None
        return reading if reading.reach(number) else None

    def _nearest(self, number: int) -> _Reading:
        leading = [reading for reading in self._readings if reading.leads_to(number)]
        if leading:
            return max(leading, key=lambda reading: reading.number)
        reading = _Reading(self._start())
        # Of too many, the one least far goes: the new one passes there soon.
        ahead = sorted(self._readings, key=lambda reading: reading.number)
        self._readings = [*ahead[-(OPEN_READINGS - 1) :], reading]
        return reading
