"""A bound on lines that come with calls: what faults of 100 million calls say must not fill a disk."""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

BURST_LINES = 100
LINES_PER_SECOND = 0.5
"""Of each capped event a process writes this many lines at once, and then so many a second: at some 300 bytes a
line, 13 MB a day."""

CAPPED = frozenset({"retry", "busy", "call_failed", "limit_changed", "storage_problem"})


@dataclass
class Allowance:
    """Lines that may still be written now, and when that was reckoned."""

    lines: float
    at_seconds: float


class Cap(logging.Filter):
    """Lets through what the allowance of its event covers; the next line that passes says how many did not."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._allowances: dict[str, Allowance] = {}
        self.left_out: Counter[str] = Counter()

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether this record is written."""
        event = str(record.msg)
        if event not in CAPPED:
            return True
        if not self._allowed(event):
            self.left_out[event] += 1
            return False
        record.left_out = self.left_out.pop(event, 0)
        return True

    def _allowed(self, event: str) -> bool:
        now = self._clock()
        allowance = self._allowances.setdefault(event, Allowance(BURST_LINES, now))
        gained = (now - allowance.at_seconds) * LINES_PER_SECOND
        allowance.lines, allowance.at_seconds = min(BURST_LINES, allowance.lines + gained), now
        if allowance.lines < 1:
            return False
        allowance.lines -= 1
        return True
