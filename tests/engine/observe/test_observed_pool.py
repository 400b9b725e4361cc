"""Laws of an observed pool's actor: its figures are right at any moment, and its log holds no key and no text."""

from __future__ import annotations

import asyncio
import json
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pyarrow as pa
import pytest

from judgeray.core.call import Call
from judgeray.core.reply import Reply
from judgeray.engine.journal import JournalWriter
from judgeray.engine.layout import RepliesFolder
from judgeray.engine.lock import run_lock
from judgeray.engine.observe import observer as observer_module
from judgeray.engine.observe.metrics import BUSY, FAILED, IN_FLIGHT, RETRIES, WAITING
from judgeray.engine.observe.observed import Observed
from judgeray.engine.observe.observer import Waits
from judgeray.engine.others import others_of
from judgeray.engine.pool import AnswerPool, PoolSetup
from judgeray.engine.spool import SCHEMA
from judgeray.providers.account import Account
from tests.engine.observe.recorded import Recorded

KEY = "sk-test-0123456789abcdefghij"
TEXT = "the moon is made of green cheese"
STATUSES = (429, 500, 400)
"""What each prompt is answered with, one after the other."""


class Quoting(BaseHTTPRequestHandler):
    """Answers with errors that quote everything: the key, the headers, the prompt."""

    asked: Counter[str]

    def do_POST(self) -> None:
        """One request; the prompt's earlier ones decide the status."""
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        prompt = json.loads(body)["messages"][-1]["content"]
        status = STATUSES[min(self.asked[prompt], len(STATUSES) - 1)]
        self.asked[prompt] += 1
        words = f"no: {self.headers.as_string()} {body}"
        answer = json.dumps({"error": {"message": words, "type": "some_error", "code": "some_code"}}).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.send_header("Retry-After", "0.01")
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def quoting() -> Iterator[str]:
    """The base URL of such a server."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (Quoting,), {"asked": Counter()}))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/v1"
    server.shutdown()
    server.server_close()
    thread.join(timeout=10)


@pytest.fixture
def meters(monkeypatch: pytest.MonkeyPatch) -> Recorded:
    """What the actor hands to Ray, without Ray."""
    recorded = Recorded()
    monkeypatch.setattr(observer_module, "RayMetrics", lambda run: recorded)
    return recorded


@pytest.fixture
def running(folder: RepliesFolder) -> Iterator[RepliesFolder]:
    """A replies folder held by a run."""
    with run_lock(folder.run_lock, "session"):
        yield folder


def answer(pool: AnswerPool, calls: list[Call]) -> dict[str, list[int]]:
    """Run one block through an actor."""
    columns = {"key": [call.key for call in calls], "call": [call.to_json().encode() for call in calls]}

    async def go() -> dict[str, list[int]]:
        tables = [table async for table in pool(pa.table(columns, schema=SCHEMA))]
        await pool.close()
        counts: dict[str, list[int]] = tables[0].to_pydict()
        return counts

    return asyncio.run(go())


def test_no_key_and_no_text_of_a_quoting_server_is_logged(
    quoting: str, meters: Recorded, running: RepliesFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """429s, retries, refused rows and a stopped account are all logged, and none of what the server quotes."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    account = Account("openai", "openai", api="chat", base_url=quoting, concurrency=5)
    observed = Observed.below(tmp_path, "bench", "session")
    calls = [Call("openai", "gpt-4.1", None, f"{TEXT} {number}") for number in range(5)]
    results = answer(AnswerPool(PoolSetup(account, str(running.path), "session", observed=observed)), calls)
    assert results["failed"] == [5]
    (log,) = (tmp_path / "logs").glob("*/*.jsonl")
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    events = Counter(line["event"] for line in lines if line["event"] != "limit_changed")
    assert events == {"actor_opened": 1, "busy": 5, "retry": 5, "call_failed": 5, "account_stopped": 1}
    assert {line["code"] for line in lines if line["event"] == "busy"} == {"429:some_code"}
    assert lines[-1]["words"] == "5 rows in a row were refused alike: 400:some_code"
    assert KEY not in log.read_text()
    assert "cheese" not in log.read_text()
    assert "Authorization" not in log.read_text()
    assert (meters.total(BUSY), meters.total(RETRIES), meters.total(FAILED)) == (5, 5, 5)


class Looking:
    """A client that looks, each time it is asked, at what the pool says of its calls."""

    def __init__(self, make_reply: Callable[[Call], Reply]) -> None:
        self.make_reply, self.seen_limits = make_reply, dict[str, float]()
        self.pool: AnswerPool | None = None
        self.seen: list[Waits] = []

    async def answer(self, call: Call) -> Reply:
        """Answer after a moment."""
        await asyncio.sleep(0.01)
        assert self.pool is not None
        self.seen.append(self.pool._waits())
        return self.make_reply(call)

    async def close(self) -> None:
        """Nothing to close."""


def test_every_call_of_a_block_is_in_one_place(
    running: RepliesFolder,
    meters: Recorded,
    tmp_path: Path,
    make_call: Callable[[str], Call],
    make_reply: Callable[[Call], Reply],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Calls in flight and calls that wait are never more than there are, and none when the block is done."""
    client = Looking(make_reply)
    monkeypatch.setattr("judgeray.engine.pool.connect", lambda account: client)
    calls = [make_call(str(number)) for number in range(40)]
    other = JournalWriter(running.journal, "openai-other")
    for call in calls[:10]:
        other.append(make_reply(call))
    other.close()
    observed = Observed.below(tmp_path, "bench", "session")
    account = Account("openai", "openai", concurrency=6)
    client.pool = pool = AnswerPool(PoolSetup(account, str(running.path), "session", observed=observed))
    asyncio.run(others_of(running, "openai").answered([call.key for call in calls]))
    assert answer(pool, calls)["answered"] == [40]
    assert len(client.seen) == 30
    assert max(waits.in_flight + waits.for_limit for waits in client.seen) <= 6
    assert max(waits.in_flight for waits in client.seen) > 1
    assert max(waits.for_slot for waits in client.seen) > 10
    assert all(0 < sum(waits[:3]) <= 30 and min(waits[:3]) >= 0 for waits in client.seen)
    assert pool._waits() == Waits(0)
    assert {*meters.gauges[IN_FLIGHT].values(), *meters.gauges[WAITING].values()} == {0}


def test_full_disk_is_told_and_ends_the_block(
    running: RepliesFolder,
    meters: Recorded,
    tmp_path: Path,
    make_call: Callable[[str], Call],
    make_reply: Callable[[Call], Reply],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A reply that cannot be kept is no answer: storage's own words are logged, and the error goes on its way."""
    client = Looking(make_reply)
    monkeypatch.setattr("judgeray.engine.pool.connect", lambda account: client)

    def full(journal: JournalWriter, answer: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(JournalWriter, "append", full)
    observed = Observed.below(tmp_path, "bench", "session")
    setup = PoolSetup(Account("openai", "openai"), str(running.path), "session", observed=observed)
    client.pool = AnswerPool(setup)
    with pytest.raises(OSError, match="No space left"):
        answer(client.pool, [make_call("a")])
    (log,) = (tmp_path / "logs").glob("*/*.jsonl")
    line = json.loads(log.read_text().splitlines()[-1])
    assert (line["event"], line["errno"], line["words"]) == ("storage_problem", 28, "No space left on device")
    assert meters.total(FAILED) == 0
