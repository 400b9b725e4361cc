"""The progress display: a live table on a terminal, plain lines elsewhere, and progress.json for programs."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from pathlib import Path

from rich.console import Console
from rich.live import Live
from rich.table import Table

from judgeray.engine.meter import Gauge
from judgeray.storage.files import write_whole

LINE_SECONDS = 10.0
REFRESH_SECONDS = 0.5


class Display:
    """Shows the gauges of all provider accounts."""

    def __init__(self, console: Console, progress_file: Path) -> None:
        self._console, self._file = console, progress_file
        self._live = Live(console=console, auto_refresh=False, transient=True) if console.is_terminal else None
        self._next_line = 0.0

    def __enter__(self) -> Display:
        if self._live:
            self._live.start()
        self._next_line = time.monotonic() + LINE_SECONDS
        return self

    def __exit__(self, *_: object) -> None:
        if self._live:
            self._live.stop()

    def say(self, text: str) -> None:
        """Print a line of plain text above the table."""
        self._console.print(text, highlight=False, markup=False, soft_wrap=True)

    def show(self, gauges: Mapping[str, Gauge], state: str) -> None:
        """Refresh the table or, not on a terminal, print a line per account now and then."""
        write_progress(self._file, gauges, state)
        if self._live:
            self._live.update(progress_table(gauges), refresh=True)
        elif time.monotonic() >= self._next_line:
            self._next_line = time.monotonic() + LINE_SECONDS
            for name in sorted(gauges):
                self._console.print(
                    progress_line(name, gauges[name]), highlight=False, markup=False, soft_wrap=True
                )


def progress_line(name: str, gauge: Gauge) -> str:
    """One account in one line of plain text."""
    return (
        f"{name}: {gauge.done:,} of {gauge.total:,} calls, {gauge.in_flight} in flight, {gauge.failed} failed, "
        f"{_rate(gauge)}, {gauge.input_tokens + gauge.output_tokens:,} tokens, {_cost(gauge)}, {_eta(gauge)} left"
    )


def progress_table(gauges: Mapping[str, Gauge]) -> Table:
    """All accounts as a table."""
    table = Table(box=None, pad_edge=False)
    table.add_column("provider")
    for title in ("done", "total", "in flight", "failed", "rate", "tokens", "cost", "left"):
        table.add_column(title, justify="right")
    for name in sorted(gauges):
        gauge = gauges[name]
        counts = (gauge.done, gauge.total, gauge.in_flight, gauge.failed)
        tokens = f"{gauge.input_tokens + gauge.output_tokens:,}"
        table.add_row(name, *(f"{n:,}" for n in counts), _rate(gauge), tokens, _cost(gauge), _eta(gauge))
    return table


def write_progress(path: Path, gauges: Mapping[str, Gauge], state: str) -> None:
    """Write progress.json: the state and one entry per account.

    The state is planning, answering, stopping or finishing while a run goes on, and done or interrupted at its end.
    """
    facts = {
        name: {
            "done": gauge.done,
            "total": gauge.total,
            "failed": gauge.failed,
            "in_flight": gauge.in_flight,
            "input_tokens": gauge.input_tokens,
            "output_tokens": gauge.output_tokens,
            "cost_usd": None if gauge.cost_unknown else round(gauge.cost_usd, 6),
            "calls_per_second": gauge.rate_per_second(),
            "eta_seconds": gauge.eta_seconds(),
        }
        for name, gauge in sorted(gauges.items())
    }
    text = json.dumps({"state": state, "providers": facts}, indent=2)
    write_whole(path, f"{text}\n".encode("ascii"))


def _rate(gauge: Gauge) -> str:
    rate = gauge.rate_per_second()
    return "-/s" if rate is None else f"{rate:,.0f}/s" if rate >= 10 else f"{rate:.1f}/s"


def _cost(gauge: Gauge) -> str:
    if gauge.cost_unknown:
        return "$?"
    return f"${gauge.cost_usd:,.2f}"


def _eta(gauge: Gauge) -> str:
    seconds = gauge.eta_seconds()
    if seconds is None:
        return "-"
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02d}:{rest:02d}"
