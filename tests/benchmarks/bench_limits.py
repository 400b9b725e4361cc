"""How much of a rate limit is used, and how many requests are refused.

    PYTHONPATH=. python tests/benchmarks/bench_limits.py [--actors N] [--nodes N]

Runs the public command against an emulator that enforces 600 requests and 200,000 tokens a minute, on a private
Ray or on so many simulated nodes, and prints JSON: the share of the request limit that was used after warm-up, and
the share of 429s.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ray.cluster_utils import Cluster

from judgeray.emulator.how import How
from judgeray.emulator.rates import Limits, Rates
from tests.run.bench import Bench, running_bench

REQUESTS_PER_MINUTE, TOKENS_PER_MINUTE = 600, 200_000
WARM_UP_SECONDS, MEASURED_SECONDS = 15.0, 60.0
JUDGE = "gpt: {provider: openai, model: gpt-4.1, max_output_tokens: 120}"


@contextmanager
def simulated_nodes(count: int) -> Iterator[None]:
    """A Ray cluster of several nodes in this machine's processes, joined by the command through RAY_ADDRESS."""
    if count < 2:
        yield
        return
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    try:
        for _ in range(count - 1):
            cluster.add_node(num_cpus=1)
        os.environ["RAY_ADDRESS"] = cluster.address
        yield
    finally:
        os.environ.pop("RAY_ADDRESS", None)
        cluster.shutdown()  # type: ignore[no-untyped-call]


def measure(actors: int) -> dict[str, float]:
    """One run; the window is cut from the middle and the run is stopped after it."""
    rates = Rates(requests_per_minute=REQUESTS_PER_MINUTE, tokens_per_minute=TOKENS_PER_MINUTE, burst_seconds=1.0)
    how = How(limits=Limits(openai={"default": rates}))
    limits = f"limits: {{requests_per_minute: {REQUESTS_PER_MINUTE}, tokens_per_minute: {TOKENS_PER_MINUTE}}}"
    extra = f"replicates: 40\nproviders: {{openai: {{actors: {actors}, concurrency: 32, {limits}}}}}"
    with tempfile.TemporaryDirectory() as folder, running_bench(Path(folder), JUDGE, extra, how) as bench:
        process = bench.start()
        bench.wait_until_journaled(1, process)
        time.sleep(WARM_UP_SECONDS)
        before, start = served(bench), time.monotonic()
        time.sleep(MEASURED_SECONDS)
        after, seconds = served(bench), time.monotonic() - start
        process.terminate()
        process.communicate(timeout=120)
    sent = {name: after[name] - before[name] for name in after}
    per_minute = sent["ok"] * 60 / seconds
    return {
        "actors": actors,
        "requests_per_minute": round(per_minute, 1),
        "share_of_request_limit": round(per_minute / REQUESTS_PER_MINUTE, 4),
        "share_of_429s": round(sent["limited"] / max(1, sent["ok"] + sent["limited"]), 5),
    }


def served(bench: Bench) -> dict[str, int]:
    """Requests answered and refused so far."""
    statuses = bench.emulator.counts()["statuses"]
    return {"ok": statuses.get("200", 0), "limited": statuses.get("429", 0)}


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--actors", type=int, default=2)
    parser.add_argument("--nodes", type=int, default=1)
    given = parser.parse_args()
    with simulated_nodes(given.nodes):
        print(json.dumps({"nodes": given.nodes, **measure(given.actors)}, indent=2))
