"""Files that clients uploaded or batches wrote; their bytes are on disk."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from pathlib import Path

from judgeray.emulator.batch import Batch


@dataclass(eq=False)
class StoredFile:
    """One file. `kind` is OpenAI's purpose or Gemini's media type; `digest` the SHA-256 of its
    bytes where its API tells it; `batch` is the one that wrote it.
    """

    id: str
    name: str
    kind: str
    path: Path
    batch: Batch | None = None
    digest: bytes = b""
    created: float = field(default_factory=time.time)

    @property
    def size(self) -> int:
        """Bytes."""
        return self.path.stat().st_size


class FileBook:
    """The files of one API, oldest first."""

    def __init__(self) -> None:
        self._files: dict[str, StoredFile] = {}

    def add(self, file: StoredFile) -> None:
        """Add a file under its id."""
        self._files[file.id] = file

    def get(self, file_id: str) -> StoredFile | None:
        """The file of this id, None where there is none."""
        return self._files.get(file_id)

    def newest_first(self) -> list[StoredFile]:
        """All files."""
        return list(reversed(self._files.values()))

    def delete(self, file_id: str) -> StoredFile | None:
        """Delete a file with its bytes, and return it where there was one."""
        file = self._files.pop(file_id, None)
        if file is not None:
            # A batch that still reads it holds it open.
            file.path.unlink(missing_ok=True)
        return file
