"""An emulator in a process of its own, which ends with the process that started it."""

from __future__ import annotations

import http.client
import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from types import TracebackType
from typing import IO, cast

from judgeray.emulator.audit import Counts, Mode, ModeCounts
from judgeray.emulator.batch_audit import BatchAudit
from judgeray.emulator.behaviour import Behaviour
from judgeray.emulator.how import How
from judgeray.emulator.serve import HOST

_STOP_SECONDS = 5.0
_ADMIN_SECONDS = 10.0


class EmulatorProcess:
    """A running emulator; a context manager that stops it.

    `openai_url`, `anthropic_url` and `gemini_url` are base URLs as the SDKs want them. The emulator also
    ends when this process dies: it watches a pipe that only this process holds open.
    """

    def __init__(self, process: subprocess.Popen[bytes], ready: dict[str, str | int]) -> None:
        self._process = process
        self.pid = process.pid
        self.port = int(ready["port"])
        self.openai_url, self.anthropic_url, self.gemini_url = (
            str(ready[api]) for api in ("openai", "anthropic", "gemini")
        )

    def counts(self) -> Counts:
        """What the emulator has counted so far. Raises OSError where it does not answer within 10 s."""
        return cast("Counts", self._admin("GET", "/_judgeray/counts"))

    def reset(self) -> None:
        """Set all counts to zero."""
        self._admin("POST", "/_judgeray/reset")

    def set_how(self, how: How) -> None:
        """Serve from now on as `how` says; limits start unused and faults unmet."""
        self._admin("POST", "/_judgeray/how", how.model_dump_json())

    def batches(self) -> list[BatchAudit]:
        """Every batch that was created, oldest first."""
        return cast("list[BatchAudit]", self._admin("GET", "/_judgeray/batches"))

    def prompts(self) -> dict[str, dict[Mode, ModeCounts]]:
        """What was counted by prompt digest and mode."""
        return cast("dict[str, dict[Mode, ModeCounts]]", self._admin("GET", "/_judgeray/prompts"))

    def stop(self) -> None:
        """End the process; within 10 s it is gone. A second call does nothing."""
        _end(self._process)

    def _admin(self, method: str, path: str, body: str | None = None) -> object:
        # http.client takes no proxy from the environment, unlike urllib.
        connection = http.client.HTTPConnection(HOST, self.port, timeout=_ADMIN_SECONDS)
        try:
            connection.request(method, path, body)
            return json.loads(connection.getresponse().read())
        finally:
            connection.close()

    def __enter__(self) -> EmulatorProcess:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.stop()


def start_emulator(
    behaviour: Behaviour, how: How | None = None, ready_timeout_seconds: float = 20
) -> EmulatorProcess:
    """Start an emulator, served as `how` says, on a free loopback port and wait until it is ready.

    Raises TimeoutError when it is not ready in time and RuntimeError, with its own words, when it ended.
    """
    with TemporaryDirectory(prefix="judgeray-emulator-") as folder, TemporaryFile() as errors:
        files = {"--behaviour": Path(folder) / "behaviour.json", "--how": Path(folder) / "how.json"}
        files["--behaviour"].write_text(behaviour.model_dump_json(), encoding="utf-8")
        files["--how"].write_text((how or How()).model_dump_json(), encoding="utf-8")
        with ExitStack() as undo:
            process = _launch(files, errors)
            undo.callback(_end, process)
            ready = _first_line(process, time.monotonic() + ready_timeout_seconds)
            if ready is None:
                raise TimeoutError(f"emulator: not ready within {ready_timeout_seconds:g} s")
            if not ready:
                errors.seek(0)
                raise RuntimeError(f"emulator: ended early: {errors.read().decode(errors='replace').strip()}")
            undo.pop_all()
        return EmulatorProcess(process, json.loads(ready))


def _launch(files: Mapping[str, Path], errors: IO[bytes]) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "judgeray.emulator", "--port", "0", "--stop-with-parent"]
    return subprocess.Popen(  # noqa: S603 - the command is our own
        [*command, *(str(part) for option in files.items() for part in option)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=errors,
        # Ctrl-C in the terminal stops the caller, which then decides when its emulator ends.
        start_new_session=True,
    )


def _first_line(process: subprocess.Popen[bytes], deadline: float) -> bytes | None:
    """The first line of output, what there is of it when the output ended, or None when time was up."""
    output, line = process.stdout, b""
    assert output is not None  # noqa: S101 - Popen was given a pipe
    while not line.endswith(b"\n"):
        readable, _, _ = select.select([output], [], [], max(0.0, deadline - time.monotonic()))
        if not readable:
            return None
        chunk = os.read(output.fileno(), 4096)
        if not chunk:
            break
        line += chunk
    return line


def _end(process: subprocess.Popen[bytes]) -> None:
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            pipe.close()
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(_STOP_SECONDS)
