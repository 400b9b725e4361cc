"""A batch: its rows, its phases, and what has become of it."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from judgeray.core.canonical import JSONValue
from judgeray.emulator.batch_row import Problem, RowDesk
from judgeray.emulator.batch_settings import Batches
from judgeray.emulator.fault_names import DOWNLOAD_FAULTS, FaultName
from judgeray.emulator.row_file import RowFile

Ending = Literal["completed", "failed", "expired", "cancelled"]
Phase = Literal["validating", "in_progress", "finalizing", "cancelling"] | Ending
ENDINGS: frozenset[str] = frozenset({"completed", "failed", "expired", "cancelled"})


@dataclass(eq=False)
class Batch:
    """One batch, the `number`th of its API.

    `tag` is OpenAI's metadata or Gemini's display name; `facts` hold what only its API knows. `faults` are
    those that it meets, with the downloads that meet them. `began` gives the time (seconds since 1970) at which it
    entered each of its phases.
    """

    id: str
    number: int
    desk: RowDesk
    rows: RowFile
    settings: Batches
    tag: JSONValue
    facts: Mapping[str, JSONValue]
    tokens: Mapping[str, int]
    problems: list[Problem]
    faults: dict[FaultName, int | None]
    output: Path
    errors: Path
    digests: Path
    ordered: bool = False
    phase: Phase = "validating"
    began: dict[Phase, float] = field(default_factory=dict)
    succeeded: int = 0
    failed: int = 0
    unfinished: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    deleted: bool = False
    uses: dict[str, int] = field(default_factory=dict)
    output_id: str | None = None
    error_id: str | None = None

    def __post_init__(self) -> None:
        self.total = len(self.rows)
        self.began["validating"] = time.time()
        self._changed = asyncio.Event()

    @property
    def api(self) -> str:
        """The name of its API."""
        return self.desk.form.api.name

    @property
    def created(self) -> float:
        """When it was created."""
        return self.began["validating"]

    @property
    def ended(self) -> bool:
        """Whether nothing more will happen to it."""
        return self.phase in ENDINGS

    @property
    def visible(self) -> bool:
        """Whether lists show it yet."""
        return not self.deleted and time.time() >= self.created + self.settings.listing_lag_seconds

    def used(self, how: str) -> None:
        """Count what a client did to it."""
        self.uses[how] = self.uses.get(how, 0) + 1

    def enter(self, phase: Phase) -> None:
        """Enter a phase."""
        self.phase = phase
        self.began[phase] = time.time()

    def cancel(self) -> None:
        """Begin to cancel, unless it has ended or is being cancelled."""
        if not self.ended and self.phase != "cancelling":
            self.enter("cancelling")
            self._changed.set()

    def interruption(self) -> Ending | None:
        """How it must end now: cancelled, or expired because its window is over."""
        if self.phase == "cancelling":
            return "cancelled"
        return "expired" if self._window_seconds() <= 0 else None

    async def pause(self, seconds: float = math.inf) -> None:
        """Wait, but not beyond an interruption."""
        try:
            await asyncio.wait_for(self._changed.wait(), max(0.0, min(seconds, self._window_seconds())))
        except TimeoutError:
            return

    def download_fault(self) -> FaultName | None:
        """The fault that the next download of its results meets."""
        for name in DOWNLOAD_FAULTS:
            left = self.faults.get(name, 0)
            if left != 0:
                self.faults[name] = None if left is None else left - 1
                return name
        return None

    def _window_seconds(self) -> float:
        return self.created + self.settings.window_seconds - time.time()
