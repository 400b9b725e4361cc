"""How long the analysis of a log the size of study 1 takes.

    PYTHONPATH=. python tests/benchmarks/bench_analysis.py [--runs N]

Builds 16,800 rows, then times reading, the six tables of study 1, the further tables and the report, and prints a
small JSON: the best of some runs in seconds, imports left out.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from judgeray.analysis import analyze, read_log
from judgeray.analysis.grid import grid_of
from judgeray.analysis.tables import TABLES
from judgeray.report.facts import facts_of
from judgeray.report.markdown import markdown_report
from judgeray.stats.draws import forget_plans
from tests.benchmarks.synthetic_log import write_log

QUESTIONS = 200
STUDY = ("accuracy", "class_accuracy", "tokens", "contrasts", "complexity", "parsing")

T = TypeVar("T")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=3, help="runs of which the best counts")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        write_log(Path(folder), QUESTIONS)
        found = [_measured(Path(folder)) for _ in range(given.runs)]
    print(json.dumps({name: round(min(run[name] for run in found), 3) for name in found[0]}, indent=1))


def _measured(folder: Path) -> dict[str, float]:
    forget_plans()
    read, log = _timed(lambda: read_log(folder))
    laid_out, grid = _timed(lambda: grid_of(log))
    each = {name: _timed(lambda name=name: TABLES[name](grid))[0] for name in TABLES}  # type: ignore[misc]
    tables = analyze(log)
    report, _ = _timed(lambda: markdown_report(tables, facts_of(log, "bench")))
    study = sum(each[name] for name in STUDY)
    whole = {
        "rows": float(log.height),
        "read_seconds": read,
        "study_tables_seconds": laid_out + study,
        "further_tables_seconds": sum(each.values()) - study,
        "report_seconds": report,
    }
    return whole | {f"{name}_seconds": seconds for name, seconds in each.items()}


def _timed(work: Callable[[], T]) -> tuple[float, T]:
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


if __name__ == "__main__":
    main()
