"""Metrics of this process, given to the agent of its Ray node, where Prometheus reads them."""

from __future__ import annotations

from typing import Protocol

from ray.util.metrics import Counter, Gauge

from judgeray.engine.observe.metrics import Metric


class Meters(Protocol):
    """Takes sums and states; tags beyond `run` are given each time."""

    def add(self, metric: Metric, amount: float, **tags: str) -> None:
        """Add to a counter."""
        ...

    def put(self, metric: Metric, value: float, **tags: str) -> None:
        """Set a gauge; it is forgotten some seconds after it was last set."""
        ...


class RayMetrics:
    """Measured at 4 to 7 microseconds a figure: for sums, now and then, never for single calls.

    Ray must have been started before this is used.
    """

    def __init__(self, run: str) -> None:
        self._run = run
        self._counters: dict[tuple[str, ...], Counter] = {}
        self._gauges: dict[tuple[str, ...], Gauge] = {}

    def add(self, metric: Metric, amount: float, **tags: str) -> None:
        """See `Meters.add`; Ray takes no zero."""
        if amount <= 0:
            return
        series = (metric.name, *tags.values())
        if series not in self._counters:
            # With all tags as defaults Ray has nothing to merge each time; one name may be made many times.
            counter = self._counters[series] = Counter(metric.name, metric.about, metric.tags)
            counter.set_default_tags({"run": self._run, **tags})
        self._counters[series].inc(amount)

    def put(self, metric: Metric, value: float, **tags: str) -> None:
        """See `Meters.put`."""
        series = (metric.name, *tags.values())
        if series not in self._gauges:
            gauge = self._gauges[series] = Gauge(metric.name, metric.about, metric.tags)
            gauge.set_default_tags({"run": self._run, **tags})
        self._gauges[series].set(value)
