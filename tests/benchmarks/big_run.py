"""A run of any number of rows: a table of questions with two candidates each, judged by one design."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from tests.benchmarks.measured import Measured, measured

ROOT = Path(__file__).parents[2]
GROUP_ROWS = 10_000
MODELS = {"openai": "gpt-4.1", "anthropic": "claude-opus-4-6", "google": "gemini-3.1-flash-lite-preview"}
ROUTES = {"openai": "/openai/v1", "anthropic": "/anthropic", "google": "/gemini"}
SCHEMA = pa.schema([(name, pa.string()) for name in ("question_id", "question", "reference", "candidate", "label")])


def write_table(path: Path, rows: int) -> Path:
    """Write so many rows, two to a question, as one Parquet file."""
    with pq.ParquetWriter(path, SCHEMA) as writer:
        for group in _groups(rows):
            writer.write_table(group)
    return path


def _groups(rows: int) -> Iterator[pa.Table]:
    for start in range(0, rows, GROUP_ROWS):
        numbers = range(start, min(rows, start + GROUP_ROWS))
        columns = {
            "question_id": [f"q{n // 2}" for n in numbers],
            "question": [f"Which rivers does town number {n // 2} lie on, and since when?" for n in numbers],
            "reference": [f"Town {n // 2} lies on two rivers. {CHARTERS}" for n in numbers],
            "candidate": [f"Candidate {n}: {CLAIM}" for n in numbers],
            "label": ["supported" if n % 2 else "unsupported" for n in numbers],
        }
        yield pa.table(columns, schema=SCHEMA)


CHARTERS = "The first settlement is recorded in old charters of the region. " * 4
CLAIM = "The town lies at the first river and has been there for long. " * 3


@dataclass(frozen=True)
class BigRun:
    """A manifest in a folder, and the public command over it."""

    folder: Path
    provider: str = "openai"
    how: str = ""

    def at(self, url: str) -> BigRun:
        """The same run with its server elsewhere."""
        kind = self.provider if "api:" in self.how or self.provider != "openai" else "openai, api: responses"
        base_url = url + ROUTES[self.provider]
        manifest = f"""
name: big
datasets: {{big: {{layout: table, path: "{self.folder / "rows.parquet"}"}}}}
judges: {{judge: {{provider: desk, model: {MODELS[self.provider]}, max_output_tokens: 512}}}}
grid: [{{designs: [H], judges: [judge]}}]
providers: {{desk: {{kind: {kind}, base_url: "{base_url}", api_key_env: BENCH_KEY{self.how}}}}}
"""
        (self.folder / "big.yaml").write_text(manifest, encoding="utf-8")
        return self

    @property
    def output(self) -> Path:
        """The run directory."""
        return self.folder / "run"

    @property
    def environment(self) -> dict[str, str]:
        """What the command finds around it: a key, and this tree's package."""
        path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
        return {**os.environ, "BENCH_KEY": "sk-bench", "PYTHONPATH": path}

    def command(self, *options: str) -> list[str]:
        """The public command line."""
        job = str(ROOT / "jobs" / "run_grid.py")
        return [sys.executable, job, str(self.folder / "big.yaml"), "--output", str(self.output), *options]

    def go(self, *options: str) -> Measured:
        """Run the public command to its end, which must be a good one."""
        done = measured(self.command(*options), self.folder, self.environment)
        assert done.code == 0, done.said
        return done


def big_run(folder: Path, rows: int, url: str, provider: str = "openai", how: str = "") -> BigRun:
    """Write table and manifest for a provider at a server; `how` holds further fields of its account."""
    folder.mkdir(parents=True, exist_ok=True)
    write_table(folder / "rows.parquet", rows)
    run = BigRun(folder, provider, how)
    return run.at(url)
