"""Laws of small work: it needs no Ray, and nothing else is small."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import ray

from judgeray.core.call import Call
from judgeray.engine.here import SMALL_CALLS, StreamHere, is_small
from judgeray.engine.journal import read_replies, reply_journals
from judgeray.engine.layout import RepliesFolder
from judgeray.engine.lock import run_lock
from judgeray.engine.pool import PoolSetup
from judgeray.engine.rounds import Wanted
from judgeray.engine.spool import Spool
from judgeray.providers.account import Account
from tests.benchmarks.fast_server import fast_server

ACCOUNT = Account("desk", "openai", api_key_env="HERE_KEY")


def wanted(calls: int, in_batches: int = 0) -> Wanted:
    """A round that wants so many calls of one account."""
    return Wanted({}, {"desk": calls}, {}, {"desk": in_batches} if in_batches else {})


@pytest.mark.parametrize(
    ("round_", "account", "small"),
    [
        (wanted(1), {}, True),
        (wanted(SMALL_CALLS), {}, True),
        (wanted(SMALL_CALLS + 1), {}, False),
        (wanted(1, in_batches=5), {}, False),
        (wanted(1), {"mode": "auto"}, False),
        (wanted(1), {"kind": "nli"}, False),
    ],
)
def test_only_a_few_realtime_calls_are_small(
    round_: Wanted, account: dict[str, Any], small: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Batches, loaded models, many calls and clusters go through Ray."""
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    accounts = {"desk": replace(ACCOUNT, **account)}
    assert is_small(round_, accounts) is small
    monkeypatch.setenv("RAY_ADDRESS", "192.0.2.1:6379")
    assert not is_small(round_, accounts)


def test_small_work_is_answered_and_journaled_without_ray(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The pool's own actor does it in this process: every call has its reply on storage, and nothing stays open."""
    monkeypatch.setenv("HERE_KEY", "sk-here")
    folder = RepliesFolder(tmp_path / "replies")
    folder.make()
    calls = [Call("desk", "gpt-4.1", "You judge.", str(n)) for n in range(30)]
    spool = Spool(folder.spool)
    for call in calls:
        spool.add(call)
    files = spool.close()["desk"]
    with fast_server(0.01) as server, run_lock(folder.run_lock, "session"):
        account = replace(ACCOUNT, base_url=f"{server.url}/openai/v1", actors=3)
        stream = StreamHere(PoolSetup(account, folder.address, "session"), files)
        stream.start()
        stream.join(60)
        assert not stream.is_alive()
        assert len(server.answered()) == 30
    assert stream.error is None
    assert stream.counts["answered"] == 30
    kept = [reply.key for path in reply_journals(folder.journal) for reply in read_replies(path)]
    assert sorted(kept) == sorted(call.key for call in calls)
    assert not ray.is_initialized()
