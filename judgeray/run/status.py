"""How a run is: whether it goes on, ended or died, how far it came, and what keeps it from going further."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from judgeray.core.errors import BadInputError
from judgeray.engine.batches.record import BatchRecord, BatchRecords
from judgeray.engine.journal import bytes_of_replies, count_replies
from judgeray.engine.layout import RepliesFolder
from judgeray.engine.lock import is_held, last_session
from judgeray.run.mirror import PROGRESS, origin
from judgeray.run.reopen import kept_replies, replies_folder
from judgeray.storage.files import read_whole
from judgeray.storage.place import Place

State = Literal["running", "done", "interrupted", "died", "unknown"]
"""running: a command holds the replies folder. done, interrupted: so the last one ended. died: it left in the
middle of something. unknown: nothing was written down yet."""

_ENDED: tuple[Literal["done", "interrupted"], ...] = ("done", "interrupted")

_OF_NOW = ("in_flight", "calls_per_second", "eta_seconds")
"""Facts of progress.json that hold only while a run goes on."""


@dataclass(frozen=True)
class RunStatus:
    """`doing` is what progress.json said last, `since` when that was; both None where there is no such file.

    `providers` holds its facts by provider account; `waiting` counts replies in journals, of which there are
    `waiting_bytes` (in an object store, where each would have to be fetched, they are not counted: None). `stops`
    says why no further call is started, by account (None: all of them). `shared` names a replies folder that other
    runs may use.
    """

    state: State
    doing: str | None
    since: datetime | None
    providers: Mapping[str, Mapping[str, Any]]
    waiting: int | None
    waiting_bytes: int
    stops: Mapping[str | None, str]
    open_batches: tuple[BatchRecord, ...]
    shared: str | None

    @property
    def age_seconds(self) -> float | None:
        """Seconds since progress.json was written; None without one."""
        return None if self.since is None else (datetime.now(UTC) - self.since).total_seconds()


def status_of(run: Path, say: Callable[[str], None]) -> RunStatus:
    """Look at a run directory, live or dead, without disturbing it; `say` tells of a look that takes long.

    Of a run in an object store, a copy of its small files will do. Raises BadInputError for a folder that is no run
    directory, and for a progress.json that cannot be read.
    """
    if not (run / PROGRESS).is_file() and not (run / "manifest.yaml").is_file():
        raise BadInputError(f"{run}: neither progress.json nor manifest.yaml here; is this a run directory?")
    replies, shared = _replies(run)
    session = last_session(replies.run_lock)
    held = is_held(replies.run_lock, say)
    progress, since = _progress(origin(run) / PROGRESS)
    if not held and last_session(replies.run_lock) != session:  # a run began between two looks
        held = is_held(replies.run_lock, say)
    state = _state(progress.get("state"), held)
    return RunStatus(
        state=state,
        doing=progress.get("state"),
        since=since,
        providers={name: _facts(facts, state) for name, facts in progress.get("providers", {}).items()},
        waiting=count_replies(replies.journal) if isinstance(replies.journal, Path) else None,
        waiting_bytes=bytes_of_replies(replies.journal),
        stops=replies.stops(),
        open_batches=tuple(BatchRecords(replies.batches).open()),
        shared=shared,
    )


def _replies(run: Path) -> tuple[RepliesFolder, str | None]:
    """Find the replies folder; a run directory without a manifest keeps its replies in itself."""
    own = replies_folder(run, None)
    if not (run / "manifest.yaml").is_file():
        return own, None
    replies = kept_replies(run)
    return replies, None if replies.path == own.path else str(replies.path)


def _progress(path: Place) -> tuple[Mapping[str, Any], datetime | None]:
    """Read progress.json and when it was written; nothing where there is none."""
    try:
        document, written = json.loads(read_whole(path)), path.stat().st_mtime
    except FileNotFoundError:
        return {}, None
    except (OSError, ValueError) as error:
        raise BadInputError(f"{path}: cannot be read: {error}") from error
    if not isinstance(document, dict) or not isinstance(document.get("providers", {}), dict):
        raise BadInputError(f"{path}: holds something else than the progress of a run")
    return document, datetime.fromtimestamp(written, UTC)


def _state(written: str | None, held: bool) -> State:
    if held:
        return "running"
    ended = next((state for state in _ENDED if state == written), None)
    if ended:
        return ended
    return "unknown" if written is None else "died"


def _facts(facts: Mapping[str, Any], state: State) -> dict[str, Any]:
    """What is known of an account; of an ended run there is no rate and no time left."""
    return {name: value if state == "running" or name not in _OF_NOW else None for name, value in facts.items()}
