"""Laws of the locks."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from judgeray.core.errors import BadInputError
from judgeray.engine.lock import hold_shared, is_held, last_session, run_goes_on, run_lock, wait_for_workers


def child(code: str, path: Path) -> subprocess.Popen[str]:
    """A process that takes a lock, says so, and sleeps."""
    script = f"import sys, time\nfrom pathlib import Path\nfrom judgeray.engine.lock import *\n{code}"
    process = subprocess.Popen([sys.executable, "-c", script, str(path)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


RUN = "with run_lock(Path(sys.argv[1]), 'other'):\n    print('held', flush=True); time.sleep(60)"
WORKER = "hold_shared(Path(sys.argv[1])); print('held', flush=True); time.sleep(60)"


def end(process: subprocess.Popen[str]) -> None:
    """Kill a child as a crash would."""
    process.kill()
    process.wait(timeout=10)
    assert process.stdout is not None
    process.stdout.close()


def test_two_runs_cannot_use_one_folder(tmp_path: Path) -> None:
    """The second run is told at once; after the first is killed, it may."""
    path = tmp_path / "run.lock"
    process = child(RUN, path)
    try:
        with pytest.raises(BadInputError, match="another run"), run_lock(path, "mine"):
            raise AssertionError("held twice")
    finally:
        end(process)
    with run_lock(path, "mine"):
        pass


def test_actor_knows_whether_its_own_run_goes_on(tmp_path: Path) -> None:
    """True only while the lock is held by the same session: a later run is not its run."""
    path = tmp_path / "run.lock"
    assert not run_goes_on(path, "other")
    process = child(RUN, path)
    try:
        assert run_goes_on(path, "other")
        assert not run_goes_on(path, "mine")
    finally:
        end(process)
    assert not run_goes_on(path, "other")


def test_onlookers_see_whether_a_lock_is_held_and_change_nothing(tmp_path: Path) -> None:
    """Looking makes no file, takes nothing from the run that holds it, and leaves it free where nobody does."""
    path = tmp_path / "run.lock"
    assert not is_held(path)
    assert last_session(path) is None
    assert not path.exists()
    process = child(RUN, path)
    try:
        path.chmod(0o444)
        assert is_held(path)
        assert run_goes_on(path, "other")
        assert last_session(path) == "other"
    finally:
        path.chmod(0o644)
        end(process)
    assert not is_held(path)
    with run_lock(path, "mine"):
        assert is_held(path)
    assert last_session(path) == "mine"


def test_new_run_waits_for_old_workers(tmp_path: Path) -> None:
    """No call is planned while an actor of an earlier run may still be appending; the wait has a deadline."""
    path = tmp_path / "workers.lock"
    process = child(WORKER, path)
    try:
        with pytest.raises(BadInputError, match="still hold"):
            wait_for_workers(path, deadline_seconds=0.2)
    finally:
        end(process)
    start = time.monotonic()
    wait_for_workers(path, deadline_seconds=10)
    assert time.monotonic() - start < 5


def test_workers_share_their_lock(tmp_path: Path) -> None:
    """Any number of actors hold it at the same time."""
    first, second = hold_shared(tmp_path / "w"), hold_shared(tmp_path / "w")
    assert first != second
    os.close(first)
    os.close(second)
