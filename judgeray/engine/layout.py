"""Where things lie in a run directory and in a replies folder."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, unquote


@dataclass(frozen=True)
class RepliesFolder:
    """A folder of replies; several runs may share it, one after the other.

    `journal/` holds what actors append while a run lasts, `ledger/` the compacted Parquet, `spool/` the calls
    wanted in the current round.
    """

    path: Path

    @property
    def journal(self) -> Path:
        """Journals, one per actor process: `*.jsonl` for replies, `*.failures.jsonl` for failures."""
        return self.path / "journal"

    @property
    def ledger(self) -> Path:
        """Compacted replies: `provider=P/model=M/*.parquet`."""
        return self.path / "ledger"

    @property
    def spool(self) -> Path:
        """Calls wanted in the current round, one folder per provider account."""
        return self.path / "spool"

    @property
    def run_lock(self) -> Path:
        """Held by the one run that uses the folder; its text is that run's session id."""
        return self.path / "run.lock"

    @property
    def workers_lock(self) -> Path:
        """Held (shared) by every actor that may still append to a journal."""
        return self.path / "workers.lock"

    @property
    def batches(self) -> Path:
        """Records of all batches, beside the replies folder: `TAG.json` and the calls of each in `TAG.parquet`."""
        return self.path.parent / "batches"

    def stop_flag(self, provider: str | None = None) -> Path:
        """Exists while actors (of one provider account, or all) may start no further call; its text says why."""
        return self.path / ("stop" if provider is None else f"stop.{quote(provider, safe='')}")

    def partition(self, provider: str, model: str) -> Path:
        """Ledger folder of one model at one provider account."""
        return self.ledger / f"provider={quote(provider, safe='')}" / f"model={quote(model, safe='')}"

    def limits_history(self, provider: str) -> Path:
        """What was learned of an account's limits, one JSON line per change."""
        return self.path / "limits" / f"{quote(provider, safe='')}.jsonl"

    def stops(self) -> dict[str | None, str]:
        """Why actors may start no further call, by provider account; under None what holds for all of them."""
        flags: dict[str | None, Path] = {None: self.stop_flag()}
        for path in sorted(self.path.glob("stop.*")):
            flags[unquote(path.name.removeprefix("stop."))] = path
        found: dict[str | None, str] = {}
        for name, flag in flags.items():
            with suppress(FileNotFoundError):  # a run that begins removes them
                found[name] = flag.read_text(encoding="utf-8", errors="replace")
        return found

    def clear_flags(self) -> None:
        """Remove the stop flags of an earlier session."""
        for flag in [self.stop_flag(), *self.path.glob("stop.*")]:
            flag.unlink(missing_ok=True)

    def make(self) -> None:
        """Create all folders."""
        for folder in (self.journal, self.ledger, self.spool, self.path / "limits"):
            folder.mkdir(parents=True, exist_ok=True)
