"""A run of many rows: memory against a tenth of them, what a rerun costs, and how soon a broken run goes on.

    PYTHONPATH=. python tests/benchmarks/bench_scale.py [--rows 1000000] [--made] [--folder DIR]

Runs the public command over a tenth of the rows and over all, against a loopback server that answers at once (with
--made, replies are made in the driver instead, which shows its part alone and takes a third of the time); runs it
again with nothing left to do; then takes a tenth of the replies out of the ledger, at random, and measures how long
the command takes from its start to its first call. Prints JSON.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import polars as pl

from tests.benchmarks.big_run import BigRun, big_run
from tests.benchmarks.fast_server import FastServer, fast_server
from tests.benchmarks.measured import Measured, measured

LATENCY_SECONDS, CONCURRENCY, SEED = 0.02, 64, 20261130
MISSING_SHARE, DEADLINE_SECONDS = 0.1, 600.0
FIELDS = f", concurrency: {CONCURRENCY}"


def whole(folder: Path, rows: int, made: bool) -> tuple[BigRun, dict[str, Any]]:
    """Run over all rows from nothing."""
    with fast_server(LATENCY_SECONDS) as server:
        run = big_run(folder, rows, server.url, how=FIELDS)
        done = _made(run) if made else run.go()
        assert made or len(server.answered()) == rows
    ledger, verdicts = (sorted((run.output / name).rglob("*.parquet")) for name in ("replies/ledger", "verdicts"))
    return run, {
        "rows": rows,
        "wall_seconds": round(done.wall_seconds, 1),
        "cpu_ms_per_row": round(done.cpu_seconds / rows * 1000, 3),
        "peak_pss_megabytes": round(done.peak_pss_bytes / 1e6),
        "driver_microseconds_per_row": _steps(done, rows) if made else None,
        "ledger_bytes_per_row": round(sum(path.stat().st_size for path in ledger) / rows),
        "verdict_bytes_per_row": round(sum(path.stat().st_size for path in verdicts) / rows),
        "ledger_files": len(ledger),
        "verdict_files": len(verdicts),
    }


def _made(run: BigRun) -> Measured:
    script = str(Path(__file__).parent / "made_big_run.py")
    done = measured([sys.executable, script, str(run.folder)], run.folder, run.environment)
    assert done.code == 0, done.said
    return done


def _steps(done: Measured, rows: int) -> dict[str, float]:
    """Processor time of each step of the driver."""
    seconds: dict[str, float] = json.loads(done.said.splitlines()[-1])
    return {name: round(each / rows * 1e6, 1) for name, each in seconds.items()}


def lose_replies(run: BigRun) -> int:
    """Take a tenth of the replies out of the ledger and return how many that were."""
    lost = 0
    for path in sorted((run.output / "replies" / "ledger").rglob("*.parquet")):
        frame = pl.read_parquet(path, hive_partitioning=False)
        kept = frame.sample(fraction=1 - MISSING_SHARE, seed=SEED, shuffle=False)
        lost += frame.height - kept.height
        kept.write_parquet(path, row_group_size=5_000)
    return lost


def seconds_to_first_call(run: BigRun, server: FastServer) -> float:
    """Start the command, wait for its first call, and end it."""
    start = time.monotonic()
    process = subprocess.Popen(run.command(), cwd=run.folder, env=run.environment, stdout=subprocess.DEVNULL)
    try:
        while not (answered := server.answered()):
            assert process.poll() is None
            assert time.monotonic() - start < DEADLINE_SECONDS, "no call was made in time"
            time.sleep(0.1)
        return answered[0] - start
    finally:
        process.terminate()
        process.wait(timeout=120)


def measure(folder: Path, rows: int, made: bool) -> dict[str, Any]:
    """All figures."""
    _, tenth = whole(folder / "tenth", rows // 10, made)
    run, all_rows = whole(folder / "all", rows, made)
    again = run.go()
    lost = lose_replies(run)
    with fast_server(LATENCY_SECONDS) as server:
        resumed = run.at(server.url)
        first_call = seconds_to_first_call(resumed, server)
    return {
        "tenth": tenth,
        "all": all_rows,
        "memory_ratio": round(all_rows["peak_pss_megabytes"] / tenth["peak_pss_megabytes"], 3),
        "rerun_seconds": round(again.wall_seconds, 1),
        "rerun_peak_pss_megabytes": round(again.peak_pss_bytes / 1e6),
        "missing": lost,
        "resume_seconds_to_first_call": round(first_call, 1),
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--made", action="store_true", help="make the replies in the driver")
    parser.add_argument("--folder", type=Path, help="keep the runs here")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        print(json.dumps(measure(given.folder or Path(temporary), given.rows, given.made), indent=2))
