"""Locks that end with the process that holds them, however it dies: kept by the system on a disk, by a lease in an
object store."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from judgeray.core.errors import BadInputError
from judgeray.engine.lease import hold_lease, in_use, is_alive, read_lease
from judgeray.engine.presence import wait_for_quiet
from judgeray.storage.place import Place

WORKERS_DEADLINE_SECONDS = 60.0


def _no_words(_: str) -> None:
    """Say nothing."""


@contextmanager
def run_lock(path: Place, session: str, say: Callable[[str], None] = _no_words) -> Iterator[None]:
    """Hold the replies folder for one run and write its session id into the lock file.

    Raises BadInputError where another run holds it: at once on a disk, in an object store after a look, which `say`
    tells of.
    """
    if not isinstance(path, Path):
        with hold_lease(path, session, say):
            yield
        return
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        if not _try_lock(descriptor, fcntl.LOCK_EX):
            raise BadInputError(in_use(path.parent))
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


def is_held(path: Place, say: Callable[[str], None] = _no_words) -> bool:
    """Whether some run holds its lock; asked by onlookers, without any write.

    On a disk a shared lock for a moment tells it. In an object store a lease that was not given back is watched: it
    takes a few seconds to see that its run lives, and 20 that it is dead; `say` tells of it.
    """
    if not isinstance(path, Path):
        return is_alive(path, say)
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except FileNotFoundError:
        return False
    try:
        return not _try_lock(descriptor, fcntl.LOCK_SH)
    finally:
        os.close(descriptor)


def last_session(path: Place) -> str | None:
    """Give the id of the session that holds the lock or held it last; None where no run ever did.

    A lease that was given back tells of nobody.
    """
    if not isinstance(path, Path):
        lease = read_lease(path)
        return None if lease is None else lease.session
    try:
        return path.read_text(encoding="ascii", errors="replace")
    except FileNotFoundError:
        return None


def hold_shared(path: Place) -> int:
    """Take a shared lock for the life of this process and return its descriptor.

    In an object store an actor's status tells that it lives, and the descriptor is of nothing.
    """
    if not isinstance(path, Path):
        return os.open(os.devnull, os.O_RDONLY)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    fcntl.flock(descriptor, fcntl.LOCK_SH)
    return descriptor


def wait_for_workers(path: Place, deadline_seconds: float = WORKERS_DEADLINE_SECONDS) -> None:
    """Wait until no actor of an earlier run, or of an earlier round, can append any more.

    Raises BadInputError after the deadline, naming what it waited for.
    """
    if not isinstance(path, Path):
        wait_for_quiet(path.parent, deadline_seconds)
        return
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
