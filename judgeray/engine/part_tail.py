"""Following the journal's parts in an object store, and folding them, so that listings stay short."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

from upath import UPath

from judgeray.core.errors import BadInputError
from judgeray.engine.journal import FOLDED, lines_of
from judgeray.engine.tail import Tail
from judgeray.storage.objects import get_all, put, remove, sizes
from judgeray.storage.place import Place

POLL_SECONDS = 2.0
FOLD_PARTS, FOLD_BYTES = 1_000, 64 * 1024 * 1024
"""From so many parts on they are put together, into objects of at most about so many bytes."""


def follow(folder: Place, ending: str, leave_out: str = "") -> Tail | PartTail:
    """Follow the files of a folder whose names end so, in the way that the storage asks for; for the driver."""
    if isinstance(folder, Path):
        return Tail(folder, f"*{ending}", leave_out)
    return PartTail(folder, ending, leave_out)


class PartTail:
    """Yields the lines of each part once. Parts never change, so a name that was seen is done with."""

    def __init__(self, folder: UPath, ending: str, leave_out: str = "") -> None:
        self._folder, self._ending, self._leave_out = folder, ending, leave_out
        self._seen: set[str] = set()
        self._next = 0.0

    def poll(self, at_once: bool = False) -> Iterator[bytes]:
        """Read what is new; every two seconds at most, unless it must be `at_once`.

        Raises BadInputError where it must be at once and the storage does not answer.
        """
        if not at_once and time.monotonic() < self._next:
            return
        self._next = time.monotonic() + POLL_SECONDS
        try:
            parts = {name: size for name, size in sizes(self._folder).items() if self._is_one(name)}
            for part, data in get_all([self._folder / name for name in sorted(parts.keys() - self._seen)]):
                self._seen.add(part.name)
                yield from lines_of(data or b"")
            if len(parts) >= FOLD_PARTS:
                self._fold(parts)
        except BadInputError:
            if at_once:  # else it is display alone; the lease tells where the storage stays away
                raise

    def _is_one(self, name: str) -> bool:
        return name.endswith(self._ending) and not (self._leave_out and name.endswith(self._leave_out))

    def _fold(self, parts: dict[str, int]) -> None:
        """Put small parts together. What replaces them is there before they go; a crash between doubles lines."""
        group: list[str] = []
        for name in sorted(parts):
            if parts[name] < FOLD_BYTES // 2:
                group.append(name)
            if sum(parts[each] for each in group) >= FOLD_BYTES:
                self._join(group)
                group = []
        if len(group) > 1:
            self._join(group)

    def _join(self, group: list[str]) -> None:
        name = f"{FOLDED}{uuid4().hex}{self._ending}"
        places = [self._folder / each for each in group]
        self._seen.add(name)
        put(self._folder / name, b"".join(data or b"" for _, data in get_all(places)))
        remove(places)
        self._seen.difference_update(group)
