"""What was learned of an account's limits, for people to read: one file, or one object a session."""

from __future__ import annotations

import threading
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

from judgeray.core.errors import BadInputError
from judgeray.storage.objects import put
from judgeray.storage.place import Place

WRITE_SECONDS = 2.0
"""How long lines are gathered before an object is written anew."""


class LimitsHistory:
    """Keeps lines. In an object store it writes an object of its own, in the background."""

    def __init__(self, path: Place) -> None:
        self._path = path if isinstance(path, Path) else path.with_name(f"{path.stem}.{uuid4().hex}{path.suffix}")
        self._lines: list[str] = []
        self._timer: threading.Timer | None = None

    def add(self, line: str) -> None:
        """Keep a line, with its line feed."""
        if isinstance(self._path, Path):
            with self._path.open("a", encoding="ascii") as file:
                file.write(line)
            return
        self._lines.append(line)
        if self._timer is None or not self._timer.is_alive():
            self._timer = threading.Timer(WRITE_SECONDS, self._write)
            self._timer.daemon = True
            self._timer.start()

    def _write(self) -> None:
        # Nothing depends on it: what an outage or a kill leaves out is not missed.
        with suppress(BadInputError):
            if not isinstance(self._path, Path):
                put(self._path, "".join(self._lines).encode("ascii"))
