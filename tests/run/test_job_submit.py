"""The law of clusters: the same command, submitted as a Ray job to a real head with token authentication."""

from __future__ import annotations

import os
import secrets
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest

from tests.run.bench import ROOT, MakeBench

RAY = str(Path(sys.executable).parent / "ray")
READY_SECONDS = 90
JOB_SECONDS = 180
SECRET = "sk-test-0123456789abcdefghij"


@dataclass
class Head:
    """A local Ray head: its job server's address, the environment that lets clients in, and its folder."""

    address: str
    env: dict[str, str]
    folder: Path


def free_port() -> int:
    """A port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def end_tree(process: subprocess.Popen[bytes]) -> None:
    """End exactly the processes that the head started, by their recorded pids."""
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
    """Wait until the job server listens; its log is shown where it does not."""
    end = time.monotonic() + READY_SECONDS
    while True:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        assert process.poll() is None, log.read_text()
        assert time.monotonic() < end, log.read_text()
        time.sleep(0.2)


@pytest.fixture
def head(tmp_path: Path) -> Iterator[Head]:
    """A head of its own ports, folder and token, ended by the pids it started."""
    token, log = tmp_path / "token", tmp_path / "head.log"
    token.write_text(secrets.token_hex(32))
    outside = {name: value for name, value in os.environ.items() if name != "RAY_ADDRESS"}
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    keys = {"OPENAI_API_KEY": SECRET, "ANTHROPIC_API_KEY": SECRET}
    env = {**outside, **keys, "PATH": path, "RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN_PATH": str(token)}
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
        wait_for_port(ports["dashboard-port"], process, log)
        yield Head(f"http://127.0.0.1:{ports['dashboard-port']}", env, folder)
    finally:
        end_tree(process)
        shutil.rmtree(folder, ignore_errors=True)


def test_submitted_job_runs_the_grid(head: Head, make_bench: MakeBench) -> None:
    """`ray job submit` of the public command joins the cluster, settles every row and succeeds."""
    bench = make_bench()
    submit = [RAY, "job", "submit", "--address", head.address, "--"]
    job = ["python", str(ROOT / "jobs" / "run_grid.py"), str(bench.manifest), "--output", str(bench.output)]
    end = time.monotonic() + READY_SECONDS
    while True:
        done = subprocess.run(
            [*submit, *job], env=head.env, capture_output=True, text=True, timeout=JOB_SECONDS, check=False
        )
        said = done.stdout + done.stderr
        if "No available agent" not in said or time.monotonic() > end:
            break
        time.sleep(1)  # the head's job agent comes up a little after its port
    assert done.returncode == 0, said
    assert "succeeded" in said
    verdicts = bench.verdicts()
    assert verdicts.height == 320
    assert set(verdicts["status"]) == {"ok"}
    counts = bench.emulator.counts()
    assert counts["received"] == counts["prompts"] == 320
    listed = subprocess.run(
        [RAY, "job", "list", "--address", head.address, "-v"],
        env=head.env,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert SECRET not in said + listed.stdout + listed.stderr
    for path in (*head.folder.rglob("*"), *bench.output.rglob("*")):
        assert not path.is_file() or SECRET.encode() not in path.read_bytes(), path
