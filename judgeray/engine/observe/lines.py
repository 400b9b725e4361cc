"""How lines of a log reach storage: the one place that knows."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Protocol
from urllib.parse import quote


class Lines(Protocol):
    """Takes whole lines, in order, from one process."""

    def write(self, line: str) -> None:
        """Put one line on storage, without its end. Raises OSError."""
        ...

    def close(self) -> None:
        """Let go of the file."""
        ...


class AppendedLines:
    """Appends to a file of this process alone, one `write` a line; the file is made with its first line."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor: int | None = None

    def write(self, line: str) -> None:
        """See `Lines.write`."""
        if self._descriptor is None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._descriptor = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        os.write(self._descriptor, line.encode("ascii", "backslashreplace") + b"\n")

    def close(self) -> None:
        """See `Lines.close`."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def open_lines(folder: str, process: str) -> Lines:
    """Lines of one process, in `folder`. A storage that cannot append gets its own `Lines` here."""
    return AppendedLines(Path(folder) / f"{quote(process, safe='')}.jsonl")
