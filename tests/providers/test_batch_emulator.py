"""Batch clients against the emulator, which keeps the APIs' rules and breaks in their ways."""

from __future__ import annotations

import asyncio
import os
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import pytest

from judgeray.core.call import Call
from judgeray.emulator.batch_settings import Batches
from judgeray.emulator.behaviour import Behaviour
from judgeray.emulator.fault_names import FaultName
from judgeray.emulator.fault_settings import FaultRule, Faults
from judgeray.emulator.how import How
from judgeray.emulator.process import EmulatorProcess, start_emulator
from judgeray.providers.account import Account, Kind
from judgeray.providers.batch import (
    BatchClient,
    BatchLine,
    BatchMismatchError,
    BatchResult,
    BatchStatus,
    LostCreateError,
    custom_ids,
)
from judgeray.providers.connect import connect, connect_batch
from judgeray.providers.errors import ProviderError

DEADLINE_SECONDS = 20.0
ROUTES: dict[str, tuple[Kind, Any]] = {
    "openai responses": ("openai", "responses"),
    "openai chat": ("openai", "chat"),
    "anthropic": ("anthropic", "responses"),
    "google": ("google", "responses"),
}


@pytest.fixture(scope="module")
def emulator() -> Iterator[EmulatorProcess]:
    """One emulator for all tests, served anew for each."""
    os.environ["NO_PROXY"] = "127.0.0.1"
    with start_emulator(Behaviour()) as process:
        yield process


@pytest.fixture(params=list(ROUTES))
def account(request: pytest.FixtureRequest, emulator: EmulatorProcess) -> Account:
    """An account of each API in turn."""
    kind, api = ROUTES[request.param]
    urls = {"openai": emulator.openai_url, "anthropic": emulator.anthropic_url, "google": emulator.gemini_url}
    return Account(kind, kind, api, urls[kind], simulated=True, timeout_seconds=10.0)


@dataclass
class Ended:
    """A batch that has ended: its lines, its status, and one harvest with the error that cut it short."""

    batch_id: str
    lines: list[BatchLine]
    status: BatchStatus
    results: list[BatchResult] = field(default_factory=list)
    error: Exception | None = None

    @property
    def replies(self) -> dict[str, str | None]:
        """The texts by id."""
        return {result.custom_id: result.reply.text for result in self.results if result.reply}

    @property
    def reactions(self) -> Counter[str]:
        """How many errors ask for which reaction."""
        return Counter(result.reaction for result in self.results if result.reaction)


def _lines(count: int) -> list[BatchLine]:
    tag = f"t{uuid4().hex[:12]}"
    calls = [Call("account", "gpt-4.1", "Judge.", f"{tag}: is {n} even?") for n in range(count)]
    return [BatchLine(name, call) for name, call in zip(custom_ids(tag, count), calls, strict=True)]


@asynccontextmanager
async def _client(account: Account) -> AsyncIterator[BatchClient]:
    client = connect_batch(account)
    try:
        yield client
    finally:
        await client.close()


def _tag(lines: list[BatchLine]) -> str:
    return lines[0].custom_id.rpartition("-")[0]


async def _wait(client: BatchClient, batch_id: str) -> BatchStatus:
    end = time.monotonic() + DEADLINE_SECONDS
    while (status := await client.status(batch_id)).phase == "running":
        assert time.monotonic() < end, status
        await asyncio.sleep(0.03)
    return status


async def _harvest(client: BatchClient, ended: Ended) -> Ended:
    ended.results, ended.error = [], None
    try:
        async for result in client.results(ended.batch_id, {line.custom_id: line.call for line in ended.lines}):
            ended.results.append(result)
    except (ProviderError, BatchMismatchError) as error:
        ended.error = error
    return ended


def _serve(emulator: EmulatorProcess, *faults: FaultName, share: float = 1.0, **batches: Any) -> None:
    rules = tuple(FaultRule(fault=fault, probability=share) for fault in faults)
    emulator.set_how(How(faults=Faults(rules=rules), batches=Batches(batch_seconds=0.05, **batches)))


def _run(account: Account, emulator: EmulatorProcess, *faults: FaultName, count: int = 6, **batches: Any) -> Ended:
    """Submit a batch, wait for its end, harvest it once."""
    _serve(emulator, *faults, **batches)

    async def work() -> Ended:
        async with _client(account) as client:
            lines = _lines(count)
            batch_id = await client.upload_and_create(_tag(lines), lines, lambda *_: None)
            return await _harvest(client, Ended(batch_id, lines, await _wait(client, batch_id)))

    return asyncio.run(work())


def _again(account: Account, ended: Ended) -> Ended:
    async def work() -> Ended:
        async with _client(account) as client:
            return await _harvest(client, ended)

    return asyncio.run(work())


def _said_in_realtime(account: Account, lines: list[BatchLine]) -> dict[str, str | None]:
    async def work() -> dict[str, str | None]:
        client = connect(account)
        try:
            return {line.custom_id: (await client.answer(line.call)).text for line in lines}
        finally:
            await client.close()

    return asyncio.run(work())


def test_a_batch_says_what_realtime_says(account: Account, emulator: EmulatorProcess) -> None:
    """Every row is answered once, from the very prompt that a realtime call sends, and marked as simulated."""
    ended = _run(account, emulator)
    assert (ended.status.phase, ended.error, len(ended.results)) == ("ended", None, 6)
    assert ended.replies == _said_in_realtime(account, ended.lines)
    assert all(result.reply and result.reply.simulated and result.reply.mode == "batch" for result in ended.results)
    assert all(result.reply and result.reply.usage.output_tokens for result in ended.results)


@pytest.mark.parametrize("fault", ["shuffled_lines", "duplicate_lines", "unknown_state"])
def test_what_does_no_harm_does_none(account: Account, emulator: EmulatorProcess, fault: FaultName) -> None:
    """Order, repetition and new words for a state change nothing."""
    ended = _run(account, emulator, fault)
    assert (ended.error, sorted(ended.replies)) == (None, sorted(line.custom_id for line in ended.lines))


def test_empty_file_ids_are_no_files(account: Account, emulator: EmulatorProcess) -> None:
    """An empty id is no file to ask for; where it stands for the only one, the paid rows are asked for again."""
    ended = _run(account, emulator, "empty_file_ids")
    if account.kind == "google":
        assert isinstance(ended.error, ProviderError)
        assert ended.error.code == "batch:no_file"
    else:
        assert (ended.error, len(ended.replies)) == (None, 6)


def test_missing_lines_are_not_made_up(account: Account, emulator: EmulatorProcess) -> None:
    """A row without a line has no result; the others have theirs."""
    ended = _run(account, emulator, "missing_lines", count=20, share=0.5)
    said = _said_in_realtime(account, ended.lines)
    assert ended.error is None
    assert 0 < len(ended.replies) < 20
    assert ended.replies.items() <= said.items()


def test_foreign_keys_stop_the_harvest(account: Account, emulator: EmulatorProcess) -> None:
    """A key that nobody sent is refused."""
    ended = _run(account, emulator, "foreign_keys")
    assert (type(ended.error), ended.results) == (BatchMismatchError, [])


@pytest.mark.parametrize("fault", ["truncated_results", "cut_download"])
def test_a_spoiled_download_can_be_repeated(account: Account, emulator: EmulatorProcess, fault: FaultName) -> None:
    """The first harvest gives a part and asks again; the next gives all."""
    ended = _run(account, emulator, fault)
    assert isinstance(ended.error, ProviderError)
    assert (ended.error.reaction, len(ended.results) < 6) == ("retry", True)
    part = ended.replies
    again = _again(account, ended)
    assert (again.error, len(again.replies), part.items() <= again.replies.items()) == (None, 6, True)


def test_an_expired_batch_keeps_what_it_has(account: Account, emulator: EmulatorProcess) -> None:
    """Finished rows are replies, the rest asks for another try; Gemini gives nothing at all."""
    ended = _run(account, emulator, "expired")
    if account.kind == "google":
        assert (ended.results, ended.status.retry_whole) == ([], True)
    else:
        assert (len(ended.replies), ended.reactions) == (3, {"retry": 3})
        assert not ended.status.retry_whole


def test_failed_rows_say_why(account: Account, emulator: EmulatorProcess) -> None:
    """A batch may succeed in which every row failed."""
    ended = _run(account, emulator, "all_rows_failed")
    assert (ended.error, ended.replies, ended.status.problem) == (None, {}, None)
    assert sum(ended.reactions.values()) == 6
    assert all(result.message for result in ended.results)


@pytest.mark.parametrize(("fault", "reaction"), [("server_error", "retry"), ("context_length", "row")])
def test_a_row_meets_its_own_fault(
    account: Account, emulator: EmulatorProcess, fault: FaultName, reaction: str
) -> None:
    """What befalls a row is told with the reaction that the same fault has in realtime."""
    ended = _run(account, emulator, fault)
    assert (ended.error, ended.reactions) == (None, {reaction: 6})


def test_a_batch_that_fails_whole_says_so(account: Account, emulator: EmulatorProcess) -> None:
    """Anthropic knows no such failure; the other two tell their reason in the status."""
    ended = _run(account, emulator, "failed")
    if account.kind == "anthropic":
        assert ended.status.problem is None
    else:
        assert (ended.status.problem is not None, ended.results) == (True, [])
        assert ended.status.reaction is not None


def test_a_full_queue_is_busy(account: Account, emulator: EmulatorProcess) -> None:
    """Where too much is enqueued nothing runs, and the same batch may be taken later."""
    full: dict[str, dict[str, Any]] = {
        "openai": {"openai_enqueued_tokens": {"default": 1}},
        "anthropic": {"anthropic_queued_rows": 1},
        "google": {"gemini_enqueued_tokens": {"default": 1}},
    }
    try:
        told = _run(account, emulator, **full[account.kind]).status.reaction
    except LostCreateError:
        told = None
    except ProviderError as error:
        told = error.reaction
    assert told == "busy"


def test_a_lost_create_is_found_again(account: Account, emulator: EmulatorProcess) -> None:
    """The batch that was made is the one that is found, is verified, and answers every row."""
    _serve(emulator, "lost_create")

    async def work() -> Ended:
        async with _client(account) as client:
            lines, steps = _lines(5), list[tuple[str, str]]()
            since = datetime.now(UTC)
            with pytest.raises(LostCreateError):
                await client.upload_and_create(_tag(lines), lines, lambda *step: steps.append(step))
            uploaded = steps[0][1] if steps else None
            found = await client.find(_tag(lines), since, len(lines), uploaded)
            mine = [name for name in found if await _mine(client, name, lines)]
            assert len(mine) == 1, found
            return await _harvest(client, Ended(mine[0], lines, await client.status(mine[0])))

    ended = asyncio.run(work())
    assert (ended.error, len(ended.replies)) == (None, 5)


async def _mine(client: BatchClient, batch_id: str, lines: list[BatchLine]) -> bool:
    await _wait(client, batch_id)
    return await client.verify(batch_id, {line.custom_id for line in lines}) is True


def test_a_batch_can_be_cancelled_and_read(account: Account, emulator: EmulatorProcess) -> None:
    """Cancelling ends a batch; what it gives is read like any other's; cancelling twice is no error."""
    emulator.set_how(How(batches=Batches(batch_seconds=30.0, cancel_seconds=0.05)))

    async def work() -> Ended:
        async with _client(account) as client:
            lines = _lines(4)
            batch_id = await client.upload_and_create(_tag(lines), lines, lambda *_: None)
            await client.cancel(batch_id)
            ended = Ended(batch_id, lines, await _wait(client, batch_id))
            await client.cancel(batch_id)
            return await _harvest(client, ended)

    ended = asyncio.run(work())
    assert ended.error is None
    assert len(ended.replies) + ended.reactions["retry"] == (0 if account.kind == "google" else 4)


def test_sampling_parameters_travel_in_batches(account: Account, emulator: EmulatorProcess) -> None:
    """A temperature is taken by every API: Anthropic's older version is asked for the whole batch."""
    _serve(emulator)

    async def work() -> Ended:
        async with _client(account) as client:
            lines = [
                BatchLine(line.custom_id, Call("a", "claude-haiku-4-5", None, line.call.user, {"temperature": 0}))
                for line in _lines(2)
            ]
            batch_id = await client.upload_and_create(_tag(lines), lines, lambda *_: None)
            return await _harvest(client, Ended(batch_id, lines, await _wait(client, batch_id)))

    ended = asyncio.run(work())
    assert (ended.error, len(ended.replies), ended.reactions) == (None, 2, {})
