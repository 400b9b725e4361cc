"""The Parquet files that a run of the paper's size leaves: 1,200 rows, four designs, three judges, 14,400 calls.

    PYTHONPATH=. python tests/benchmarks/bench_files.py [--rows 1200]

Prints JSON, for replies and for verdicts: partitions, the most files in one, and the rows of the smallest file.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections import Counter
from pathlib import Path

import pyarrow.parquet as pq

from tests.benchmarks.big_run import MODELS, ROUTES, BigRun, write_table
from tests.benchmarks.fast_server import fast_server

LATENCY_SECONDS = 0.05


def manifest(folder: Path, url: str) -> str:
    """The grid of the paper over the rows of a table."""
    judges = ", ".join(f"{name}: {{provider: {name}, model: {model}}}" for name, model in MODELS.items())
    providers = ", ".join(
        f'{name}: {{base_url: "{url}{route}", api_key_env: BENCH_KEY}}' for name, route in ROUTES.items()
    )
    return f"""
name: files
datasets: {{big: {{layout: table, path: "{folder / "rows.parquet"}"}}}}
judges: {{{judges}}}
grid: [{{designs: [C, H, R, B], judges: [{", ".join(MODELS)}]}}]
providers: {{{providers}}}
"""


def counted(folder: Path) -> dict[str, int]:
    """Count the files below a folder."""
    rows = {path: pq.read_metadata(path).num_rows for path in sorted(folder.rglob("*.parquet"))}
    files = Counter(path.parent for path in rows)
    return {
        "rows": sum(rows.values()),
        "partitions": len(files),
        "most_files_in_one": max(files.values()),
        "rows_of_the_smallest_file": min(rows.values()),
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=1_200)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary, fast_server(LATENCY_SECONDS) as server:
        run = BigRun(Path(temporary))
        write_table(run.folder / "rows.parquet", given.rows)
        (run.folder / "big.yaml").write_text(manifest(run.folder, server.url), encoding="utf-8")
        run.go()
        found = {name: counted(run.output / name) for name in ("replies/ledger", "verdicts")}
    print(json.dumps(found, indent=2))
