"""How long a ten-row job takes, against starting and ending Ray alone.

    PYTHONPATH=. python tests/benchmarks/bench_start.py [--pairs 5]

The bare script starts Ray as the command does and ends it. Prints JSON: the median of the pairs' ratios.
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
from tests.benchmarks.measured import measured

BARE = """
import ray
ray.init(address="local", include_dashboard=False, num_cpus=2, object_store_memory=512 * 1024 * 1024,
         log_to_driver=False, logging_level=40)
ray.shutdown()
"""


def pair(url: str) -> dict[str, float]:
    """Seconds of both, the bare script first."""
    bare = measured([sys.executable, "-c", BARE], ROOT)
    assert bare.code == 0, bare.said
    with tempfile.TemporaryDirectory() as folder:
        job = big_run(Path(folder), 10, url).go()
    return {
        "ratio": round(job.wall_seconds / bare.wall_seconds, 3),
        "job_seconds": round(job.wall_seconds, 2),
        "bare_seconds": round(bare.wall_seconds, 2),
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--pairs", type=int, default=5)
    given = parser.parse_args()
    with fast_server(0.05) as server:
        pairs = [pair(server.url) for _ in range(given.pairs)]
    print(json.dumps({"ratio": statistics.median(each["ratio"] for each in pairs), "pairs": pairs}, indent=2))
