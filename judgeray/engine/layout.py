"""Where things lie in a run directory and in a replies folder."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from urllib.parse import quote, unquote

from judgeray.engine.ledger_files import CopiedLedger, LedgerInPlace
from judgeray.storage.files import discard, discard_folder, listed, make_folder, read_whole
from judgeray.storage.place import Place, address


@dataclass(frozen=True)
class RepliesFolder:
    """A folder of replies, on a path that all nodes see or in an object store; several runs may share it, one after
    the other.

    `journal/` holds what actors append while a run lasts, `ledger/` the compacted Parquet, `spool/` the calls
    wanted in the current round.
    """

    path: Place

    @property
    def address(self) -> str:
        """The folder as actors on other nodes are told of it; `place_of` reads it."""
        return address(self.path)

    @property
    def journal(self) -> Place:
        """Journals: `*.jsonl` for replies, `*.failures.jsonl` for failures.

        One of each per actor process; in an object store, where nothing can be appended to, one per part.
        """
        return self.path / "journal"

    @property
    def ledger(self) -> Place:
        """Compacted replies: `provider=P/model=M/*.parquet`."""
        return self.path / "ledger"

    @property
    def spool(self) -> Place:
        """Calls wanted in the current round, one folder per provider account."""
        return self.path / "spool"

    @property
    def run_lock(self) -> Place:
        """Held by the one run that uses the folder: a locked file with its session id, or a lease that beats."""
        return self.path / ("run.lock" if isinstance(self.path, Path) else "run.lease")

    @property
    def workers_lock(self) -> Place:
        """Held (shared) by every actor that may still append to a journal."""
        return self.path / "workers.lock"

    @property
    def batches(self) -> Place:
        """Records of all batches, beside the replies folder: `TAG.json` and the calls of each in `TAG.parquet`."""
        return self.path.parent / "batches"

    @property
    def begun(self) -> Place:
        """Marks of blocks that an actor has begun."""
        return self.path / "begun"

    @cached_property
    def ledger_files(self) -> LedgerInPlace | CopiedLedger:
        """The files of the ledger as this process reads and writes them; shared by all that have this object."""
        return LedgerInPlace() if isinstance(self.path, Path) else CopiedLedger(self.path / "ledger")

    def stop_flag(self, provider: str | None = None) -> Place:
        """Exists while actors (of one provider account, or all) may start no further call; its text says why."""
        return self.path / ("stop" if provider is None else f"stop.{quote(provider, safe='')}")

    def stopped(self, provider: str | None = None) -> str | None:
        """Read why actors (of one provider account, or all) may start no further call; None while they may."""
        try:
            return read_whole(self.stop_flag(provider)).decode("utf-8")
        except FileNotFoundError:
            return None

    def partition(self, provider: str, model: str) -> Place:
        """Ledger folder of one model at one provider account."""
        return self.ledger / f"provider={quote(provider, safe='')}" / f"model={quote(model, safe='')}"

    def limits_history(self, provider: str) -> Place:
        """What was learned of an account's limits, one JSON line per change."""
        return self.path / "limits" / f"{quote(provider, safe='')}.jsonl"

    def stops(self) -> dict[str | None, str]:
        """Why actors may start no further call, by provider account; under None what holds for all of them."""
        found: dict[str | None, str] = {}
        for flag in self._stop_flags():
            name = None if flag == self.stop_flag() else unquote(flag.name.removeprefix("stop."))
            with suppress(FileNotFoundError):  # a run that begins removes them
                found[name] = read_whole(flag).decode("utf-8", "replace")
        return found

    def clear_flags(self) -> None:
        """Remove the stop flags of an earlier session, and its marks."""
        discard(self._stop_flags())
        discard_folder(self.begun)

    def _stop_flags(self) -> list[Place]:
        return [self.stop_flag(), *(path for path in listed(self.path, "") if path.name.startswith("stop."))]

    def make(self) -> None:
        """Create all folders; an object store needs none."""
        for folder in (self.journal, self.ledger, self.spool, self.path / "limits"):
            make_folder(folder)
