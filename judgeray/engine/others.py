"""What other actors of an account have answered of a block already: Ray gives a dead actor's blocks to others."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Protocol

from upath import UPath

from judgeray.engine.journal import FAILURES, FOLDED, REPLIES, key_of, lines_of, reply_journals
from judgeray.engine.layout import RepliesFolder
from judgeray.engine.tail import Tail
from judgeray.storage.files import read_each
from judgeray.storage.objects import create
from judgeray.storage.place import Place


class Others(Protocol):
    """Looks for calls that need not be asked."""

    async def answered(self, keys: Sequence[str]) -> set[str]:
        """Keys that others have answered since this was last asked, those of the block among them."""
        ...


def others_of(folder: RepliesFolder, account: str) -> Others:
    """Look in the way that the storage asks for."""
    journal = folder.journal
    if isinstance(journal, Path):
        return Journals(Tail(journal, f"{account}-*{REPLIES}", leave_out=FAILURES))
    return BegunBlocks(journal, folder.begun, account)


class Journals:
    """On a disk, the ends of all journals of the account are read before each block: that costs next to nothing."""

    def __init__(self, tail: Tail) -> None:
        self._tail = tail

    async def answered(self, keys: Sequence[str]) -> set[str]:
        """Read what is new."""
        del keys
        return {key_of(line) for line in self._tail.poll()}


class BegunBlocks:
    """In an object store, each block leaves a mark before its first call; only a block with a mark has been with
    another actor, and only then is it worth its requests to read the account's journals."""

    def __init__(self, journal: UPath, begun: Place, account: str) -> None:
        self._journal, self._begun = journal, begun
        self._names = (f"{account}-", FOLDED)
        self._read: set[str] = set()

    async def answered(self, keys: Sequence[str]) -> set[str]:
        """Leave the mark; where there is one already, read what is new in the journals."""
        return await asyncio.to_thread(self._answered, keys)

    def _answered(self, keys: Sequence[str]) -> set[str]:
        mark = self._begun / sha256("".join(keys).encode("ascii")).hexdigest()
        found: set[str] = set()
        if isinstance(mark, Path) or create(mark, b""):
            return found
        whole = False
        while not whole:
            new = [path for path in reply_journals(self._journal) if self._is_new(path.name)]
            for path, data in read_each(new):
                self._read.add(path.name)
                found.update(key_of(line) for line in lines_of(data))
            # A part that is gone by now was folded into another, which the next listing shows.
            whole = all(path.name in self._read for path in new)
        return found

    def _is_new(self, name: str) -> bool:
        return name.startswith(self._names) and name not in self._read
