"""The emulator's process says one line, stays on loopback, and never outlives who started it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil
import pytest

from judgeray.emulator.behaviour import Behaviour
from judgeray.emulator.process import start_emulator

COMMAND = [sys.executable, "-m", "judgeray.emulator"]
SECONDS = 20
pytestmark = pytest.mark.timeout(90)


def _gone(pid: int) -> bool:
    """Whether a process has ended, reaped or not."""
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def _within(seconds: float, condition: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


def test_a_started_emulator_counts_and_stops() -> None:
    """A started emulator answers to its admin, and is gone after stop, which may be called twice."""
    with start_emulator(Behaviour()) as emulator:
        assert emulator.openai_url == f"http://127.0.0.1:{emulator.port}/openai/v1"
        assert emulator.counts()["requests"] == 0
        emulator.reset()
        emulator.stop()
        assert _gone(emulator.pid)
    emulator.stop()


def test_only_loopback_listens() -> None:
    """The one listening socket is bound to 127.0.0.1."""
    with start_emulator(Behaviour()) as emulator:
        sockets = psutil.Process(emulator.pid).net_connections(kind="inet")
    listening = [s.laddr for s in sockets if s.status == psutil.CONN_LISTEN]
    assert [(address.ip, address.port) for address in listening] == [("127.0.0.1", emulator.port)]


def test_a_killed_parent_takes_its_emulator_along() -> None:
    """When the process that started it is killed with SIGKILL, the emulator ends within seconds."""
    script = (
        "import time\n"
        "from judgeray.emulator.behaviour import Behaviour\n"
        "from judgeray.emulator.process import start_emulator\n"
        "print(start_emulator(Behaviour()).pid, flush=True)\n"
        "time.sleep(60)\n"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        emulator = int(parent.stdout.readline())
        assert not _gone(emulator)
        parent.kill()
    try:
        assert _within(10, lambda: _gone(emulator))
    finally:
        if not _gone(emulator):
            os.kill(emulator, signal.SIGKILL)


@contextmanager
def _running(*arguments: str, stdin: int) -> Iterator[tuple[subprocess.Popen[bytes], Any]]:
    """A server and the JSON it printed; whatever happens, it is gone afterwards."""
    with subprocess.Popen([*COMMAND, *arguments], stdin=stdin, stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout is not None
            yield process, json.loads(process.stdout.readline())
        finally:
            process.kill()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_signals_end_it_cleanly(number: signal.Signals) -> None:
    """It prints exactly one JSON line, and SIGTERM and SIGINT end it with code 0."""
    with _running(stdin=subprocess.DEVNULL) as (process, ready):
        process.send_signal(number)
        rest, _ = process.communicate(timeout=SECONDS)
        assert (process.returncode, rest) == (0, b"")
    assert ready["gemini"] == f"http://127.0.0.1:{ready['port']}/gemini"


def test_the_end_of_input_ends_it() -> None:
    """With --stop-with-parent, closing its standard input ends it with code 0."""
    with _running("--stop-with-parent", stdin=subprocess.PIPE) as (process, _):
        process.communicate(timeout=SECONDS)
        assert process.returncode == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--host", "0.0.0.0"], "emulator: host: found '0.0.0.0', allowed: 127.0.0.1"),
        (["--behaviour", "none.json"], "none.json: cannot be read: No such file or directory"),
    ],
)
def test_wrong_arguments_end_with_one_line(tmp_path: Path, arguments: list[str], message: str) -> None:
    """Another host or a missing file ends with code 2 and one line on stderr."""
    run: Any = subprocess.run(
        [*COMMAND, *arguments], cwd=tmp_path, check=False, capture_output=True, text=True, timeout=SECONDS
    )
    assert (run.returncode, run.stdout) == (2, "")
    assert len(run.stderr.splitlines()) == 1
    assert message in run.stderr


def test_a_start_that_takes_too_long_leaves_nothing() -> None:
    """A start that is not ready in time raises TimeoutError and leaves no process behind."""
    before = {child.pid for child in psutil.Process().children()}
    with pytest.raises(TimeoutError, match=r"emulator: not ready within 0\.01 s"):
        start_emulator(Behaviour(), ready_timeout_seconds=0.01)
    assert {child.pid for child in psutil.Process().children() if not _gone(child.pid)} <= before
