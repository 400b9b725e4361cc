"""How long the analysis of a log the size of study 1 takes: 3 datasets x 400 rows x 14 arms, 10,000 resamples.

    PYTHONPATH=. python tests/benchmarks/bench_analysis.py [--runs N] [--json PATH]

Builds 16,800 rows, then times reading, laying out, every table and the Markdown report, imports left out and
resampling plans drawn anew in every run. Prints the median run of each step, wall clock beside processor time (on
a machine that others load, the latter tells more), and the sum against its target.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from judgeray.analysis import read_log
from judgeray.analysis.grid import grid_of
from judgeray.analysis.tables import TABLES
from judgeray.report.facts import facts_of
from judgeray.report.markdown import markdown_report
from judgeray.stats.draws import forget_plans
from tests.benchmarks.synthetic_log import write_log

QUESTIONS = 200
TARGET_SECONDS = 0.5

Run = dict[str, tuple[float, float]]
"""Wall and processor seconds of each step."""

T = TypeVar("T")


def main() -> None:
    """Measure, print and, where asked to, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5, help="runs of which the median counts")
    parser.add_argument("--json", type=Path, help="file to write the seconds to")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        write_log(Path(folder), QUESTIONS)
        _measured(Path(folder))  # what is loaded on first use is loaded
        found = _medians([_measured(Path(folder)) for _ in range(given.runs)])
    for name, (wall, processor) in found.items():
        print(f"{name:24}{wall:8.3f} s {processor:8.3f} s processor")
    print(f"{'target of the total':24}{TARGET_SECONDS:8.3f} s")
    if given.json:
        seconds = {name: {"wall": wall, "processor": processor} for name, (wall, processor) in found.items()}
        given.json.write_text(json.dumps({"target_seconds": TARGET_SECONDS, "seconds": seconds}, indent=1) + "\n")


def _measured(folder: Path) -> Run:
    """Time the steps of one analysis from cold."""
    forget_plans()
    run: Run = {}
    log = _timed(run, "read_log", lambda: read_log(folder))
    grid = _timed(run, "grid_of", lambda: grid_of(log))
    tables = {name: _timed(run, name, lambda table=table: table(grid)) for name, table in TABLES.items()}  # type: ignore[misc]
    _timed(run, "report", lambda: markdown_report(tables, facts_of(log, "bench")))
    totals = [sum(seconds[clock] for seconds in run.values()) for clock in (0, 1)]
    return run | {"total": (totals[0], totals[1])}


def _timed(run: Run, name: str, work: Callable[[], T]) -> T:
    wall, processor = time.perf_counter(), time.process_time()
    result = work()
    run[name] = time.perf_counter() - wall, time.process_time() - processor
    return result


def _medians(runs: list[Run]) -> Run:
    return {
        name: (statistics.median(run[name][0] for run in runs), statistics.median(run[name][1] for run in runs))
        for name in runs[0]
    }


if __name__ == "__main__":
    main()
