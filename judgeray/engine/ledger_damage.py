"""Damage to what was paid for: named, with what can be done, and never passed over."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa

from judgeray.core.errors import BadInputError
from judgeray.storage.place import Place

WHAT_TO_DO = (
    "It held replies that were paid for: restore it from a copy, or remove it, and its calls are asked again."
)


@contextmanager
def named_damage(path: Path) -> Iterator[None]:
    """Raise BadInputError, naming the ledger's file, where what is done with it finds no whole Parquet file."""
    try:
        yield
    except pa.ArrowException as error:
        raise BadInputError(f"{path}: is no whole Parquet file: {error} {WHAT_TO_DO}") from error


def checked(line: bytes, journal: Place, number: int) -> bytes:
    """Give a journal's line back. Raises BadInputError where it cannot be a reply's, as after a disk lost power."""
    if line.startswith(b'{"key":"') and line.endswith(b"}\n"):
        return line
    raise BadInputError(
        f"{journal}: line {number} is no reply, but {line[:40]!r}. Take the line out, or restore the file "
        "from a copy; a call without its reply is asked again."
    )
