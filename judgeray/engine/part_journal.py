"""The journal in an object store: what came within a moment is one small object, for nothing can be appended."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Protocol

from upath import UPath

from judgeray.core.errors import BadInputError
from judgeray.core.reply import Answer, Reply
from judgeray.engine.journal import FAILURES, REPLIES, JournalWriter, line_of
from judgeray.storage.objects import put
from judgeray.storage.place import Place

GATHER_SECONDS = 0.25
"""How long answers are gathered before they are written: a part costs a request and some 50 ms, however small."""


class Journal(Protocol):
    """Where answers of one actor process go. An answer counts only once `kept` has returned."""

    def append(self, answer: Answer) -> None:
        """Take one reply or failure."""
        ...

    async def kept(self) -> None:
        """Return when all that was taken so far is on storage. Raises BadInputError where it cannot be written."""
        ...

    def close(self) -> None:
        """Let go of everything."""
        ...


def open_journal(folder: Place, actor: str) -> Journal:
    """Open the journal of one actor process in the way that its storage asks for."""
    return JournalWriter(folder, actor) if isinstance(folder, Path) else PartJournal(folder, actor)


class PartJournal:
    """Writes parts `ACTOR.NUMBER.jsonl` in the background of the event loop; several may be on their way."""

    def __init__(self, folder: UPath, actor: str) -> None:
        self._folder, self._actor = folder, actor
        self._gathered: list[Answer] = []
        self._writes: set[asyncio.Task[None]] = set()
        self._number = 0
        self._problem: str | None = None

    def append(self, answer: Answer) -> None:
        """Take one reply or failure, and see to it that it is written soon."""
        self._gathered.append(answer)
        if len(self._gathered) == 1:
            task = asyncio.get_running_loop().create_task(self._write_soon())
            self._writes.add(task)
            task.add_done_callback(self._writes.discard)

    async def kept(self) -> None:
        """Return when all that was taken so far is on storage.

        Raises BadInputError where a part could not be written: its answers are lost, and no more may be asked.
        """
        if self._writes:
            await asyncio.wait(self._writes)
        if self._problem:
            raise BadInputError(self._problem)

    def close(self) -> None:
        """Nothing is open."""

    async def _write_soon(self) -> None:
        await asyncio.sleep(GATHER_SECONDS)
        answers, self._gathered = self._gathered, []
        try:
            for ending in (REPLIES, FAILURES):
                lines = [line_of(each) for each in answers if isinstance(each, Reply) == (ending == REPLIES)]
                if lines:
                    self._number += 1
                    name = f"{self._actor}.{self._number:08d}{ending}"
                    await asyncio.to_thread(put, self._folder / name, b"".join(lines))
        except BadInputError as error:
            self._problem = f"{len(answers):,} answers could not be kept: {error}"
