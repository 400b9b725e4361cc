"""The public command as a user runs it, against an emulator that outlives the command."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self
from uuid import uuid4

import polars as pl
import psutil

from judgeray.emulator.behaviour import Behaviour
from judgeray.emulator.how import How
from judgeray.emulator.process import EmulatorProcess, start_emulator

ROOT = Path(__file__).parents[2]
DEADLINE_SECONDS = 150
GONE_SECONDS = 120
"""After a SIGKILL, Ray's agents first try to reach their dead head for up to a minute, then end themselves."""

MARK = "JUDGERAY_TEST_MARK"


@dataclass
class Bench:
    """A manifest, a run directory, and the emulator that counts what is asked."""

    emulator: EmulatorProcess
    manifest: Path
    output: Path
    mark: str
    job: Path = ROOT / "jobs" / "run_grid.py"

    def through_ray(self) -> Self:
        """The same bench, whose command starts Ray for the smallest work too."""
        return replace(self, job=ROOT / "tests" / "run" / "through_ray.py")

    def command(self, *options: str) -> list[str]:
        """The public command line."""
        return [sys.executable, str(self.job), str(self.manifest), "--output", str(self.output), *options]

    def start(self, *options: str) -> subprocess.Popen[str]:
        """Start the command without waiting."""
        return subprocess.Popen(
            self.command(*options),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            cwd=self.output.parent,
            start_new_session=True,
            env={**os.environ, MARK: self.mark},
        )

    def run(self, *options: str) -> tuple[int, str]:
        """Run the command to its end; returns exit code and output."""
        process = self.start(*options)
        said, _ = process.communicate(timeout=DEADLINE_SECONDS)
        return process.returncode, said

    def journaled(self) -> int:
        """Replies on storage that are not compacted yet."""
        files = [p for p in (self.output / "replies" / "journal").glob("*.jsonl") if "failures" not in p.name]
        return sum(p.read_bytes().count(b"\n") for p in files)

    def wait_until_journaled(self, count: int, process: subprocess.Popen[str]) -> None:
        """Wait until the running command has so many replies in its journals."""
        end = time.monotonic() + DEADLINE_SECONDS
        while self.journaled() < count:
            assert process.poll() is None, "the command ended early"
            assert time.monotonic() < end, f"only {self.journaled()} of {count} replies in time"
            time.sleep(0.02)

    def kill(self, process: subprocess.Popen[str]) -> None:
        """SIGKILL the driver, as a crash would."""
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=30)

    def verdicts(self) -> pl.DataFrame:
        """The verdict log, in a fixed order."""
        frame = pl.read_parquet(self.output / "verdicts" / "**" / "*.parquet", hive_partitioning=False)
        return frame.sort("dataset", "design", "judge", "condition", "replicate", "row_id")

    def progress(self) -> dict[str, Any]:
        """progress.json."""
        facts: dict[str, Any] = json.loads((self.output / "progress.json").read_text())
        return facts


def manifest_text(behaviour: Behaviour, url: str, judges: str, extra: str = "") -> str:
    """A manifest over two sample datasets and two designs."""
    return f"""
name: bench
datasets:
  asqa: {{path: "sample:asqa", questions: 20}}
  qampari: {{path: "sample:qampari", questions: 20}}
judges: {{{judges}}}
grid:
  - {{designs: [C, H], judges: [{", ".join(part.split(":")[0].strip() for part in judges.split("},"))}]}}
emulator: {behaviour.model_dump_json(exclude_defaults=True)}
emulator_url: {url}
{extra}
"""


MakeBench = Callable[..., Bench]
JUDGES = "gpt: {provider: openai, model: gpt-4.1}, opus: {provider: anthropic, model: claude-opus-4-6}"


@contextmanager
def running_bench(
    folder: Path, judges: str, extra: str = "", how: How | None = None, **behaviour: Any
) -> Iterator[Bench]:
    """A bench in a folder; at its end no process that it started is left."""
    settings, mark = Behaviour(**behaviour), uuid4().hex
    with start_emulator(settings, how=how or How()) as emulator:
        manifest = folder / "bench.yaml"
        url = f"http://127.0.0.1:{emulator.port}"
        manifest.write_text(manifest_text(settings, url, judges, extra), encoding="utf-8")
        yield Bench(emulator, manifest, folder / "out", mark)
    assert_no_process_is_left(mark)


def assert_no_process_is_left(mark: str) -> None:
    """Whatever a command started (it inherited the mark) is gone soon after the command ended."""
    end = time.monotonic() + GONE_SECONDS
    while left := [p.info["name"] for p in psutil.process_iter(["name", "environ"]) if _marked(p, mark)]:
        assert time.monotonic() < end, f"left behind: {left}"
        time.sleep(0.1)


def _marked(process: psutil.Process, mark: str) -> bool:
    return (process.info["environ"] or {}).get(MARK) == mark
