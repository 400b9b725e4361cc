"""How lines of a log reach storage: the one place that knows."""

from __future__ import annotations

import os
import threading
from contextlib import suppress
from pathlib import Path
from typing import Protocol
from urllib.parse import quote

from upath import UPath

from judgeray.core.errors import BadInputError
from judgeray.storage.objects import put
from judgeray.storage.place import place_of

GATHER_SECONDS = 5.0
"""How long an object store's lines are gathered before they are written."""


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


class GatheredLines:
    """Gathers lines and writes them now and then as one object, where nothing can be appended to.

    What was gathered when a process is killed is lost, and so is what the storage does not take: logs stop no run.
    """

    def __init__(self, folder: UPath, name: str) -> None:
        self._folder, self._name = folder, name
        self._gathered: list[str] = []
        self._number, self._lock = 0, threading.Lock()

    def write(self, line: str) -> None:
        """See `Lines.write`."""
        with self._lock:
            self._gathered.append(line)
            if len(self._gathered) == 1:
                timer = threading.Timer(GATHER_SECONDS, self.close)
                timer.daemon = True
                timer.start()

    def close(self) -> None:
        """Write what is gathered."""
        with self._lock:
            lines, self._gathered = self._gathered, []
            self._number += bool(lines)
            part = self._folder / f"{self._name}.{self._number:06d}.jsonl"
        if lines:
            with suppress(BadInputError):
                put(part, "".join(f"{line}\n" for line in lines).encode("ascii", "backslashreplace"))


def open_lines(folder: str, process: str) -> Lines:
    """Lines of one process, in `folder`, in the way that its storage asks for."""
    place, name = place_of(folder), quote(process, safe="")
    return AppendedLines(place / f"{name}.jsonl") if isinstance(place, Path) else GatheredLines(place, name)
