"""Laws of the ledger."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from judgeray.core.call import Call
from judgeray.core.reply import Reply
from judgeray.engine import ledger as ledger_module
from judgeray.engine.journal import reply_journals
from judgeray.engine.layout import RepliesFolder
from judgeray.engine.ledger import Ledger
from judgeray.storage.files import parquet_file, read_whole, write_whole
from judgeray.storage.place import Place
from tests.engine.conftest import journaled

MakeCall = Callable[[str], Call]
MakeReply = Callable[..., Reply]


def journal(folder: RepliesFolder, actor: str, replies: list[Reply]) -> None:
    """Write replies as one actor would."""
    journaled(folder.journal, actor, replies)


def parts(folder: RepliesFolder) -> list[Place]:
    """Parquet files of the ledger."""
    return sorted(
        (path for path in folder.ledger.rglob("*") if path.name.endswith(".parquet")), key=lambda path: path.name
    )


def another_process(folder: RepliesFolder) -> Ledger:
    """The ledger as a process sees it that has read nothing of it yet."""
    return Ledger(RepliesFolder(folder.path))


def rows(path: Place) -> int:
    """Replies in one of them."""
    with parquet_file(path) as file:
        return int(file.metadata.num_rows)


def test_compaction_moves_every_reply_once(
    any_folder: RepliesFolder, make_call: MakeCall, make_reply: MakeReply
) -> None:
    """What was in journals is found by call afterwards, and the journals are gone."""
    calls = [make_call(str(n)) for n in range(50)]
    journal(any_folder, "a", [make_reply(call, call.user) for call in calls[:30]])
    journal(any_folder, "b", [make_reply(call, call.user) for call in calls[30:]])
    assert Ledger(any_folder).compact() == 50
    assert reply_journals(any_folder.journal) == []
    found = another_process(any_folder).lookup(calls)
    assert {key: reply.text for key, reply in found.items()} == {call.key: call.user for call in calls}
    assert len(parts(any_folder)) == 1


def test_lookup_finds_only_what_is_there(
    any_folder: RepliesFolder, make_call: MakeCall, make_reply: MakeReply
) -> None:
    """A call without a reply is not answered by another's."""
    journal(any_folder, "a", [make_reply(make_call("known"))])
    Ledger(any_folder).compact()
    found = Ledger(any_folder).lookup([make_call("known"), make_call("unknown")])
    assert set(found) == {make_call("known").key}
    assert Ledger(any_folder).lookup([]) == {}


def test_crash_between_parquet_and_journal_doubles_nothing(
    any_folder: RepliesFolder, make_call: MakeCall, make_reply: MakeReply
) -> None:
    """A journal that was compacted but not removed is taken in again without a second reply."""
    reply = make_reply(make_call("a"))
    journal(any_folder, "a", [reply])
    (path,) = reply_journals(any_folder.journal)
    text = read_whole(path)
    Ledger(any_folder).compact()
    assert Ledger(any_folder).lookup([make_call("a")]) == {reply.key: reply}
    write_whole(path, text)
    Ledger(any_folder).compact()
    assert Ledger(any_folder).lookup([make_call("a")]) == {reply.key: reply}
    assert sum(rows(path) for path in parts(any_folder)) == 1


def test_first_reply_of_a_call_wins(any_folder: RepliesFolder, make_call: MakeCall, make_reply: MakeReply) -> None:
    """Where a call was paid twice, the reply received first is the one that counts, in any file order."""
    late = make_reply(make_call("a"), "late", "2026-01-02T00:00:00.000+00:00")
    early = make_reply(make_call("a"), "early", "2026-01-01T00:00:00.000+00:00")
    for actor, reply in (("a", late), ("b", early)):
        journal(any_folder, actor, [reply])
        Ledger(any_folder).compact()
        assert Ledger(any_folder).lookup([make_call("a")])[reply.key].text == reply.text


def test_partitions_are_by_provider_and_model(any_folder: RepliesFolder, make_reply: MakeReply) -> None:
    """Model names with slashes and blanks are folders of their own and are found again."""
    calls = [Call("vllm", "org/model a", None, "x"), Call("vllm", "org", None, "x"), Call("b", "org", None, "x")]
    journal(any_folder, "a", [make_reply(call, call.model) for call in calls])
    Ledger(any_folder).compact()
    assert len(parts(any_folder)) == 3
    assert {reply.text for reply in Ledger(any_folder).lookup(calls).values()} == {"org/model a", "org"}


def test_files_are_few_and_bounded(
    any_folder: RepliesFolder, make_call: MakeCall, make_reply: MakeReply, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Small files are joined into files of a stated size; only one small one is left per partition."""
    monkeypatch.setattr(ledger_module, "PART_REPLIES", 20)
    calls = [make_call(str(n)) for n in range(70)]
    for start in range(0, 70, 7):
        journal(any_folder, f"a{start}", [make_reply(call) for call in calls[start : start + 7]])
        Ledger(any_folder).compact()
        assert len(Ledger(any_folder).lookup(calls)) == min(start + 7, 70)
    sizes = [rows(path) for path in parts(any_folder)]
    assert sum(sizes) == 70
    assert sum(size < 20 for size in sizes) <= 1
    assert len(another_process(any_folder).lookup(calls)) == 70


def test_torn_temporary_file_is_not_read(
    any_folder: RepliesFolder, make_call: MakeCall, make_reply: MakeReply
) -> None:
    """A part that a crash left half written is no part of the ledger."""
    journal(any_folder, "a", [make_reply(make_call("a"))])
    Ledger(any_folder).compact()
    write_whole(parts(any_folder)[0].parent / "part-half.tmp", b"PAR1 half")
    assert len(another_process(any_folder).lookup([make_call("a")])) == 1


def test_replies_of_today_are_counted_by_account(
    any_folder: RepliesFolder, make_call: MakeCall, make_reply: MakeReply
) -> None:
    """A daily limit counts what earlier sessions of this day received, per account, and nothing of other days."""
    today = datetime.now(UTC).isoformat(timespec="milliseconds")
    old = make_reply(make_call("old"))
    journal(any_folder, "a", [old, *(make_reply(make_call(str(n)), "x", today) for n in range(3))])
    Ledger(any_folder).compact()
    assert Ledger(any_folder).received_today("openai") == 3
    assert Ledger(any_folder).received_today("anthropic") == 0
