"""Reading a Ray node's metrics as Prometheus does."""

from __future__ import annotations

import time
import urllib.request
from dataclasses import dataclass, field

from prometheus_client.parser import text_string_to_metric_families

from judgeray.engine.observe.metrics import Metric

DEADLINE_SECONDS = 45.0
Series = dict[tuple[str, frozenset[tuple[str, str]]], float]
"""Values by name and labels."""


@dataclass
class Scraper:
    """Scrapes the node on this machine; of each series of a run it remembers the last and the highest value."""

    port: int
    run: str
    text: str = ""
    last: Series = field(default_factory=dict)
    highest: Series = field(default_factory=dict)

    def scrape(self) -> None:
        """Read the endpoint once."""
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(f"http://127.0.0.1:{self.port}/metrics", timeout=10) as answer:
            self.text = answer.read().decode("utf-8")
        self.last = {
            (sample.name, frozenset(sample.labels.items())): sample.value
            for family in text_string_to_metric_families(self.text)
            for sample in family.samples
            if sample.labels.get("run") == self.run
        }
        for series, value in self.last.items():
            self.highest[series] = max(value, self.highest.get(series, value))

    def total(self, metric: Metric, **labels: str) -> float:
        """Sum over all series of a metric that have these labels, as last scraped."""
        return sum(_values(self.last, metric, labels))

    def peak(self, metric: Metric, **labels: str) -> float:
        """The highest value that any such series ever had."""
        return max(_values(self.highest, metric, labels), default=0)

    def scrape_until(self, metric: Metric, total: float) -> None:
        """Scrape until a metric has reached a total."""
        end = time.monotonic() + DEADLINE_SECONDS
        self.scrape()
        while self.total(metric) < total:
            assert time.monotonic() < end, f"{metric.name}: {self.total(metric)} of {total}"
            time.sleep(0.5)
            self.scrape()


def _values(series: Series, metric: Metric, labels: dict[str, str]) -> list[float]:
    wanted = labels.items()
    return [
        value
        for (name, has), value in series.items()
        if name == f"ray_{metric.name}" and wanted <= dict(has).items()
    ]
