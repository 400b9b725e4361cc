"""Laws of the journal in an object store: parts, following and folding them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from upath import UPath

from judgeray.core.call import Call
from judgeray.core.errors import BadInputError
from judgeray.core.reply import Failure, Reply
from judgeray.engine import part_journal, part_tail
from judgeray.engine.journal import FAILURES, FOLDED, REPLIES, key_of, read_failures, reply_journals
from judgeray.engine.layout import RepliesFolder
from judgeray.engine.ledger import Ledger
from judgeray.engine.part_journal import PartJournal
from judgeray.engine.part_tail import PartTail
from judgeray.storage.files import read_each, write_whole
from judgeray.storage.objects import sizes
from tests.engine.conftest import journaled, kept_replies

MakeCall = Callable[[str], Call]
MakeReply = Callable[..., Reply]


@pytest.fixture
def journal(far: RepliesFolder) -> UPath:
    """An empty journal folder in an object store."""
    assert isinstance(far.journal, UPath)
    return far.journal


def keys(journal: UPath) -> list[str]:
    """Keys of all replies that are kept."""
    return [reply.key for reply in kept_replies(journal)]


def test_what_comes_together_is_one_part(journal: UPath, make_call: MakeCall, make_reply: MakeReply) -> None:
    """Answers of a moment share a request; `kept` returns when they, and all before them, are on storage."""

    async def go() -> None:
        writer = PartJournal(journal, "openai-1")
        for n in range(50):
            writer.append(make_reply(make_call(str(n))))
        await writer.kept()
        assert len(keys(journal)) == 50
        assert len(sizes(journal)) == 1
        writer.append(make_reply(make_call("later")))
        await writer.kept()
        assert len(keys(journal)) == 51
        assert len(sizes(journal)) == 2

    asyncio.run(go())


def test_event_loop_runs_on_while_a_part_is_written(
    journal: UPath, make_call: MakeCall, make_reply: MakeReply, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Other calls go on meanwhile, and further parts start without waiting for the first."""
    writing, most = [0], [0]

    def slow_put(place: UPath, data: bytes) -> None:
        import time

        writing[0] += 1
        most[0] = max(most[0], writing[0])
        time.sleep(0.3)
        writing[0] -= 1

    monkeypatch.setattr(part_journal, "put", slow_put)

    async def go() -> int:
        writer = PartJournal(journal, "openai-1")
        writer.append(make_reply(make_call("a")))
        first, turns = asyncio.ensure_future(writer.kept()), 0
        while not first.done():
            turns += 1
            if turns == 5:
                writer.append(make_reply(make_call("b")))
            await asyncio.sleep(0.02)
        await writer.kept()
        return turns

    assert asyncio.run(go()) > 8
    assert most == [2]


def test_part_that_cannot_be_written_is_never_passed_over(
    journal: UPath, make_call: MakeCall, make_reply: MakeReply, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every wait for such an answer, and every later one, ends with how many were lost and the storage's words."""

    def fails(*_: object) -> None:
        raise BadInputError("s3://bucket: cannot be written: no space")

    async def go() -> None:
        writer = PartJournal(journal, "openai-1")
        monkeypatch.setattr(part_journal, "put", fails)
        for text in ("a", "b"):
            writer.append(make_reply(make_call(text)))
        with pytest.raises(BadInputError, match=r"2 answers could not be kept: .*no space"):
            await writer.kept()
        monkeypatch.undo()
        writer.append(make_reply(make_call("c")))
        with pytest.raises(BadInputError, match="could not be kept"):
            await writer.kept()

    asyncio.run(go())


def test_tail_gives_every_line_once(journal: UPath, make_call: MakeCall, make_reply: MakeReply) -> None:
    """Each part is read once; failures and replies are followed apart; listings are not asked for too often."""
    call, other = make_call("a"), make_call("b")
    replies, failures = PartTail(journal, REPLIES, leave_out=FAILURES), PartTail(journal, FAILURES)
    assert list(replies.poll()) == []
    journaled(journal, "openai-1", [make_reply(call), Failure(other.key, "openai", "no", 1)])
    assert list(replies.poll()) == []
    assert [key_of(line) for line in replies.poll(at_once=True)] == [call.key]
    assert list(replies.poll(at_once=True)) == []
    assert len(list(failures.poll(at_once=True))) == 1


def test_folding_keeps_every_line_and_few_objects(
    journal: UPath, make_call: MakeCall, make_reply: MakeReply, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Many parts become few, nothing is lost, nothing is told twice, and failures stay failures."""
    monkeypatch.setattr(part_tail, "FOLD_PARTS", 5)
    calls = [make_call(str(n)) for n in range(12)]
    tail, seen = PartTail(journal, REPLIES, leave_out=FAILURES), list[str]()
    for n, call in enumerate(calls):
        journaled(journal, f"openai-{n}", [make_reply(call)])
        seen += [key_of(line) for line in tail.poll(at_once=True)]
    assert seen == [call.key for call in calls]
    assert sorted(keys(journal)) == sorted(seen)
    assert len(sizes(journal)) <= 5
    assert any(name.startswith(FOLDED) for name in sizes(journal))
    failures = PartTail(journal, FAILURES)
    for n, call in enumerate(calls[:5]):
        journaled(journal, f"openai-{n}", [Failure(call.key, "openai", "no", 1)])
    assert len(list(failures.poll(at_once=True))) == 5
    assert len(read_failures(journal)) == 5
    assert len(keys(journal)) == 12


def test_folds_are_bounded(
    journal: UPath, make_call: MakeCall, make_reply: MakeReply, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No folded object grows without end: large ones are left as they are."""
    line = len(make_reply(make_call("0")).to_json()) + 1
    monkeypatch.setattr(part_tail, "FOLD_PARTS", 4)
    monkeypatch.setattr(part_tail, "FOLD_BYTES", 3 * line)
    tail = PartTail(journal, REPLIES)
    for n in range(9):
        journaled(journal, f"openai-{n}", [make_reply(make_call(str(n)))])
        list(tail.poll(at_once=True))
    assert max(sizes(journal).values()) <= 3 * line
    assert len(keys(journal)) == 9


@pytest.mark.parametrize("way", ["up", "down"])
def test_journals_are_read_wherever_they_were_copied_to(
    folder: RepliesFolder, far: RepliesFolder, make_call: MakeCall, make_reply: MakeReply, way: str
) -> None:
    """A run that was moved between a disk and a store finds what was bought and not yet compacted."""
    here, there = (folder, far) if way == "up" else (far, folder)
    calls = [make_call(str(n)) for n in range(3)]
    journaled(here.journal, "openai-1", [make_reply(call) for call in calls])
    for path, data in read_each(reply_journals(here.journal)):
        write_whole(there.journal / path.name, data)
    assert Ledger(there).compact() == 3
    assert set(Ledger(there).lookup(calls)) == {call.key for call in calls}
    assert reply_journals(there.journal) == []
