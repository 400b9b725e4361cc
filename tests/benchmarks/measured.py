"""A command run to its end, with the time, processor time and memory that its whole process tree took."""

from __future__ import annotations

import os
import subprocess
import threading
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import psutil

SAMPLE_SECONDS = 0.25
MEMORY_SECONDS = 2.0


@dataclass(frozen=True)
class Measured:
    """What a command took. `peak_pss_bytes` counts shared pages once over all its processes. In
    `cpu_seconds_by_name` the command itself is the `driver`, and what it started has the name that it had last."""

    code: int
    wall_seconds: float
    cpu_seconds: float
    peak_pss_bytes: int
    said: str
    cpu_seconds_by_name: Mapping[str, float]


class Watcher(threading.Thread):
    """Adds up processor time by process, and looks for the peak of memory, while a tree of processes lives."""

    def __init__(self, pid: int) -> None:
        super().__init__(daemon=True)
        self._root, self._cpu, self._names = psutil.Process(pid), dict[int, float](), dict[int, str]()
        self._over = threading.Event()
        self.peak_pss_bytes = 0

    @property
    def cpu_seconds(self) -> float:
        """Processor time so far, of processes that have ended too."""
        return sum(self._cpu.values())

    def cpu_seconds_by_name(self) -> dict[str, float]:
        """The same by name of process; the one that was started is the driver."""
        found: defaultdict[str, float] = defaultdict(float)
        for pid, seconds in self._cpu.items():
            found["driver" if pid == self._root.pid else self._names[pid]] += seconds
        return dict(found)

    def run(self) -> None:
        """Look until told to stop."""
        next_memory = 0.0
        while not self._over.wait(SAMPLE_SECONDS):
            tree = self._tree()
            for process in tree:
                self._add(process)
            if time.monotonic() >= next_memory:
                next_memory = time.monotonic() + MEMORY_SECONDS
                self.peak_pss_bytes = max(self.peak_pss_bytes, sum(_pss_bytes(process.pid) for process in tree))

    def stop(self) -> None:
        """End the thread."""
        self._over.set()
        self.join()

    def _tree(self) -> list[psutil.Process]:
        try:
            return [self._root, *self._root.children(recursive=True)]
        except psutil.NoSuchProcess:
            return []

    def _add(self, process: psutil.Process) -> None:
        try:
            times, name = process.cpu_times(), process.name()
        except psutil.NoSuchProcess:
            return
        self._names[process.pid] = name
        self._cpu[process.pid] = times.user + times.system


def _pss_bytes(pid: int) -> int:
    try:
        rollup = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii")
    except (OSError, ProcessLookupError):
        return 0
    return next((int(line.split()[1]) * 1024 for line in rollup.splitlines() if line.startswith("Pss:")), 0)


def measured(command: Sequence[str], folder: Path, environment: dict[str, str] | None = None) -> Measured:
    """Run a command in a folder to its end, whatever that is."""
    start = time.monotonic()
    process = subprocess.Popen(
        command,
        cwd=folder,
        env={**os.environ, **(environment or {})},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    watcher = Watcher(process.pid)
    watcher.start()
    said, _ = process.communicate()
    watcher.stop()
    wall = time.monotonic() - start
    by_name = watcher.cpu_seconds_by_name()
    return Measured(process.returncode, wall, watcher.cpu_seconds, watcher.peak_pss_bytes, said, by_name)
