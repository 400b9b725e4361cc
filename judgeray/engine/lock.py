"""Locks that end with the process that holds them, however it dies."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from judgeray.core.errors import BadInputError

WORKERS_DEADLINE_SECONDS = 60.0


@contextmanager
def run_lock(path: Path, session: str) -> Iterator[None]:
    """Hold the replies folder for one run and write its session id into the lock file.

    Raises BadInputError at once where another run holds it.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        if not _try_lock(descriptor, fcntl.LOCK_EX):
            raise BadInputError(
                f"{path.parent}: another run is using this replies folder. Wait for it, or give this run its own "
                "with --output or replies:."
            )
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, session.encode("ascii"), 0)
        yield
    finally:
        os.close(descriptor)


def run_goes_on(path: Path, session: str) -> bool:
    """Whether the run of this session still holds its lock; asked by actors, which stop when it does not."""
    try:
        descriptor = os.open(path, os.O_RDWR)
    except FileNotFoundError:
        return False
    try:
        written = os.pread(descriptor, 256, 0).decode("ascii", "replace")
        return written == session and not _try_lock(descriptor, fcntl.LOCK_SH)
    finally:
        os.close(descriptor)


def is_held(path: Path) -> bool:
    """Whether some run holds its lock; asked by onlookers, by a shared lock for a moment and without any write."""
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except FileNotFoundError:
        return False
    try:
        return not _try_lock(descriptor, fcntl.LOCK_SH)
    finally:
        os.close(descriptor)


def last_session(path: Path) -> str | None:
    """Give the id of the session that holds the lock or held it last; None where no run ever did."""
    try:
        return path.read_text(encoding="ascii", errors="replace")
    except FileNotFoundError:
        return None


def hold_shared(path: Path) -> int:
    """Take a shared lock for the life of this process and return its descriptor."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    fcntl.flock(descriptor, fcntl.LOCK_SH)
    return descriptor


def wait_for_workers(path: Path, deadline_seconds: float = WORKERS_DEADLINE_SECONDS) -> None:
    """Wait until no actor of an earlier run can append any more.

    Raises BadInputError after the deadline, naming what it waited for.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    end = time.monotonic() + deadline_seconds
    try:
        while not _try_lock(descriptor, fcntl.LOCK_EX):
            if time.monotonic() > end:
                raise BadInputError(
                    f"{path}: workers of an earlier run still hold it after {deadline_seconds:g} s. "
                    "End those processes, then run the same command again."
                )
            time.sleep(0.05)
    finally:
        os.close(descriptor)


def _try_lock(descriptor: int, kind: int) -> bool:
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
