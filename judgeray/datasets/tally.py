"""Counting keys without end in bounded memory."""

from __future__ import annotations

import sqlite3
from hashlib import sha256
from types import TracebackType

CACHE_KIB = 16_000


class Tally:
    """Counts how often each text was seen, on disk: a private SQLite file that vanishes when closed.

    Holds 16 bytes of SHA-256 a key; memory stays at the page cache (16 MB) whatever the number of keys.
    """

    def __init__(self) -> None:
        # An empty name makes SQLite open a temporary file of its own.
        self._connection = sqlite3.connect("", isolation_level=None, check_same_thread=False)
        self._connection.execute(f"PRAGMA cache_size=-{CACHE_KIB}")
        self._connection.execute("CREATE TABLE seen (key BLOB PRIMARY KEY, times INTEGER) WITHOUT ROWID")
        self._connection.execute("BEGIN")

    def count(self, key: str) -> int:
        """Count `key` once more and give how often it was counted, this time included."""
        digest = sha256(key.encode("utf-8", "surrogatepass")).digest()[:16]
        statement = "INSERT INTO seen VALUES (?, 1) ON CONFLICT DO UPDATE SET times = times + 1 RETURNING times"
        (times,) = self._connection.execute(statement, (digest,)).fetchone()
        return int(times)

    def __enter__(self) -> Tally:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._connection.close()
