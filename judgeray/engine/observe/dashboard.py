"""The Grafana dashboard that shows the metrics of runs."""

from __future__ import annotations

from importlib.resources import files

FILE = "grafana_dashboard.json"


def dashboard_text() -> str:
    """The dashboard as Grafana imports it; it asks for a Prometheus that scrapes the Ray nodes."""
    return (files("judgeray.engine.observe") / FILE).read_text(encoding="utf-8")
