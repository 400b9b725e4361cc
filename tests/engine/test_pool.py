"""Laws of the pool's actor, run in this process: Ray only moves blocks to it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType

import pyarrow as pa
import pytest

from judgeray.core.call import Call
from judgeray.core.errors import BadInputError
from judgeray.core.reply import Reply
from judgeray.engine import part_journal
from judgeray.engine import pool as pool_module
from judgeray.engine.journal import read_failures
from judgeray.engine.layout import RepliesFolder
from judgeray.engine.lock import run_lock
from judgeray.engine.others import others_of
from judgeray.engine.pool import OPENING_CALLS, AnswerPool, PoolSetup
from judgeray.engine.spool import SCHEMA
from judgeray.providers.account import Account, Limits
from judgeray.providers.client import Client
from judgeray.providers.errors import ProviderError
from judgeray.storage.files import write_whole
from tests.engine.conftest import journaled, kept_replies

MakeReply = Callable[..., Reply]


class Fake:
    """A client that answers at once, or raises; remembers what it was asked and how many at a time."""

    seen_limits: Mapping[str, float] = MappingProxyType({})

    def __init__(self, make_reply: MakeReply, error: ProviderError | None = None, seconds: float = 0.005) -> None:
        self.make_reply, self.error, self.seconds = make_reply, error, seconds
        self.asked: list[str] = []
        self.now = self.peak = self.peak_before_first_reply = 0
        self.replied = False

    async def answer(self, call: Call) -> Reply:
        """Answer after a moment."""
        self.asked.append(call.user)
        self.now += 1
        self.peak = max(self.peak, self.now)
        if not self.replied:
            self.peak_before_first_reply = self.peak
        await asyncio.sleep(self.seconds)
        self.now -= 1
        if self.error:
            raise self.error
        self.replied = True
        reply: Reply = self.make_reply(call)
        return reply

    async def close(self) -> None:
        """Nothing to close."""


def block(calls: list[Call]) -> pa.Table:
    """A block as the spool gives it."""
    columns = {"key": [call.key for call in calls], "call": [call.to_json().encode() for call in calls]}
    return pa.table(columns, schema=SCHEMA)


def answer_blocks(pool: AnswerPool, blocks: list[list[Call]]) -> list[dict[str, list[int]]]:
    """Run several blocks at once through one actor."""

    async def go() -> list[dict[str, list[int]]]:
        async def one(calls: list[Call]) -> dict[str, list[int]]:
            tables = [table async for table in pool(block(calls))]
            (table,) = tables
            counts: dict[str, list[int]] = table.to_pydict()
            return counts

        results = await asyncio.gather(*(one(calls) for calls in blocks))
        await pool.close()
        return results

    return asyncio.run(go())


@pytest.fixture
def running(any_folder: RepliesFolder) -> Iterator[RepliesFolder]:
    """A replies folder held by a run."""
    with run_lock(any_folder.run_lock, "session"):
        yield any_folder


@pytest.fixture
def actor(running: RepliesFolder, monkeypatch: pytest.MonkeyPatch) -> Callable[..., AnswerPool]:
    """Builds an actor that uses a fake client."""

    def build(client: Client | BadInputError, concurrency: int = 64, per_day: int | None = None) -> AnswerPool:
        def connect(account: Account) -> Client:
            if isinstance(client, BadInputError):
                raise client
            assert account.name == "openai"
            return client

        monkeypatch.setattr(pool_module, "connect", connect)
        account = Account("openai", "openai", concurrency=concurrency, limits=Limits(requests_per_day=per_day))
        return AnswerPool(PoolSetup(account, running.address, "session"))

    return build


@pytest.fixture
def calls(make_call: Callable[[str], Call]) -> list[Call]:
    """Thirty calls."""
    return [make_call(str(n)) for n in range(30)]


def kept(folder: RepliesFolder) -> list[str]:
    """Keys of all journaled replies."""
    return [reply.key for reply in kept_replies(folder.journal)]


def test_every_call_is_journaled_once(
    actor: Callable[..., AnswerPool], running: RepliesFolder, calls: list[Call], make_reply: MakeReply
) -> None:
    """Each call of each block has one reply on storage when its block is yielded."""
    results = answer_blocks(actor(Fake(make_reply)), [calls[:10], calls[10:]])
    assert sum(result["answered"][0] for result in results) == 30
    assert sorted(kept(running)) == sorted(call.key for call in calls)


def test_concurrency_holds_over_all_blocks(
    actor: Callable[..., AnswerPool], calls: list[Call], make_reply: MakeReply
) -> None:
    """The limit is the actor's, not the block's; before the first reply only a few calls are risked."""
    client = Fake(make_reply, seconds=0.3)
    answer_blocks(actor(client, concurrency=7), [calls[:10], calls[10:20], calls[20:]])
    assert client.peak_before_first_reply <= OPENING_CALLS
    assert OPENING_CALLS < client.peak <= 7


def test_call_journaled_by_another_actor_is_not_bought_again(
    actor: Callable[..., AnswerPool], running: RepliesFolder, calls: list[Call], make_reply: MakeReply
) -> None:
    """A block that Ray runs again after an actor died pays only for what that actor had not journaled."""
    asyncio.run(others_of(running, "openai").answered([call.key for call in calls]))
    journaled(running.journal, "openai-dead", [make_reply(call) for call in calls[:20]])
    client = Fake(make_reply)
    (result,) = answer_blocks(actor(client), [calls])
    assert result["answered"] == [30]
    assert sorted(client.asked) == sorted(call.user for call in calls[20:])


def test_block_that_comes_again_is_not_bought_again(
    actor: Callable[..., AnswerPool], calls: list[Call], make_reply: MakeReply
) -> None:
    """Where a block's result was lost on its way, the same actor finds in its own journal what it answered."""
    client = Fake(make_reply)
    pool = actor(client)

    async def twice() -> list[dict[str, list[int]]]:
        results = [table.to_pydict() for _ in range(2) async for table in pool(block(calls))]
        await pool.close()
        return results

    assert [result["answered"] for result in asyncio.run(twice())] == [[30], [30]]
    assert len(client.asked) == 30


def test_fatal_failure_stops_the_account_within_a_few_calls(
    actor: Callable[..., AnswerPool], running: RepliesFolder, calls: list[Call], make_reply: MakeReply
) -> None:
    """A bad key costs no more than the opening calls; the words are left for the run, the rest is unsent."""
    client = Fake(make_reply, ProviderError("account", "openai answered 401: bad key"))
    (result,) = answer_blocks(actor(client), [calls])
    assert len(client.asked) <= OPENING_CALLS
    assert result["failed"][0] == len(client.asked)
    assert result["unsent"][0] == 30 - len(client.asked)
    assert running.stopped("openai") == "openai answered 401: bad key"
    assert len(read_failures(running.journal)) == len(client.asked)


def test_same_refusal_for_five_rows_stops_the_account(
    actor: Callable[..., AnswerPool], running: RepliesFolder, calls: list[Call], make_reply: MakeReply
) -> None:
    """Five distinct rows with the same 400 are a setting's fault; more are not paid for than were in flight."""
    client = Fake(make_reply, ProviderError("row", "openai answered 400: bad field", code="400:bad_field"))
    (result,) = answer_blocks(actor(client), [calls])
    assert len(client.asked) <= 5 + OPENING_CALLS
    assert result["unsent"][0] >= 30 - 5 - OPENING_CALLS
    assert "5 rows in a row" in str(running.stopped("openai"))


def test_rows_that_are_to_blame_themselves_stop_nobody(
    actor: Callable[..., AnswerPool], running: RepliesFolder, calls: list[Call], make_reply: MakeReply
) -> None:
    """Texts that are too long fail one by one; the account goes on."""
    too_long = ProviderError("row", "openai answered 400: too long", code="400:too_long", blames_row=True)
    (result,) = answer_blocks(actor(Fake(make_reply, too_long)), [calls])
    assert result["failed"] == [30]
    assert running.stopped("openai") is None


def test_missing_key_on_the_node_stops_the_account(
    actor: Callable[..., AnswerPool], running: RepliesFolder, calls: list[Call]
) -> None:
    """An actor that cannot read its key sends nothing and says why."""
    (result,) = answer_blocks(actor(BadInputError("no API key")), [calls])
    assert result["unsent"] == [30]
    assert running.stopped("openai") == "no API key"


def test_stop_flag_leaves_the_rest_unsent(
    actor: Callable[..., AnswerPool], running: RepliesFolder, calls: list[Call], make_reply: MakeReply
) -> None:
    """After a stop no further call starts."""
    write_whole(running.stop_flag(), b"")
    client = Fake(make_reply)
    (result,) = answer_blocks(actor(client), [calls])
    assert client.asked == []
    assert result["unsent"] == [30]


def test_day_limit_stops_the_account_cleanly(
    actor: Callable[..., AnswerPool], running: RepliesFolder, calls: list[Call], make_reply: MakeReply
) -> None:
    """When the day's requests are used up, the rest is left unsent and the reason is said."""
    client = Fake(make_reply)
    (result,) = answer_blocks(actor(client, per_day=12), [calls])
    assert len(client.asked) <= 12
    assert result["answered"][0] + result["unsent"][0] == 30
    assert "requests_per_day is used up" in str(running.stopped("openai"))


@pytest.mark.parametrize("any_folder", ["s3"], indirect=True)
def test_storage_that_keeps_nothing_stops_the_actor(
    actor: Callable[..., AnswerPool], calls: list[Call], make_reply: MakeReply, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A reply that cannot be kept is told of with its block, in the storage's words; nothing further is asked."""

    def fails(*_: object) -> None:
        raise BadInputError("s3://bucket: cannot be written: no space")

    monkeypatch.setattr(part_journal, "put", fails)
    client = Fake(make_reply)
    results = answer_blocks(actor(client, concurrency=8), [calls[:20], calls[20:]])
    assert len(client.asked) <= 8
    assert sum(result["unsent"][0] for result in results) == 30
    assert all("could not be kept: s3://bucket: cannot be written: no space" in str(r["problem"]) for r in results)
