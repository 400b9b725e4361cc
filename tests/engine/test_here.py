"""Laws of small work: it needs no Ray, and nothing else is small."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import ray

from judgeray.core.call import Call
from judgeray.engine.here import SMALL_CALLS, answered_here, is_small
from judgeray.engine.journal import read_replies, reply_journals
from judgeray.engine.layout import RepliesFolder
from judgeray.engine.lock import run_lock, wait_for_workers
from judgeray.engine.pool import PoolSetup
from judgeray.engine.presence import statuses
from judgeray.engine.rounds import Wanted
from judgeray.engine.spool import Spool
from judgeray.providers.account import Account
from judgeray.storage.place import Place
from tests.benchmarks.fast_server import fast_server

ACCOUNT = Account("desk", "openai", api_key_env="HERE_KEY")


def wanted(calls: int, in_batches: int = 0) -> Wanted:
    """A round that wants so many calls of one account."""
    return Wanted({}, {"desk": calls}, {}, {"desk": in_batches} if in_batches else {})


def spooled(folder: RepliesFolder, calls: list[Call]) -> list[Place]:
    """Write calls down as a round does."""
    folder.make()
    spool = Spool(folder.spool)
    for call in calls:
        spool.add(call)
    return spool.close()["desk"]


@pytest.mark.parametrize(
    ("round_", "account", "small"),
    [
        (wanted(1), {}, True),
        (wanted(SMALL_CALLS), {}, True),
        (wanted(SMALL_CALLS + 1), {}, False),
        (wanted(1, in_batches=5), {"mode": "auto"}, True),
        (wanted(1, in_batches=SMALL_CALLS), {"mode": "batch"}, False),
        (wanted(0), {"kind": "nli"}, True),
        (wanted(1), {"kind": "nli"}, False),
    ],
)
def test_only_a_few_calls_are_small(
    round_: Wanted, account: dict[str, Any], small: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Loaded models, many calls and clusters go through Ray."""
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    accounts = {"desk": replace(ACCOUNT, **account)}
    assert is_small(round_, accounts) is small
    monkeypatch.setenv("RAY_ADDRESS", "192.0.2.1:6379")
    assert not is_small(round_, accounts)


def test_small_work_is_answered_and_journaled_without_ray(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The pool's own actor does it in this process: every call has its reply on storage, and nothing stays open."""
    monkeypatch.setenv("HERE_KEY", "sk-here")
    folder = RepliesFolder(tmp_path / "replies")
    calls = [Call("desk", "gpt-4.1", "You judge.", str(n)) for n in range(30)]
    files = spooled(folder, calls)
    with fast_server(0.01) as server, run_lock(folder.run_lock, "session"):
        account = replace(ACCOUNT, base_url=f"{server.url}/openai/v1", actors=3)
        stream = answered_here(PoolSetup(account, folder.address, "session"), files)
        stream.start()
        stream.join(60)
        assert not stream.is_alive()
        assert len(server.answered()) == 30
    assert stream.error is None
    assert stream.counts["answered"] == 30
    kept = [reply.key for path in reply_journals(folder.journal) for reply in read_replies(path)]
    assert sorted(kept) == sorted(call.key for call in calls)
    assert not ray.is_initialized()


def test_what_is_cut_off_ends_at_once_and_lets_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Calls that a stop leaves in flight hold nothing up: no later round or run waits for them."""
    monkeypatch.setenv("HERE_KEY", "sk-here")
    folder = RepliesFolder(tmp_path / "replies")
    files = spooled(folder, [Call("desk", "gpt-4.1", "You judge.", "?")])
    with fast_server(600.0) as server, run_lock(folder.run_lock, "session"):
        account = replace(ACCOUNT, base_url=f"{server.url}/openai/v1")
        stream = answered_here(PoolSetup(account, folder.address, "session"), files)
        stream.start()
        while not (told := statuses(folder.journal)) or json.loads(min(told.values())).get("in_flight") != 1:
            stream.join(0.05)
            assert stream.is_alive()
        stream.cut_off()
        stream.join(30)
        assert not stream.is_alive()
        wait_for_workers(folder.workers_lock, 0.0)
        stream.cut_off()
    assert stream.counts["answered"] == 0
