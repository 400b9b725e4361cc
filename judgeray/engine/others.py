"""What was answered of a block before: Ray gives the blocks of an actor that died to another.

Each block leaves a mark before its first call. Only a block whose mark is there already has been with an actor, and
only then are the account's journals read; so no actor need remember what it has answered.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from hashlib import sha256
from pathlib import Path

from upath import UPath

from judgeray.core.errors import BadInputError
from judgeray.engine.journal import FAILURES, FOLDED, REPLIES, key_of, lines_of, reply_journals
from judgeray.engine.key_set import KeySet
from judgeray.engine.layout import RepliesFolder
from judgeray.engine.tail import Tail
from judgeray.storage.files import read_each
from judgeray.storage.objects import create
from judgeray.storage.place import Place


class Others:
    """Looks for calls that need not be asked; remembers what it has read of the journals, if it had to."""

    def __init__(self, begun: Place, new_lines: Callable[[], Iterator[bytes]]) -> None:
        self._begun, self._new_lines = begun, new_lines
        self._found = KeySet()
        self._one_at_a_time = threading.Lock()

    async def answered(self, keys: Sequence[str]) -> set[str]:
        """Which calls of a block that now begins were answered before.

        Raises BadInputError where no mark can be left or a journal cannot be read.
        """
        return await asyncio.to_thread(self._answered, keys)

    def _answered(self, keys: Sequence[str]) -> set[str]:
        if _marked(self._begun, sha256("".join(keys).encode("ascii")).hexdigest()):
            return set()
        with self._one_at_a_time:  # who comes while another reads would find that one's lines read, and not found
            for line in self._new_lines():
                self._found.add(key_of(line))
            return {key for key in keys if key in self._found}


def others_of(folder: RepliesFolder, account: str) -> Others:
    """Look in the way that the storage asks for."""
    journal = folder.journal
    if isinstance(journal, Path):
        return Others(folder.begun, Tail(journal, f"{account}-*{REPLIES}", leave_out=FAILURES).poll)
    return Others(folder.begun, partial(_new_parts, journal, (f"{account}-", FOLDED), set()))


def _marked(folder: Place, name: str) -> bool:
    """Leave a mark; False where there is one."""
    if not isinstance(folder, Path):
        return create(folder / name, b"")
    try:
        folder.mkdir(exist_ok=True)
        return _touched(folder / name)
    except OSError as error:
        raise BadInputError(f"{folder}: cannot be written: {error.strerror}") from error


def _touched(mark: Path) -> bool:
    try:
        mark.touch(exist_ok=False)
    except FileExistsError:
        return False
    return True


def _new_parts(journal: UPath, names: tuple[str, ...], read: set[str]) -> Iterator[bytes]:
    """Read the parts that were not `read` yet; one that is gone by now was folded into another, which the next
    listing shows."""
    whole = False
    while not whole:
        listed = [path for path in reply_journals(journal) if path.name.startswith(names)]
        new = [path for path in listed if path.name not in read]
        for path, data in read_each(new):
            read.add(path.name)
            yield from lines_of(data)
        whole = all(path.name in read for path in new)
