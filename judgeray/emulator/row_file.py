"""Rows of a batch, kept on disk: a file and where each row begins, so that memory holds 16 bytes a row."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from pathlib import Path

Span = tuple[int, int]
"""Where a row begins in its file, and its size, in bytes."""


class RowFile:
    """Random access to the rows of one file; the file may be deleted meanwhile, but must not change."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("rb")
        self._starts, self._sizes = array("Q"), array("Q")

    def add(self, span: Span) -> None:
        """Note one more row."""
        self._starts.append(span[0])
        self._sizes.append(span[1])

    def __len__(self) -> int:
        return len(self._starts)

    def read(self, number: int) -> bytes:
        """The bytes of a row, counted from 0."""
        self._file.seek(self._starts[number])
        return self._file.read(self._sizes[number])

    def rest(self, stand_in: bytes) -> bytes:
        """The file with `stand_in` in the place of each row."""
        pieces, at = [], 0
        for start, size in zip(self._starts, self._sizes, strict=True):
            self._file.seek(at)
            pieces.append(self._file.read(start - at))
            at = start + size
        self._file.seek(at)
        pieces.append(self._file.read())
        return stand_in.join(pieces)

    def close(self) -> None:
        """Let go of the file; a second call does nothing."""
        self._file.close()


def line_spans(path: Path) -> Iterator[Span]:
    """The spans of a file's lines; blank ones are left out."""
    start = 0
    with path.open("rb") as file:
        for line in file:
            if line.strip():
                yield start, len(line)
            start += len(line)
