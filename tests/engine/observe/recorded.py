"""Observers' doubles: meters that remember figures, and lines kept in memory."""

from __future__ import annotations

import json
from collections import defaultdict
from typing import Any

from judgeray.engine.observe.metrics import Metric


class Recorded:
    """Meters that add up like Prometheus: by metric and tags."""

    def __init__(self) -> None:
        self.sums: dict[Metric, dict[tuple[str, ...], float]] = defaultdict(lambda: defaultdict(float))
        self.gauges: dict[Metric, dict[tuple[str, ...], float]] = defaultdict(dict)

    def add(self, metric: Metric, amount: float, **tags: str) -> None:
        """Add to a counter, as Ray does: with all tags of the metric, and for counters alone."""
        assert metric.kind == "counter"
        assert {"run", *tags} == set(metric.tags)
        self.sums[metric][tuple(tags.values())] += amount

    def put(self, metric: Metric, value: float, **tags: str) -> None:
        """Set a gauge."""
        assert metric.kind == "gauge"
        assert {"run", *tags} == set(metric.tags)
        self.gauges[metric][tuple(tags.values())] = value

    def total(self, metric: Metric) -> float:
        """A counter over all tags."""
        return sum(self.sums[metric].values())


class Kept:
    """Lines in memory; while `full`, storage takes none."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.full = False

    def write(self, line: str) -> None:
        """Keep a line."""
        if self.full:
            raise OSError(28, "No space left on device")
        self.lines.append(line)

    def close(self) -> None:
        """Nothing to close."""

    def events(self) -> list[dict[str, Any]]:
        """All lines, parsed."""
        return [json.loads(line) for line in self.lines]


class Clock:
    """Seconds that pass only when told."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        """The time."""
        return self.now
