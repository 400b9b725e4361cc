"""Slices of a dataset: small enough for memory, never cutting what statistics take as one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from judgeray.core.errors import BadInputError

SLICE_ROWS = 5_000
"""Rows of a slice; a question that begins in it is finished in it."""


def slices(rows: Iterable[Any], size: int, unit: Callable[[Any], str]) -> Iterator[list[Any]]:
    """Cut rows after `size` of them, or later where a unit has not ended."""
    chunk: list[Any] = []
    for row in rows:
        if len(chunk) >= size and unit(row) != unit(chunk[-1]):
            yield chunk
            chunk = []
        chunk.append(row)
    if chunk:
        yield chunk


class SliceReader:
    """Reads the slices of one dataset by number, in order; going back starts the dataset again. Holds one slice."""

    def __init__(self, dataset: str, start: Callable[[], Iterator[list[Any]]]) -> None:
        self._dataset, self._start = dataset, start
        self._number, self._rows = -1, list[Any]()
        self._reading: Iterator[list[Any]] | None = None

    def numbers(self) -> Iterator[int]:
        """Number the slices while reading them."""
        number = 0
        while self._reach(number):
            yield number
            number += 1

    def rows(self, number: int) -> Sequence[Any]:
        """Give the rows of a slice. Raises BadInputError where the dataset has become shorter."""
        if not self._reach(number):
            raise BadInputError(f"dataset '{self._dataset}': its file has changed since this command began.")
        return self._rows

    def _reach(self, number: int) -> bool:
        if self._reading is None or number < self._number:
            self._reading, self._number = self._start(), -1
        while self._number < number:
            rows = next(self._reading, None)
            if rows is None:
                return False
            self._rows, self._number = rows, self._number + 1
        return True
