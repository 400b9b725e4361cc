"""Processor time of the public command per row, for each SDK: everything, beyond its start, and by process.

    PYTHONPATH=. python tests/benchmarks/bench_cpu.py [--calls 20000] [--repeats 3] [openai anthropic google]

Beside it the same of a plain asyncio script with the same client that keeps nothing. What goes beyond the start is
the difference between a run and one of a quarter of its rows, so that starting and ending Ray, loading modules and
writing the report drop out; a run of 500 calls or fewer starts no Ray. Prints JSON, milliseconds of a core per row,
medians over the repeats.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
from pathlib import Path

from tests.benchmarks.bench_throughput import LATENCY_SECONDS, plain
from tests.benchmarks.big_run import ROUTES, big_run
from tests.benchmarks.fast_server import fast_server

CONCURRENCY = 32
Costs = dict[str, float]


def role(name: str) -> str:
    """Who a process of the command is."""
    if name == "driver":
        return name
    return "actors" if name.startswith("ray::MapWorker") else "ray"


def command(provider: str, calls: int) -> dict[str, float]:
    """Processor seconds of the public command, by role."""
    with fast_server(LATENCY_SECONDS) as server, tempfile.TemporaryDirectory() as folder:
        how = f", concurrency: {CONCURRENCY}"
        done = big_run(Path(folder), calls, server.url, provider, how).go()
    found = dict.fromkeys(("driver", "actors", "ray"), 0.0)
    for name, seconds in done.cpu_seconds_by_name.items():
        found[role(name)] += seconds
    return found


def costs(provider: str, calls: int) -> Costs:
    """Milliseconds per row."""
    whole, quarter = command(provider, calls), command(provider, calls // 4)
    _, script = plain(provider, calls, CONCURRENCY, 0)
    _, short = plain(provider, calls // 4, CONCURRENCY, 0)
    beyond, rows = {name: whole[name] - quarter[name] for name in whole}, calls - calls // 4
    return {
        "everything": sum(whole.values()) / calls * 1000,
        "beyond_start": sum(beyond.values()) / rows * 1000,
        **{f"beyond_start_{name}": seconds / rows * 1000 for name, seconds in sorted(beyond.items())},
        "plain_script": script.cpu_seconds / calls * 1000,
        "plain_script_beyond_start": (script.cpu_seconds - short.cpu_seconds) / rows * 1000,
    }


def medians(found: list[Costs]) -> Costs:
    """Median of each figure."""
    return {name: round(statistics.median(each[name] for each in found), 3) for name in found[0]}


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--calls", type=int, default=20_000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("providers", nargs="*", default=list(ROUTES), metavar="PROVIDER")
    given = parser.parse_args()
    turns = [{name: costs(name, given.calls) for name in given.providers} for _ in range(given.repeats)]
    print(json.dumps({name: medians([turn[name] for turn in turns]) for name in given.providers}, indent=2))
