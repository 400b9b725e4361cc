"""Bodies that are too large for memory, written to disk as they arrive."""

from __future__ import annotations

from collections.abc import AsyncIterator
from hashlib import sha256
from pathlib import Path

CHUNK_BYTES = 256 * 1024


class Spool:
    """A growing file. What comes beyond `most_bytes` is counted in `size` and dropped."""

    def __init__(self, path: Path, most_bytes: int) -> None:
        self.path = path
        self.size = 0
        self._most_bytes = most_bytes
        self._digest = sha256()
        path.touch()

    @property
    def too_large(self) -> bool:
        """Whether more came than is allowed."""
        return self.size > self._most_bytes

    def digest(self) -> bytes:
        """SHA-256 of what came."""
        return self._digest.digest()

    async def fill(self, chunks: AsyncIterator[bytes]) -> None:
        """Append all that comes."""
        with self.path.open("ab", buffering=0) as file:
            async for chunk in chunks:
                self.size += len(chunk)
                if not self.too_large:
                    self._digest.update(chunk)
                    file.write(chunk)

    def discard(self) -> None:
        """Remove the file."""
        self.path.unlink(missing_ok=True)
