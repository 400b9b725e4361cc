"""Counting keys without end in bounded memory."""

from __future__ import annotations

import sqlite3
from hashlib import sha256
from types import TracebackType

CACHE_KIB = 16_000
KEYS_IN_MEMORY = 250_000
"""Keys of which a count is kept in memory, which is ten times as fast; about 100 bytes each."""


class LastTally:
    """Counts like a `Tally` where a key never comes back after another, and keeps the last one alone."""

    def __init__(self) -> None:
        self._last: str | None = None
        self._times = 0

    def count(self, key: str) -> int:
        """Count `key` once more and give how often it was counted, this time included."""
        self._times = self._times + 1 if key == self._last else 1
        self._last = key
        return self._times


class Tally:
    """Counts how often each text was seen: the first many in memory, all others in a private SQLite file that
    vanishes when closed.

    Holds 16 bytes of SHA-256 a key; memory stays at 25 MB and the page cache (16 MB) whatever the number of keys.
    """

    def __init__(self, in_memory: int = KEYS_IN_MEMORY) -> None:
        self._first: dict[bytes, int] = {}
        self._in_memory = in_memory
        # An empty name makes SQLite open a temporary file of its own.
        self._connection = sqlite3.connect("", isolation_level=None, check_same_thread=False)
        self._connection.execute(f"PRAGMA cache_size=-{CACHE_KIB}")
        self._connection.execute("CREATE TABLE seen (key BLOB PRIMARY KEY, times INTEGER) WITHOUT ROWID")
        self._connection.execute("BEGIN")
        self._cursor = self._connection.cursor()

    def count(self, key: str) -> int:
        """Count `key` once more and give how often it was counted, this time included."""
        digest = sha256(key.encode("utf-8", "surrogatepass")).digest()[:16]
        times = self._first.get(digest, 0)
        if times or len(self._first) < self._in_memory:
            self._first[digest] = times + 1
            return times + 1
        self._cursor.execute("INSERT OR IGNORE INTO seen VALUES (?, 1)", (digest,))
        return 1 if self._cursor.rowcount else self._once_more(digest)

    def _once_more(self, digest: bytes) -> int:
        statement = "UPDATE seen SET times = times + 1 WHERE key = ? RETURNING times"
        (times,) = self._cursor.execute(statement, (digest,)).fetchone()
        return int(times)

    def __enter__(self) -> Tally:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._connection.close()
