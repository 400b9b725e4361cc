"""Counting what a run has done, from the journals and the ledger alone."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from judgeray.core.reply import Reply
from judgeray.engine.journal import FAILURES, REPLIES
from judgeray.engine.part_tail import follow
from judgeray.engine.presence import StatusReader
from judgeray.engine.reply_lines import from_line
from judgeray.engine.rounds import Wanted
from judgeray.storage.place import Place

RATE_WINDOW_SECONDS = 30.0

Price = Callable[[Reply], float | None]


@dataclass
class Gauge:
    """One provider account: calls wanted over the whole run, done so far, and what this session bought."""

    total: int = 0
    done: int = 0
    failed: int = 0
    in_flight: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float = 0.0
    cost_unknown: int = 0
    marks: list[tuple[float, int]] = field(default_factory=list)

    def rate_per_second(self) -> float | None:
        """Calls done per second over the last half minute; None before two readings."""
        if len(self.marks) < 2 or self.marks[-1][0] <= self.marks[0][0]:
            return None
        (start, before), (end, after) = self.marks[0], self.marks[-1]
        return (after - before) / (end - start)

    def eta_seconds(self) -> float | None:
        """Time left at the present rate; None where there is no rate."""
        rate = self.rate_per_second()
        return (self.total - self.done - self.failed) / rate if rate else None


class Meter:
    """Follows the journals of a run; `gauges` are by provider account."""

    def __init__(self, journal: Place, price: Price) -> None:
        self._statuses, self._price = StatusReader(journal), price
        self._replies = follow(journal, REPLIES, leave_out=FAILURES)
        self._failures = follow(journal, FAILURES)
        self.gauges: dict[str, Gauge] = {}

    def begin(self, wanted: Wanted) -> None:
        """Take in what a round wants and what was known before it."""
        for name in {*wanted.known, *wanted.counts, *wanted.in_batches}:
            gauge = self.gauges.setdefault(name, Gauge())
            gauge.done = wanted.known.get(name, 0)
            gauge.total = gauge.done + wanted.counts.get(name, 0) + wanted.in_batches.get(name, 0)
            gauge.failed, gauge.marks = 0, []

    def read(self, at_once: bool = False) -> None:
        """Take in what was journaled since; an object store is asked every two seconds at most, or `at_once`."""
        for line in self._replies.poll(at_once):
            self._add(from_line(line))
        for line in self._failures.poll(at_once):
            name = str(json.loads(line)["provider"])
            self.gauges[name].failed += 1
        self._read_status()
        now = time.monotonic()
        for gauge in self.gauges.values():
            gauge.marks.append((now, gauge.done))
            while len(gauge.marks) > 2 and gauge.marks[1][0] < now - RATE_WINDOW_SECONDS:
                gauge.marks.pop(0)

    def _add(self, reply: Reply) -> None:
        gauge = self.gauges.setdefault(reply.provider, Gauge())
        gauge.done += 1
        gauge.input_tokens += reply.usage.input_tokens or 0
        gauge.output_tokens += reply.usage.output_tokens or 0
        cost = self._price(reply)
        gauge.cost_usd += cost or 0.0
        gauge.cost_unknown += cost is None

    def _read_status(self) -> None:
        for gauge in self.gauges.values():
            gauge.in_flight = 0
        for text in self._statuses.read():
            facts = json.loads(text)
            if facts["provider"] in self.gauges:
                self.gauges[facts["provider"]].in_flight += facts.get("in_flight", 0)
