"""How a run is: whether it goes on, ended or died, how far it came, and what keeps it from going further."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from judgeray.core.errors import BadInputError
from judgeray.engine.batches.record import BatchRecord, BatchRecords
from judgeray.engine.journal import count_replies
from judgeray.engine.layout import RepliesFolder
from judgeray.engine.lock import is_held
from judgeray.run.reopen import kept_replies

State = Literal["running", "done", "interrupted", "died", "unknown"]
"""running: a command holds the replies folder. done, interrupted: so the last one ended. died: it left in the
middle of something. unknown: nothing was written down yet."""

_ENDED: tuple[Literal["done", "interrupted"], ...] = ("done", "interrupted")

_OF_NOW = ("in_flight", "calls_per_second", "eta_seconds")
"""Facts of progress.json that hold only while a run goes on."""


@dataclass(frozen=True)
class RunStatus:
    """`doing` is what progress.json said last, `since` when that was; both None where there is no such file.

    `providers` holds its facts by provider account; `waiting` counts replies in journals, `stops` says why no
    further call is started, by account (None: all of them). `shared` names a replies folder that other runs may
    use.
    """

    state: State
    doing: str | None
    since: datetime | None
    providers: Mapping[str, Mapping[str, Any]]
    waiting: int
    stops: Mapping[str | None, str]
    open_batches: tuple[BatchRecord, ...]
    shared: str | None

    @property
    def age_seconds(self) -> float | None:
        """Seconds since progress.json was written; None without one."""
        return None if self.since is None else (datetime.now(UTC) - self.since).total_seconds()


def status_of(run: Path) -> RunStatus:
    """Look at a run directory, live or dead, without disturbing it.

    Raises BadInputError for a folder that is no run directory, and for a progress.json that cannot be read.
    """
    path = run / "progress.json"
    if not path.is_file() and not (run / "manifest.yaml").is_file():
        raise BadInputError(f"{run}: neither progress.json nor manifest.yaml here; is this a run directory?")
    replies, shared = _replies(run)
    held = is_held(replies.run_lock)
    progress, since = _progress(path)
    state = _state(progress.get("state"), replies, held)
    return RunStatus(
        state=state,
        doing=progress.get("state"),
        since=since,
        providers={name: _facts(facts, state) for name, facts in progress.get("providers", {}).items()},
        waiting=count_replies(replies.journal),
        stops=replies.stops(),
        open_batches=tuple(BatchRecords(replies.batches).open()),
        shared=shared,
    )


def _replies(run: Path) -> tuple[RepliesFolder, str | None]:
    """Find the replies folder; a run directory without a manifest keeps its replies in itself."""
    own = run / "replies"
    if not (run / "manifest.yaml").is_file():
        return RepliesFolder(own), None
    replies = kept_replies(run)
    return replies, None if replies.path == own else str(replies.path)


def _progress(path: Path) -> tuple[Mapping[str, Any], datetime | None]:
    """Read progress.json and when it was written; nothing where there is none."""
    try:
        document, written = json.loads(path.read_text(encoding="utf-8")), path.stat().st_mtime
    except FileNotFoundError:
        return {}, None
    except (OSError, ValueError) as error:
        raise BadInputError(f"{path}: cannot be read: {error}") from error
    if not isinstance(document, dict) or not isinstance(document.get("providers", {}), dict):
        raise BadInputError(f"{path}: holds something else than the progress of a run")
    return document, datetime.fromtimestamp(written, UTC)


def _state(written: str | None, replies: RepliesFolder, held: bool) -> State:
    if held:
        return "running"
    ended = next((state for state in _ENDED if state == written), None)
    if ended:
        return ended
    if written is None:
        return "unknown"
    return "running" if is_held(replies.run_lock) else "died"  # it may have begun between two looks


def _facts(facts: Mapping[str, Any], state: State) -> dict[str, Any]:
    """What is known of an account; of an ended run there is no rate and no time left."""
    return {name: value if state == "running" or name not in _OF_NOW else None for name, value in facts.items()}
