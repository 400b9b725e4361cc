"""Laws of checking a ledger: it finds what is wrong, says where, and holds a bounded share of the keys."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from judgeray.core.call import Call
from judgeray.core.reply import Reply
from judgeray.engine import ledger_check, ledger_reading
from judgeray.engine.layout import RepliesFolder
from judgeray.engine.ledger import SCHEMA, write_part
from judgeray.engine.ledger_check import check_ledger
from judgeray.engine.ledger_reading import repeated_keys
from tests.engine.conftest import journaled

MakeReply = Callable[..., Reply]
MakeCall = Callable[[str], Call]


@pytest.fixture
def replies(make_call: MakeCall, make_reply: MakeReply) -> list[Reply]:
    """Replies of one model, one of which was served by a name that no column can hold as it is."""
    made = [make_reply(make_call(str(number))) for number in range(30)]
    return [replace(made[0], served_model="odd \ud800"), *made[1:]]


def keep(folder: RepliesFolder, replies: list[Reply], model: str = "gpt-4.1") -> Path:
    """Write one file of the ledger."""
    partition = folder.ledger_files.writable(folder.partition("openai", model))
    path = write_part(partition, {reply.key: reply for reply in replies})
    folder.ledger_files.added(path)
    return path


def test_a_whole_ledger_has_nothing_wrong(folder: RepliesFolder, replies: list[Reply]) -> None:
    """What compaction writes agrees with itself, whatever text it holds; hidden files are no part of it."""
    path = keep(folder, replies)
    path.with_name("part-half.tmp").write_bytes(b"PAR1")
    found = check_ledger(folder)
    assert (found.replies, found.files, found.wrong, found.repeated, found.waiting) == (30, 1, 0, 0, 0)


def test_a_ledger_in_an_object_store_is_checked_on_copies(
    folder: RepliesFolder, far: RepliesFolder, replies: list[Reply]
) -> None:
    """All partitions and journals are seen, and things that are wrong bear the same names as on a disk."""
    for place in (folder, far):
        keep(place, replies[:20])
        keep(place, replies[15:], "other model")
        journaled(place.journal, "actor", replies[:3])
    found = [check_ledger(place) for place in (folder, RepliesFolder(far.path))]
    assert [(one.replies, one.files, one.waiting, one.wrong) for one in found] == [(35, 2, 3, 15)] * 2
    told = [[re.sub("part-[0-9a-f]+", "part", line) for line in one.told] for one in found]
    assert told[0] == told[1]
    assert told[0][0].startswith("ledger/provider=openai/model=other%20model/part.parquet: reply ")


def test_what_is_no_key_cannot_be_looked_up(folder: RepliesFolder, replies: list[Reply]) -> None:
    """A key of another kind would lead lookups astray, so nothing is replayed from such a file."""
    path = keep(folder, replies[:1])
    table = pq.read_table(path, partitioning=None)
    pq.write_table(table.set_column(0, SCHEMA.field("key"), pa.array(["no key"], pa.large_string())), path)
    found = check_ledger(folder)
    assert (found.wrong, found.unreadable) == (1, 1)
    assert found.told[0].endswith("reply no key: its key is none")


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
    monkeypatch.setattr(ledger_reading, "KEYS_AT_ONCE", at_once)
    files = [keep(folder, replies[:20]), keep(folder, replies[18:]), keep(folder, replies[18:19])]
    assert repeated_keys(files).to_list() == sorted(reply.key for reply in replies[18:20])
    assert repeated_keys(files[:1]).to_list() == []
    found = check_ledger(folder)
    assert (found.repeated, found.wrong) == (2, 0)
    assert found.example == min(reply.key for reply in replies[18:20])
