"""Laws of checking a ledger: it finds what is wrong, says where, and holds a bounded share of the keys."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from judgeray.core.call import Call
from judgeray.core.reply import Reply
from judgeray.engine import ledger_check, ledger_files
from judgeray.engine.layout import RepliesFolder
from judgeray.engine.ledger import SCHEMA, write_part
from judgeray.engine.ledger_check import check_ledger
from judgeray.engine.ledger_files import repeated_keys

MakeReply = Callable[..., Reply]
MakeCall = Callable[[str], Call]


@pytest.fixture
def replies(make_call: MakeCall, make_reply: MakeReply) -> list[Reply]:
    """Replies of one model, one of which was served by a name that no column can hold as it is."""
    made = [make_reply(make_call(str(number))) for number in range(30)]
    return [replace(made[0], served_model="odd \ud800"), *made[1:]]


def keep(folder: RepliesFolder, replies: list[Reply]) -> Path:
    """Write one file of the ledger."""
    partition = folder.partition("openai", "gpt-4.1")
    before = set(partition.glob("*.parquet"))
    write_part(partition, {reply.key: reply for reply in replies})
    (path,) = set(partition.glob("*.parquet")) - before
    return path


def test_a_whole_ledger_has_nothing_wrong(folder: RepliesFolder, replies: list[Reply]) -> None:
    """What compaction writes agrees with itself, whatever text it holds; hidden files are no part of it."""
    path = keep(folder, replies)
    path.with_name("part-half.tmp").write_bytes(b"PAR1")
    found = check_ledger(folder)
    assert (found.replies, found.files, found.wrong, found.repeated, found.waiting) == (30, 1, 0, 0, 0)


def test_replies_in_the_folder_of_another_model_are_found(folder: RepliesFolder, replies: list[Reply]) -> None:
    """No lookup would ever find them there."""
    write_part(folder.partition("openai", "other"), {replies[1].key: replies[1]})
    found = check_ledger(folder)
    assert found.wrong == 1
    assert "is a reply of gpt-4.1 at openai, in another's folder" in found.told[0]


def test_files_of_another_shape_cannot_be_read(folder: RepliesFolder, replies: list[Reply]) -> None:
    """A Parquet file that is no ledger is told as such, and keeps replays away; the others are still checked."""
    path = keep(folder, replies)
    pq.write_table(pa.table({"key": ["a"]}), path.with_name("part-other.parquet"))
    found = check_ledger(folder)
    assert (found.replies, found.files, found.wrong, found.unreadable) == (30, 2, 1, 1)
    assert found.told[0].endswith("part-other.parquet: its columns are not those of a ledger")


def test_the_first_of_many_are_told_and_all_are_counted(folder: RepliesFolder, replies: list[Reply]) -> None:
    """A ledger that is wrong throughout fills no screen."""
    path = keep(folder, replies)
    table = pq.read_table(path, partitioning=None)
    pq.write_table(table.set_column(1, SCHEMA.field("outcome"), pa.array(["other"] * 30, pa.large_string())), path)
    found = check_ledger(folder)
    assert found.wrong == 30
    assert len(found.told) == ledger_check.TOLD


def test_lines_of_journals_are_read_too(folder: RepliesFolder, replies: list[Reply]) -> None:
    """Whole lines are replies that wait; one that is none is wrong; a torn last line is neither."""
    lines = [replies[0].to_json(), '{"key": 1}', replies[1].to_json()[:40]]
    (folder.journal / "a.jsonl").write_text("\n".join(lines), encoding="ascii")
    found = check_ledger(folder)
    assert (found.waiting, found.wrong, found.unreadable) == (2, 1, 1)


@pytest.mark.parametrize("at_once", [7, 1_000])
def test_keys_that_stand_twice_are_found_with_little_memory(
    at_once: int, folder: RepliesFolder, replies: list[Reply], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same keys are found whether all are held at once or a share at a time."""
    monkeypatch.setattr(ledger_files, "KEYS_AT_ONCE", at_once)
    files = [keep(folder, replies[:20]), keep(folder, replies[18:]), keep(folder, replies[18:19])]
    assert repeated_keys(files).to_list() == sorted(reply.key for reply in replies[18:20])
    assert repeated_keys(files[:1]).to_list() == []
    found = check_ledger(folder)
    assert (found.repeated, found.wrong) == (2, 0)
    assert found.example == min(reply.key for reply in replies[18:20])
