"""What an actor watches while it works: whether its run goes on, and whether it may start further calls."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable
from pathlib import Path

from judgeray.engine.layout import RepliesFolder
from judgeray.engine.lock import run_goes_on

WATCH_SECONDS = 0.2
STATUS = ".status.json"
STATUS_FILES = "*.status.*"


class Watch:
    """Polls the run's lock and stop flags, and writes the actor's status file for the progress display."""

    def __init__(
        self, folder: RepliesFolder, provider: str, session: str, status: Path, told: Callable[[str], None]
    ) -> None:
        self._folder, self._provider, self._session, self._status = folder, provider, session, status
        self._told = told
        self.stopped = False

    def look(self) -> None:
        """Look once. A run that is gone ends this process: nothing more may be bought for it."""
        if not run_goes_on(self._folder.run_lock, self._session):
            os._exit(1)
        flags = (self._folder.stop_flag(), self._folder.stop_flag(self._provider))
        self.stopped = any(flag.exists() for flag in flags)

    def stop_provider(self, why: str, logged: str = "") -> None:
        """Tell all actors of this provider account to start no further call; `logged` is what the log gets."""
        self.stopped = True
        self._told(logged or why)
        self._folder.stop_flag(self._provider).write_text(why, encoding="utf-8", errors="backslashreplace")

    def stop_all(self, why: str) -> None:
        """Tell all actors of all accounts to start no further call."""
        self.stopped = True
        self._told(why)
        self._folder.stop_flag().write_text(why, encoding="utf-8")

    async def forever(self, facts: Callable[[], dict[str, int]]) -> None:
        """Look and write `facts` again and again until cancelled."""
        while True:
            self.look()
            hidden = self._status.with_suffix(".tmp")
            hidden.write_text(json.dumps({"provider": self._provider, **facts()}), encoding="ascii")
            hidden.replace(self._status)
            await asyncio.sleep(WATCH_SECONDS)
