"""Where a row stands: so that an error names the file and the row in it, also when files are read together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Place:
    """Files that were read one after the other, with the number of rows each gave."""

    heights: Sequence[tuple[Path, int]]

    def row(self, index: int) -> str:
        """Name the file of a row of the joined frame (from 0), and its row there (from 1)."""
        for file, height in self.heights:
            if index < height:
                return f"{file}: row {index + 1}"
            index -= height
        raise IndexError(index)

    def file(self) -> str:
        """Name the file, or the first of several that share their column types."""
        return str(self.heights[0][0])
