"""Laws of the batch records, of cutting, of the queue, and of who goes where."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgeray.core.call import Call
from judgeray.engine.batches.counter import to_batches
from judgeray.engine.batches.cut import cut, group
from judgeray.engine.batches.queue import Queue
from judgeray.engine.batches.record import BatchRecords
from judgeray.engine.layout import RepliesFolder
from judgeray.engine.spool import Spool
from judgeray.providers.account import Account, BatchSettings
from judgeray.providers.batch import BatchCaps
from judgeray.storage.place import Place

MakeCall = Callable[[str], Call]


@pytest.fixture
def records(any_folder: RepliesFolder) -> BatchRecords:
    """Records in an empty folder, in either kind of place."""
    return BatchRecords(any_folder.batches)


def test_intent_is_on_storage_with_all_its_calls(records: BatchRecords, make_call: MakeCall) -> None:
    """What was written down is read back whole: the calls, their ids, and that nothing was sent."""
    calls = [make_call(text) for text in ("a", "b\ud800", "c\0")]
    record = records.begin("openai", calls)
    (found,) = records.open()
    assert found == record
    assert found.step == "intent"
    assert [line.call for line in records.lines(found)] == calls
    assert list(records.keys([found])) == [call.key for call in calls]
    assert len({line.custom_id for line in records.lines(found)}) == 3


def test_second_attempt_at_the_same_calls_has_a_tag_of_its_own(records: BatchRecords, make_call: MakeCall) -> None:
    """Tags are how batches are found again: no two attempts share one."""
    first, second = (records.begin("openai", [make_call("a")]) for _ in range(2))
    assert first.tag != second.tag
    assert first.tag[:-1] == second.tag[:-1]


def test_closed_records_are_not_open(records: BatchRecords, make_call: MakeCall) -> None:
    """Harvested, refused, stuck and mismatched batches are done with."""
    record = records.begin("openai", [make_call("a")])
    for step in ("harvested", "refused", "stuck", "mismatch"):
        assert records.change(record, step=step).step == step
        assert records.open() == []
    assert len(records.all()) == 1


@given(lengths=st.lists(st.integers(0, 3000), max_size=60), most=st.integers(1, 7), room=st.integers(4000, 20_000))
def test_cut_keeps_every_call_once_within_the_caps(lengths: list[int], most: int, room: int) -> None:
    """No call is lost or doubled; no batch is over count, over bytes (unless one call is), or of mixed models."""
    calls = [Call("openai", f"m{n % 2}", None, "x" * length, replicate=n) for n, length in enumerate(lengths)]
    batches = list(cut(calls, BatchCaps(most, room, True)))
    assert sorted(call.key for batch in batches for call in batch) == sorted(call.key for call in calls)
    for batch in batches:
        assert 0 < len(batch) <= most
        assert len({group(call) for call in batch}) == 1
        assert len(batch) == 1 or sum(len(call.user) for call in batch) < room


def spooled(tmp_path: Path, calls: list[Call]) -> list[Place]:
    """Calls on disk as a round leaves them."""
    spool = Spool(tmp_path / "spool")
    for call in calls:
        spool.add(call)
    return spool.close()["openai"]


def test_auto_sends_few_calls_realtime(records: BatchRecords, make_call: MakeCall, tmp_path: Path) -> None:
    """Below the stated number a batch is not worth its wait."""
    account = Account("openai", "openai", mode="auto", batch=BatchSettings(from_calls=10))
    realtime = Spool(tmp_path / "realtime")
    files = spooled(tmp_path, [make_call(str(n)) for n in range(9)])
    assert to_batches(account, files, records, realtime) == []
    assert realtime.total == 9


def test_auto_sends_all_realtime_under_a_tight_deadline(
    records: BatchRecords, make_call: MakeCall, tmp_path: Path
) -> None:
    """Work that must be done before a batch need be is not put into one."""
    account = Account("openai", "openai", mode="auto", batch=BatchSettings(from_calls=1, deadline_hours=6))
    realtime = Spool(tmp_path / "realtime")
    assert to_batches(account, spooled(tmp_path, [make_call("a"), make_call("b")]), records, realtime) == []
    assert realtime.total == 2


def test_auto_sends_what_a_batch_left_unfinished_realtime(
    records: BatchRecords, make_call: MakeCall, tmp_path: Path
) -> None:
    """Calls that were in a batch before do not wait a second day; fresh ones go in batches."""
    account = Account("openai", "openai", mode="auto", batch=BatchSettings(from_calls=5, most_requests=4))
    calls = [make_call(str(n)) for n in range(12)]
    old = records.begin("openai", calls[:4])
    records.change(old, step="harvested", unfinished=4)
    realtime = Spool(tmp_path / "realtime")
    made = to_batches(account, spooled(tmp_path, calls), records, realtime)
    assert [record.calls for record in made] == [4, 4]
    assert realtime.total == 4


def test_batch_mode_sends_everything_in_batches(records: BatchRecords, make_call: MakeCall, tmp_path: Path) -> None:
    """Mode batch means batch, for one call too."""
    account = Account("openai", "openai", mode="batch")
    realtime = Spool(tmp_path / "realtime")
    made = to_batches(account, spooled(tmp_path, [make_call("a")]), records, realtime)
    assert [record.calls for record in made] == [1]
    assert realtime.total == 0


def test_queue_holds_back_by_count_and_tokens(records: BatchRecords, make_call: MakeCall) -> None:
    """No more batches, and no more tokens, are at the provider than allowed; those there already come first."""
    many = [records.begin("openai", [make_call("x" * 400 + str(n))]) for n in range(6)]
    many[5] = replace(many[5], step="created")
    peak = 0

    async def go() -> None:
        queue, inside = Queue(BatchSettings(most_open=4, most_enqueued_tokens=250)), 0

        async def one(number: int) -> None:
            nonlocal inside, peak
            async with queue.place(many[number], records):
                inside += 1
                peak = max(peak, inside)
                await asyncio.sleep(0.01)
                inside -= 1

        await asyncio.gather(*(one(number) for number in range(6)))

    asyncio.run(go())
    assert peak == 3  # two of about 104 tokens fit into 250, and the one that was there is not held back
