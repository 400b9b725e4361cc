"""Laws of the lease, by which an object store is locked."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from upath import UPath

from judgeray.core.errors import BadInputError
from judgeray.engine import lease as lease_module
from judgeray.engine import presence
from judgeray.engine.layout import RepliesFolder
from judgeray.engine.lease import Lease, LeaseView, hold_lease, read_lease
from judgeray.engine.lock import is_held, last_session, run_lock, wait_for_workers
from judgeray.storage import objects
from judgeray.storage.objects import get, put, remove

QUICK = {
    "BEAT_SECONDS": 0.1,
    "DEAD_SECONDS": 2.0,
    "WORKER_DEAD_SECONDS": 1.0,
    "LOOK_SECONDS": 0.1,
    "SETTLE_SECONDS": 0.1,
}


@pytest.fixture
def path(far: RepliesFolder, monkeypatch: pytest.MonkeyPatch) -> UPath:
    """Where the lease of a replies folder lies; all waits are short."""
    for name, seconds in QUICK.items():
        monkeypatch.setattr(lease_module, name, seconds)
    lock = far.run_lock
    assert isinstance(lock, UPath)
    return lock


@contextmanager
def another_run(path: UPath) -> Iterator[subprocess.Popen[str]]:
    """A run in another process that holds the lease, until it is killed."""
    script = (
        "import sys, time; from judgeray.engine import lease; from judgeray.storage.place import place_of\n"
        f"for name, seconds in {QUICK!r}.items(): setattr(lease, name, seconds)\n"
        "with lease.hold_lease(place_of(sys.argv[1]), 'other', print):\n"
        "    print('held', flush=True); time.sleep(60)"
    )
    process = subprocess.Popen([sys.executable, "-c", script, str(path)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    try:
        yield process
    finally:
        process.kill()
        process.communicate(timeout=10)


def test_living_run_is_left_alone_and_a_killed_one_taken_over(path: UPath) -> None:
    """Who finds a lease watches it, says so, and refuses while it beats; after SIGKILL it takes over."""
    said: list[str] = []
    with another_run(path) as process:
        with pytest.raises(BadInputError, match="another run is using"), run_lock(path, "mine", said.append):
            raise AssertionError("held twice")
        process.kill()
        process.wait(timeout=10)
        with run_lock(path, "mine", said.append):
            assert read_lease(path) == Lease("mine")
    assert [f"{lease_module.DEAD_SECONDS:g} s" in each for each in said] == [True, True, False]
    assert "taken over" in said[-1]


def test_onlookers_see_whether_a_lease_is_held_and_change_nothing(path: UPath) -> None:
    """Looking takes nothing from the run that beats; a killed run is told from it, and an ended one at once."""
    said: list[str] = []
    assert not is_held(path, said.append)
    assert last_session(path) is None
    with another_run(path) as process:
        assert is_held(path, said.append)
        assert process.poll() is None
        assert last_session(path) == "other"
        process.kill()
        process.wait(timeout=10)
        left = get(path)
        assert not is_held(path, said.append)
        assert get(path) == left
    assert [f"up to {lease_module.DEAD_SECONDS:g} s" in each for each in said] == [True, True]


def test_lease_that_was_given_back_is_free_at_once(path: UPath) -> None:
    """A run that ended in order leaves nothing to watch."""
    said: list[str] = []
    for session in ("first", "second"):
        with hold_lease(path, session, said.append):
            pass
        assert get(path) is None
    assert said == []


def test_holder_beats_until_it_ends(path: UPath) -> None:
    """The lease changes as long as its run lives: that is what others look for."""
    with hold_lease(path, "mine", print):
        first = read_lease(path)
        time.sleep(0.5)
        assert read_lease(path) != first


def wait_until(told: Callable[[], object]) -> None:
    """Wait for something that another thread does."""
    end = time.monotonic() + 10
    while not told():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_holder_that_was_taken_over_is_told_and_touches_nothing(path: UPath) -> None:
    """A run that stood still finds another session in its lease: it ends, and leaves that lease as it is."""
    lost: list[str] = []
    with hold_lease(path, "mine", print, lost.append):
        put(path, Lease("other").to_bytes())
        wait_until(lambda: lost)
    assert "taken" in lost[0]
    assert read_lease(path) == Lease("other")


def test_holder_that_cannot_renew_ends_before_another_takes_over(
    path: UPath, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Storage that stays away ends the run, in the storage's words."""
    lost: list[str] = []

    def fails(*_: object) -> None:
        raise BadInputError("s3://bucket: cannot be written: gone")

    with hold_lease(path, "mine", print, lost.append):
        monkeypatch.setattr(lease_module, "put", fails)
        wait_until(lambda: lost)
    assert "could not be renewed" in lost[0]
    assert "gone" in lost[0]


def test_two_that_take_over_at_once_are_one(path: UPath) -> None:
    """Of two runs that find the same dead lease, one holds it and the other is told that it is in use."""
    put(path, Lease("dead", 7).to_bytes())
    outcomes: list[str] = []

    def run(session: str) -> None:
        try:
            with hold_lease(path, session, lambda _: None):
                outcomes.append("held")
                time.sleep(4)
        except BadInputError:
            outcomes.append("refused")

    threads = [threading.Thread(target=run, args=(name,)) for name in ("a", "b")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=30)
    assert sorted(outcomes) == ["held", "refused"]


def test_actor_sees_when_its_run_is_gone(path: UPath) -> None:
    """Gone is: no lease, another session's, or one that has not changed for a while by the actor's own clock."""
    now = [0.0]
    put(path, Lease("mine", 1).to_bytes())
    view = LeaseView(path, "mine", lambda: now[0])
    assert view.goes_on()
    assert not LeaseView(path, "other").goes_on()
    put(path, Lease("mine", 2).to_bytes())
    for seconds, goes_on in ((0.6, True), (0.6, True), (0.5, False)):
        now[0] += seconds
        assert view.goes_on() == goes_on
    remove([path])
    assert not LeaseView(path, "mine").goes_on()


def test_actor_bears_a_short_outage_of_the_storage(path: UPath, monkeypatch: pytest.MonkeyPatch) -> None:
    """A look that fails is not yet a run that is gone; many of them are."""
    now = [0.0]
    put(path, Lease("mine", 1).to_bytes())
    view = LeaseView(path, "mine", lambda: now[0])
    assert view.goes_on()
    monkeypatch.setattr(objects, "FIRST_WAIT_SECONDS", 0.01)
    monkeypatch.setattr(path.fs, "cat_file", _unreachable, raising=False)
    assert view.goes_on()
    now[0] += 1.1
    assert not view.goes_on()


def _unreachable(*_: object) -> bytes:
    raise TimeoutError("no answer")


def test_new_run_waits_until_no_actor_writes_its_status(
    far: RepliesFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An actor of a dead run lives while its status changes; the wait has a deadline, and cleans up after it."""
    monkeypatch.setattr(presence, "QUIET_SECONDS", 0.8)
    monkeypatch.setattr(presence, "LOOK_SECONDS", 0.1)
    status, ended = far.journal / "openai-1.status.json", threading.Event()
    assert isinstance(status, UPath)
    wait_for_workers(far.workers_lock)

    def work() -> None:
        number = 0
        while not ended.wait(0.1):
            number += 1
            put(status, str(number).encode())

    actor = threading.Thread(target=work)
    actor.start()
    time.sleep(0.5)
    with pytest.raises(BadInputError, match=r"still write there after 0.5 s \(openai-1.status.json\)"):
        wait_for_workers(far.workers_lock, deadline_seconds=0.5)
    ended.set()
    actor.join()
    wait_for_workers(far.workers_lock, deadline_seconds=10)
    assert get(status) is None
