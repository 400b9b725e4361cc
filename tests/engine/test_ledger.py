"""Laws of the ledger."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from judgeray.core.call import Call
from judgeray.core.reply import Reply
from judgeray.engine import ledger as ledger_module
from judgeray.engine.journal import JournalWriter, reply_journals
from judgeray.engine.layout import RepliesFolder
from judgeray.engine.ledger import Ledger

MakeCall = Callable[[str], Call]
MakeReply = Callable[..., Reply]


def journal(folder: RepliesFolder, actor: str, replies: list[Reply]) -> None:
    """Write replies as one actor would."""
    writer = JournalWriter(folder.journal, actor)
    for reply in replies:
        writer.append(reply)
    writer.close()


def parts(folder: RepliesFolder) -> list[Path]:
    """Parquet files of the ledger."""
    return sorted(folder.ledger.rglob("*.parquet"))


def test_compaction_moves_every_reply_once(
    folder: RepliesFolder, make_call: MakeCall, make_reply: MakeReply
) -> None:
    """What was in journals is found by call afterwards, and the journals are gone."""
    calls = [make_call(str(n)) for n in range(50)]
    journal(folder, "a", [make_reply(call, call.user) for call in calls[:30]])
    journal(folder, "b", [make_reply(call, call.user) for call in calls[30:]])
    assert Ledger(folder).compact() == 50
    assert reply_journals(folder.journal) == []
    found = Ledger(folder).lookup(calls)
    assert {key: reply.text for key, reply in found.items()} == {call.key: call.user for call in calls}
    assert len(parts(folder)) == 1


def test_lookup_finds_only_what_is_there(folder: RepliesFolder, make_call: MakeCall, make_reply: MakeReply) -> None:
    """A call without a reply is not answered by another's."""
    journal(folder, "a", [make_reply(make_call("known"))])
    Ledger(folder).compact()
    found = Ledger(folder).lookup([make_call("known"), make_call("unknown")])
    assert set(found) == {make_call("known").key}
    assert Ledger(folder).lookup([]) == {}


def test_crash_between_parquet_and_journal_doubles_nothing(
    folder: RepliesFolder, make_call: MakeCall, make_reply: MakeReply
) -> None:
    """A journal that was compacted but not removed is taken in again without a second reply."""
    reply = make_reply(make_call("a"))
    journal(folder, "a", [reply])
    text = (folder.journal / "a.jsonl").read_bytes()
    Ledger(folder).compact()
    (folder.journal / "a.jsonl").write_bytes(text)
    Ledger(folder).compact()
    assert Ledger(folder).lookup([make_call("a")]) == {reply.key: reply}
    assert sum(pq.read_metadata(path).num_rows for path in parts(folder)) == 1


def test_first_reply_of_a_call_wins(folder: RepliesFolder, make_call: MakeCall, make_reply: MakeReply) -> None:
    """Where a call was paid twice, the reply received first is the one that counts, in any file order."""
    late = make_reply(make_call("a"), "late", "2026-01-02T00:00:00.000+00:00")
    early = make_reply(make_call("a"), "early", "2026-01-01T00:00:00.000+00:00")
    for actor, reply in (("a", late), ("b", early)):
        journal(folder, actor, [reply])
        Ledger(folder).compact()
        assert Ledger(folder).lookup([make_call("a")])[reply.key].text == reply.text


def test_partitions_are_by_provider_and_model(folder: RepliesFolder, make_reply: MakeReply) -> None:
    """Model names with slashes and blanks are folders of their own and are found again."""
    calls = [Call("vllm", "org/model a", None, "x"), Call("vllm", "org", None, "x"), Call("b", "org", None, "x")]
    journal(folder, "a", [make_reply(call, call.model) for call in calls])
    Ledger(folder).compact()
    assert len(parts(folder)) == 3
    assert {reply.text for reply in Ledger(folder).lookup(calls).values()} == {"org/model a", "org"}


def test_files_are_few_and_bounded(
    folder: RepliesFolder, make_call: MakeCall, make_reply: MakeReply, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Small files are joined into files of a stated size; only one small one is left per partition."""
    monkeypatch.setattr(ledger_module, "PART_REPLIES", 20)
    calls = [make_call(str(n)) for n in range(70)]
    for start in range(0, 70, 7):
        journal(folder, f"a{start}", [make_reply(call) for call in calls[start : start + 7]])
        Ledger(folder).compact()
    sizes = [pq.read_metadata(path).num_rows for path in parts(folder)]
    assert sum(sizes) == 70
    assert sum(size < 20 for size in sizes) <= 1
    assert len(Ledger(folder).lookup(calls)) == 70


def test_torn_temporary_file_is_not_read(folder: RepliesFolder, make_call: MakeCall, make_reply: MakeReply) -> None:
    """A part that a crash left half written is no part of the ledger."""
    journal(folder, "a", [make_reply(make_call("a"))])
    Ledger(folder).compact()
    (parts(folder)[0].parent / "part-half.tmp").write_bytes(b"PAR1 half")
    assert len(Ledger(folder).lookup([make_call("a")])) == 1


def test_replies_of_today_are_counted_by_account(
    folder: RepliesFolder, make_call: MakeCall, make_reply: MakeReply
) -> None:
    """A daily limit counts what earlier sessions of this day received, per account, and nothing of other days."""
    today = datetime.now(UTC).isoformat(timespec="milliseconds")
    old = make_reply(make_call("old"))
    journal(folder, "a", [old, *(make_reply(make_call(str(n)), "x", today) for n in range(3))])
    Ledger(folder).compact()
    assert Ledger(folder).received_today("openai") == 3
    assert Ledger(folder).received_today("anthropic") == 0
