"""Calls per second and processor time per row of the public command, against a plain asyncio script.

    PYTHONPATH=. python tests/benchmarks/bench_throughput.py [--pairs 5] [--calls 20000] [--slow-every 100]

Each pair runs the plain script and the command, in turns of who is first, against a loopback server that answers
after 50 ms (with --slow-every N, each Nth call 40 times later). Rates are those between 20% and 90% of the answers,
as the server saw them. Prints JSON: the median of the pairs' ratios, and the pairs.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
from pathlib import Path

from tests.benchmarks.big_run import ROOT, big_run
from tests.benchmarks.fast_server import fast_server
from tests.benchmarks.measured import Measured, measured

LATENCY_SECONDS, SLOW_FACTOR = 0.05, 40.0


def middle_rate(answered: list[float]) -> float:
    """Answers per second between 20% and 90% of them."""
    first, last = int(len(answered) * 0.2), int(len(answered) * 0.9) - 1
    return (last - first) / (answered[last] - answered[first])


def plain(provider: str, calls: int, concurrency: int, slow_every: int) -> tuple[float, Measured]:
    """Rate and cost of the plain script."""
    with fast_server(LATENCY_SECONDS, slow_every, SLOW_FACTOR) as server:
        script = str(Path(__file__).parent / "plain_client.py")
        command = [sys.executable, script, provider, server.url, str(calls), str(concurrency)]
        done = measured(command, ROOT, {"PYTHONPATH": str(ROOT)})
        assert done.code == 0, done.said
        return middle_rate(server.answered()), done


def engine(provider: str, calls: int, concurrency: int, slow_every: int, actors: int) -> tuple[float, Measured]:
    """Rate and cost of the public command."""
    with fast_server(LATENCY_SECONDS, slow_every, SLOW_FACTOR) as server, tempfile.TemporaryDirectory() as folder:
        how = f", concurrency: {concurrency // actors}, actors: {actors}"
        done = big_run(Path(folder), calls, server.url, provider, how).go()
        answered = server.answered()
        assert len(answered) == calls
        return middle_rate(answered), done


def pair(number: int, given: argparse.Namespace) -> dict[str, float]:
    """Run both, the plain script first in every second pair."""
    base = (given.provider, given.calls, given.concurrency, given.slow_every)
    first = plain(*base) if number % 2 else None
    ours, done = engine(*base, given.actors)
    rate, script = first or plain(*base)
    return {
        "ratio": round(ours / rate, 3),
        "calls_per_second": round(ours, 1),
        "plain_calls_per_second": round(rate, 1),
        "cpu_ms_per_row": round(done.cpu_seconds / given.calls * 1000, 3),
        "plain_cpu_ms_per_call": round(script.cpu_seconds / given.calls * 1000, 3),
        "wall_seconds": round(done.wall_seconds, 1),
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--provider", default="openai", choices=["openai", "anthropic", "google"])
    parser.add_argument("--calls", type=int, default=20_000)
    parser.add_argument("--concurrency", type=int, default=64)
    parser.add_argument("--actors", type=int, default=1)
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--slow-every", type=int, default=0)
    given = parser.parse_args()
    pairs = [pair(number, given) for number in range(given.pairs)]
    ratio = statistics.median(each["ratio"] for each in pairs)
    print(json.dumps({"provider": given.provider, "calls": given.calls, "ratio": ratio, "pairs": pairs}, indent=2))
