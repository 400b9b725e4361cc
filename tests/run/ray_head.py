"""A Ray head of the tests' own: its ports, folder and token, ended by the pids it started."""

from __future__ import annotations

import os
import secrets
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

RAY = str(Path(sys.executable).parent / "ray")
READY_SECONDS = 90
PORTS = range(21_000, 32_000)
"""Below those that the system hands out, and above those of Ray's workers."""

REPORT_MS = 1000
"""How often workers report to their node's agent; 10,000 by default, which tests would have to wait for."""

SECRET = "sk-test-0123456789abcdefghij"


@dataclass
class Head:
    """A local Ray head: its job server's address, the environment that lets clients in, its folder, its ports."""

    address: str
    env: dict[str, str]
    folder: Path
    ports: dict[str, int]


def free_port() -> int:
    """A port that nobody listens on now, and that the system gives to nobody by itself."""
    while True:
        port = secrets.choice(PORTS)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


def end_tree(process: subprocess.Popen[bytes]) -> None:
    """End exactly the processes that the head started, by their recorded pids."""
    family: list[psutil.Process] = []
    with suppress(psutil.NoSuchProcess):
        root = psutil.Process(process.pid)
        family = [*root.children(recursive=True), root]
    for member in family:
        try:
            member.kill()
        except psutil.NoSuchProcess:
            continue
    process.wait(timeout=30)
    _, alive = psutil.wait_procs(family, timeout=30)
    assert not alive


def wait_for_port(port: int, process: subprocess.Popen[bytes], log: Path) -> None:
    """Wait until one of the head's servers listens; its log is shown where it does not."""
    end = time.monotonic() + READY_SECONDS
    while True:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        assert process.poll() is None, log.read_text()
        assert time.monotonic() < end, log.read_text()
        time.sleep(0.2)


@contextmanager
def ray_head(place: Path) -> Iterator[Head]:
    """Start a head; its token and its log are put into `place`."""
    token, log = place / "token", place / "head.log"
    token.write_text(secrets.token_hex(32))
    outside = {name: value for name, value in os.environ.items() if name != "RAY_ADDRESS"}
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    keys = {"OPENAI_API_KEY": SECRET, "ANTHROPIC_API_KEY": SECRET}
    env = {**outside, **keys, "PATH": path, "RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN_PATH": str(token)}
    env["RAY_metrics_report_interval_ms"] = str(REPORT_MS)
    names = (
        "port",
        "dashboard-port",
        "dashboard-agent-listen-port",
        "dashboard-agent-grpc-port",
        "metrics-export-port",
        "ray-client-server-port",
    )
    ports = {name: free_port() for name in names}
    # Ray puts Unix sockets there, whose paths may not be long.
    folder = Path("/tmp") / f"jr-{secrets.token_hex(4)}"
    options = [f"--{name}={port}" for name, port in ports.items()]
    command = [RAY, "start", "--head", "--block", "--node-ip-address=127.0.0.1", "--num-cpus=2"]
    with log.open("wb") as said:
        process = subprocess.Popen([*command, f"--temp-dir={folder}", *options], env=env, stdout=said, stderr=said)
    try:
        for name in ("dashboard-port", "metrics-export-port"):
            wait_for_port(ports[name], process, log)
        yield Head(f"http://127.0.0.1:{ports['dashboard-port']}", env, folder, ports)
    finally:
        end_tree(process)
        shutil.rmtree(folder, ignore_errors=True)
