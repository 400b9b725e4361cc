"""What every process of a session is told of its observers: where logs lie, and what the run is called."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

from judgeray.engine.observe.event_log import EventLog
from judgeray.engine.observe.lines import open_lines
from judgeray.storage.place import Place, address


@dataclass(frozen=True)
class Observed:
    """Travels to all actors. `folder` holds this session's logs, one file per process.

    `in_ray` says that the process is Ray's, which has an agent that takes metrics.
    """

    folder: str
    run: str
    session: str
    in_ray: bool = True

    @classmethod
    def below(cls, run_folder: Place, run: str, session: str) -> Observed:
        """A session's own folder below `logs/` of its run directory, named by when it started."""
        started = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
        return cls(address(run_folder / "logs" / f"{started}-{session[:8]}"), run, session)

    def log(self, process: str, provider: str = "") -> EventLog:
        """Open the log of one process; of one provider account, where the process serves one."""
        context = {"run": self.run, "session": self.session, "process": process}
        return EventLog(
            open_lines(self.folder, process), {**context, "provider": provider} if provider else context
        )

    def limit_log(self, provider: str) -> LimitLog:
        """For whoever keeps an account's limits in a process of its own."""
        return LimitLog(self, provider)


@dataclass
class LimitLog:
    """Writes down how an account's limits change; opens its log where it was sent, with the first change."""

    observed: Observed
    provider: str
    _log: EventLog | None = field(default=None, repr=False)

    def __call__(self, change: str, factor: float, limits: Mapping[str, float]) -> None:
        """`change` is `learned BUCKET`, `busy` (the rate was cut) or `recovered`; limits are per minute."""
        if self._log is None:
            self._log = self.observed.log(f"{self.provider}-limits", self.provider)
        write_limits(self._log, change, factor, limits)


def write_limits(log: EventLog, change: str, factor: float, limits: Mapping[str, float]) -> None:
    """Write one change of an account's limits: the limits, and the share of them that is used."""
    what = {"busy": "cut"}.get(change, change)
    log.info("limit_changed", change=what, factor=factor, per_minute=dict(limits))
