"""How long the analysis of millions of rows takes, and in how much memory.

    PYTHONPATH=. python tests/benchmarks/bench_analysis_scale.py [--rows N] [--replicates R] [--folder F] [--all]

Writes a run directory of 42 Parquet files in a process of its own, reads it, computes accuracy, class_accuracy,
tokens and contrasts (with `--all` every table), and prints a small JSON: seconds, and the peak memory of this
process.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import resource
import tempfile
import time
from pathlib import Path

from judgeray.analysis import read_log
from judgeray.analysis.grid import grid_of
from judgeray.analysis.tables import TABLES
from tests.benchmarks.synthetic_log import CELLS, write_log

FOUR = ("accuracy", "class_accuracy", "tokens", "contrasts")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--replicates", type=int, default=1)
    parser.add_argument("--folder", type=Path, help="run directory to write, or to use where it exists")
    parser.add_argument("--all", action="store_true", help="compute every table")
    given = parser.parse_args()
    names = tuple(TABLES) if given.all else FOUR
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.folder or Path(temporary)
        if not (folder / "verdicts").is_dir():
            _written(folder, given.rows, given.replicates)
        print(json.dumps(_measured(folder, names), indent=1))


def _written(folder: Path, rows: int, replicates: int) -> None:
    """Write the log elsewhere, so that its making does not count as memory of the analysis."""
    questions = -(-rows // (CELLS * 2 * replicates))
    writer = multiprocessing.get_context("spawn").Process(target=write_log, args=(folder, questions, replicates))
    writer.start()
    writer.join()
    if writer.exitcode:
        raise SystemExit(writer.exitcode)


def _measured(folder: Path, names: tuple[str, ...]) -> dict[str, float]:
    start = time.perf_counter()
    log = read_log(folder)
    found = {"rows": log.height, "read_seconds": time.perf_counter() - start}
    before = time.perf_counter()
    grid = grid_of(log)
    found["grid_seconds"] = time.perf_counter() - before
    for name in names:
        before = time.perf_counter()
        TABLES[name](grid)
        found[f"{name}_seconds"] = time.perf_counter() - before
    found["total_seconds"] = time.perf_counter() - start
    found["peak_gigabytes"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    return {name: round(value, 3) for name, value in found.items()}


if __name__ == "__main__":
    main()
