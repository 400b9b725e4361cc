"""Which actors live, as an object store shows it: each writes its status again and again until its process ends."""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from upath import UPath

from judgeray.core.errors import BadInputError
from judgeray.storage.files import listed, read_each
from judgeray.storage.objects import remove
from judgeray.storage.place import Place

STATUS_MARK = ".status."
STATUS = f"{STATUS_MARK}json"

REMOTE_WATCH_SECONDS = 2.0
"""How often an actor looks and writes its status in an object store."""

QUIET_SECONDS = 4 * REMOTE_WATCH_SECONDS
"""An actor whose status has not changed for so long has ended, or is cut off from the storage and ends itself."""

LOOK_SECONDS = 0.5


def statuses(journal: Place) -> Mapping[str, bytes]:
    """Read the status files of all actors, by name."""
    return {path.name: data for path, data in read_each(listed(journal, STATUS))}


class StatusReader:
    """Reads the status files of a run's actors again and again, in an object store every two seconds at most."""

    def __init__(self, journal: Place) -> None:
        self._journal, self._next = journal, 0.0
        self._last: list[bytes] = []

    def read(self) -> list[bytes]:
        """Give what each actor has written last."""
        if isinstance(self._journal, Path) or time.monotonic() >= self._next:
            self._next = time.monotonic() + REMOTE_WATCH_SECONDS
            with suppress(BadInputError):  # it is display alone; the lease tells where the storage stays away
                self._last = list(statuses(self._journal).values())
        return self._last


def wait_for_quiet(replies: UPath, deadline_seconds: float) -> None:
    """Wait until no actor writes its status any more, and remove what they have written.

    Returns at once where there is no status. Raises BadInputError after the deadline, naming who still writes.
    """
    journal = replies / "journal"
    before = statuses(journal)
    start = quiet_since = time.monotonic()
    while before and time.monotonic() - quiet_since < QUIET_SECONDS:
        time.sleep(LOOK_SECONDS)
        now = statuses(journal)
        changed = [name for name, data in now.items() if before.get(name) != data]
        if changed:
            quiet_since = time.monotonic()
        if quiet_since - start > deadline_seconds:
            raise BadInputError(
                f"{journal}: workers of an earlier run still write there after {deadline_seconds:g} s "
                f"({', '.join(changed)}). End those processes, then run the same command again."
            )
        before = now
    remove(journal / name for name in before)
