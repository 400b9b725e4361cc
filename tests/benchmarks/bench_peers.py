"""The same rows over the same server with judgeray and its peers, as many calls at once.

    pip install -e '.[bench]' && PYTHONPATH=. python tests/benchmarks/bench_peers.py [--rows 5000] [--repeats 5]

Peers that are not installed are left out. A peer's own Python can be named, as PEER=PATH, where its dependencies do
not go with judgeray's. Prints JSON: medians of calls per second between 20% and 90% of the answers, of the whole
time and of processor time per row, everything included, and each peer's rate over judgeray's.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.benchmarks.bench_throughput import LATENCY_SECONDS, middle_rate
from tests.benchmarks.big_run import ROOT, big_run
from tests.benchmarks.fast_server import fast_server
from tests.benchmarks.measured import measured

PEERS = {
    "sdk_script": "openai",
    "inspect_script": "inspect_ai",
    "ray_data_script": "ray.data.llm",
    "curator_script": "bespokelabs.curator",
}
"""Script -> the module without which it is left out."""

Figures = dict[str, float]


def ours(rows: int, concurrency: int) -> Figures:
    """The public command over chat completions."""
    with fast_server(LATENCY_SECONDS) as server, tempfile.TemporaryDirectory() as folder:
        done = big_run(Path(folder), rows, server.url, how=f", concurrency: {concurrency}, api: chat").go()
        return _figures(middle_rate(server.answered()), done.wall_seconds, done.cpu_seconds, rows)


def theirs(peer: str, python: str, rows: int, concurrency: int) -> Figures:
    """A peer's script, in its Python."""
    script = str(Path(__file__).parent / "peers" / f"{peer}.py")
    with fast_server(LATENCY_SECONDS) as server:
        command = [python, script, server.url, str(rows), str(concurrency)]
        done = measured(command, ROOT, {"PYTHONPATH": str(ROOT)})
        assert done.code == 0, done.said[-3000:]
        return _figures(middle_rate(server.answered()), done.wall_seconds, done.cpu_seconds, rows)


def _figures(rate: float, wall_seconds: float, cpu_seconds: float, rows: int) -> Figures:
    return {"calls_per_second": rate, "wall_seconds": wall_seconds, "cpu_ms_per_row": cpu_seconds / rows * 1000}


def installed(module: str, python: str) -> bool:
    """Whether a Python has a module."""
    return subprocess.run([python, "-c", f"import {module}"], capture_output=True, check=False).returncode == 0


def medians(runs: list[Figures]) -> Figures:
    """Median of each figure."""
    return {name: round(statistics.median(run[name] for run in runs), 2) for name in runs[0]}


def compare(rows: int, concurrency: int, repeats: int, pythons: dict[str, str]) -> dict[str, Figures]:
    """Run everything in turns, so that a slow moment hits all alike."""
    there = [peer for peer, module in PEERS.items() if installed(module, pythons.get(peer, sys.executable))]
    found: dict[str, list[Figures]] = {name: [] for name in ("judgeray", *there)}
    for _ in range(repeats):
        found["judgeray"].append(ours(rows, concurrency))
        for peer in there:
            found[peer].append(theirs(peer, pythons.get(peer, sys.executable), rows, concurrency))
    rates = {name: [run["calls_per_second"] for run in runs] for name, runs in found.items()}
    ratios = {
        name: statistics.median(one / our for one, our in zip(mine, rates["judgeray"], strict=True))
        for name, mine in rates.items()
    }
    return {name: {**medians(runs), "rate_over_judgeray": round(ratios[name], 3)} for name, runs in found.items()}


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=5_000)
    parser.add_argument("--concurrency", type=int, default=64)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("pythons", nargs="*", metavar="PEER=PYTHON")
    given = parser.parse_args()
    pythons = dict(entry.split("=", 1) for entry in given.pythons)
    print(json.dumps(compare(given.rows, given.concurrency, given.repeats, pythons), indent=2))
