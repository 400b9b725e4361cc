"""A lease: the lock of an object store, an object that its holder keeps changing for as long as it lives.

Clocks of two machines are never compared: whoever looks counts the seconds since it last saw the lease change.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass

from upath import UPath

from judgeray.core.errors import BadInputError
from judgeray.storage.objects import create, get, put, remove

BEAT_SECONDS = 5.0
DEAD_SECONDS = 20.0
"""A lease that has not changed for so long, while it was watched, may be taken over."""

WORKER_DEAD_SECONDS = 25.0
"""An actor that has not seen its run's lease change for so long ends itself."""

LOOK_SECONDS = 1.0
SETTLE_SECONDS = 3.0
"""Between taking a dead lease over and looking whether somebody else did so in the same moment."""

EXIT_TAKEN_OVER = 3


@dataclass(frozen=True)
class Lease:
    """Who holds the replies folder, and how often it has said that it lives."""

    session: str
    beat: int = 0

    def to_bytes(self) -> bytes:
        """The object's content."""
        return json.dumps(asdict(self)).encode("ascii")


def end_process(why: str) -> None:
    """End this process at once, as a crash would: another run may buy by now."""
    print(f"{why} Every reply that was kept is there; the same command continues.", file=sys.stderr, flush=True)
    os._exit(EXIT_TAKEN_OVER)


@contextmanager
def hold_lease(
    path: UPath, session: str, say: Callable[[str], None], lost: Callable[[str], None] = end_process
) -> Iterator[None]:
    """Hold the lease for one run. `lost` is called, in a thread, once the run may not go on.

    Raises BadInputError where another run holds it and lives; that takes up to 20 seconds to see.
    """
    _acquire(path, session, say)
    ended = threading.Event()
    beating = threading.Thread(target=_beat, args=(path, session, ended, lost), name="lease", daemon=True)
    beating.start()
    try:
        yield
    finally:
        ended.set()
        beating.join(DEAD_SECONDS)
        _give_back(path, session)


def read_lease(path: UPath) -> Lease | None:
    """Read a lease; None where there is none."""
    data = get(path)
    return None if data is None else Lease(**json.loads(data))


def is_alive(path: UPath, say: Callable[[str], None]) -> bool:
    """Whether a run holds a lease and beats, for onlookers: watched for up to 20 seconds, which `say` tells of."""
    found = read_lease(path)
    if found is None:
        return False
    say(f"{path}: a run has held this folder; watching for up to {DEAD_SECONDS:g} s whether it lives ...")
    return _changes(path, found)


class LeaseView:
    """How an actor sees its run's lease."""

    def __init__(self, path: UPath, session: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._path, self._session, self._clock = path, session, clock
        self._beat, self._changed_at = -1, clock()

    def goes_on(self) -> bool:
        """Whether the run still holds its lease and beats, as far as this node can see."""
        try:
            lease = read_lease(self._path)
        except BadInputError:
            lease = Lease(self._session, self._beat)
        if lease is None or lease.session != self._session:
            return False
        if lease.beat != self._beat:
            self._beat, self._changed_at = lease.beat, self._clock()
        return self._clock() - self._changed_at < WORKER_DEAD_SECONDS


def _acquire(path: UPath, session: str, say: Callable[[str], None]) -> None:
    mine = Lease(session)
    while not create(path, mine.to_bytes()):
        found = read_lease(path)
        if found is None:
            continue
        if found == mine:  # written by a try whose answer was lost
            return
        say(f"{path}: another run has held this folder; watching for {DEAD_SECONDS:g} s whether it lives ...")
        if _changes(path, found):
            raise BadInputError(in_use(path.parent))
        if read_lease(path) is not None:
            _take_over(path, found, mine)
            say(f"{path}: that run is dead; this one has taken over.")
            return


def _changes(path: UPath, found: Lease) -> bool:
    """Watch a lease until it changes or is surely dead; one that is given back does not count as changed."""
    end = time.monotonic() + DEAD_SECONDS
    while time.monotonic() < end:
        time.sleep(LOOK_SECONDS)
        lease = read_lease(path)
        if lease is None:
            return False
        if lease != found:
            return True
    return False


def _take_over(path: UPath, found: Lease, mine: Lease) -> None:
    """Write over a dead lease. Of several runs that do so in one moment, the last to write has it."""
    if read_lease(path) == found:
        put(path, mine.to_bytes())
        time.sleep(SETTLE_SECONDS)
        if read_lease(path) == mine:
            return
    raise BadInputError(in_use(path.parent))


def _give_back(path: UPath, session: str) -> None:
    """Remove the lease; one that stays for want of an answer costs the next run its watch, and nothing else."""
    with suppress(BadInputError):
        lease = read_lease(path)
        if lease is not None and lease.session == session:
            remove([path])


def _beat(path: UPath, session: str, ended: threading.Event, lost: Callable[[str], None]) -> None:
    beat, written_at = 0, time.monotonic()
    while not ended.wait(BEAT_SECONDS):
        try:
            found = read_lease(path)
            if found is None or found.session != session:
                lost(f"{path}: another run has taken this replies folder over.")
                return
            beat += 1
            put(path, Lease(session, beat).to_bytes())
            written_at = time.monotonic()
        except BadInputError as error:
            if time.monotonic() - written_at > DEAD_SECONDS:
                lost(f"The run's lease could not be renewed for {DEAD_SECONDS:g} s: {error}")
                return


def in_use(folder: object) -> str:
    """Say that a replies folder is taken."""
    return (
        f"{folder}: another run is using this replies folder. Wait for it, or give this run its own with "
        "--output or replies:."
    )
