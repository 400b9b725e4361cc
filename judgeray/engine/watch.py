"""What an actor watches while it works: whether its run goes on, and whether it may start further calls."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import cast

from judgeray.core.errors import BadInputError
from judgeray.engine.layout import RepliesFolder
from judgeray.engine.lease import WORKER_DEAD_SECONDS, LeaseView
from judgeray.engine.lock import run_goes_on
from judgeray.engine.presence import REMOTE_WATCH_SECONDS
from judgeray.storage.files import write_whole
from judgeray.storage.objects import sizes
from judgeray.storage.place import Place

WATCH_SECONDS = 0.2


class Watch:
    """Polls the run's lock and stop flags, and writes the actor's status file for the progress display."""

    def __init__(
        self, folder: RepliesFolder, provider: str, session: str, status: Place, told: Callable[[str], None]
    ) -> None:
        self._folder, self._provider, self._session, self._status = folder, provider, session, status
        self._told = told
        lock = folder.run_lock
        self._lease = None if isinstance(lock, Path) else LeaseView(lock, session)
        self._looks = 0
        self.stopped = False

    def look(self) -> None:
        """Look once. A run that is gone ends this process: nothing more may be bought for it."""
        if not self._goes_on():
            os._exit(1)
        self.stopped = self.stopped or self._flagged()

    def stop_provider(self, why: str, logged: str = "") -> None:
        """Tell all actors of this provider account to start no further call; `logged` is what the log gets."""
        self.stopped = True
        self._told(logged or why)
        write_whole(self._folder.stop_flag(self._provider), why.encode("utf-8", "backslashreplace"))

    def stop_all(self, why: str) -> None:
        """Tell all actors of all accounts to start no further call."""
        self.stopped = True
        self._told(why)
        write_whole(self._folder.stop_flag(), why.encode("utf-8"))

    async def forever(self, facts: Callable[[], dict[str, int]]) -> None:
        """Look and write `facts` again and again until cancelled."""
        while True:
            told: dict[str, int | str] = {"provider": self._provider, **facts()}
            if self._lease is None:
                self.look()
                write_whole(self._status, json.dumps(told).encode("ascii"))
                await asyncio.sleep(WATCH_SECONDS)
            else:
                await self._look_from_afar(told)
                await asyncio.sleep(REMOTE_WATCH_SECONDS)

    def _goes_on(self) -> bool:
        if self._lease is not None:
            return self._lease.goes_on()
        return run_goes_on(cast("Path", self._folder.run_lock), self._session)

    def _flagged(self) -> bool:
        flags = (self._folder.stop_flag(), self._folder.stop_flag(self._provider))
        if isinstance(self._folder.path, Path):
            return any(cast("Path", flag).exists() for flag in flags)
        return not sizes(self._folder.path).keys().isdisjoint(flag.name for flag in flags)

    async def _look_from_afar(self, told: dict[str, int | str]) -> None:
        """Look in a thread; storage that does not answer at all ends this process like a run that is gone."""
        looking = asyncio.ensure_future(asyncio.to_thread(self._look_and_tell, told))
        done, _ = await asyncio.wait({looking}, timeout=WORKER_DEAD_SECONDS)
        if not done:
            os._exit(1)
        looking.result()

    def _look_and_tell(self, told: dict[str, int | str]) -> None:
        # A single look or word may be missed: the lease says when too many were.
        with suppress(BadInputError):
            self.look()
        self._looks += 1
        with suppress(BadInputError):
            write_whole(self._status, json.dumps({**told, "looks": self._looks}).encode("ascii"))
