"""Laws of the spool and of the blocks read from it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from judgeray.core.call import Call
from judgeray.engine import spool as spool_module
from judgeray.engine.blocks import SpoolSource
from judgeray.engine.layout import RepliesFolder
from judgeray.engine.spool import Spool


def test_call_wanted_by_several_rows_is_spooled_once(
    any_folder: RepliesFolder, make_call: Callable[[str], Call]
) -> None:
    """Two rows with the same prompt buy one reply."""
    spool = Spool(any_folder.spool)
    for text in ("a", "b", "a"):
        spool.add(make_call(text))
    files = spool.close()
    assert spool.total == 2
    assert spool.counts == {"openai": 2}
    assert list(files) == ["openai"]


def test_spool_of_an_earlier_round_is_gone(any_folder: RepliesFolder, make_call: Callable[[str], Call]) -> None:
    """What a crash left in the spool is planned anew, never sent from there."""
    first = Spool(any_folder.spool)
    first.add(make_call("old"))
    first.close()
    assert Spool(any_folder.spool).close() == {}


def test_blocks_hold_every_call_once(
    any_folder: RepliesFolder, make_call: Callable[[str], Call], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Blocks are small, and together they are the spool."""
    monkeypatch.setattr(spool_module, "FILE_CALLS", 25)
    spool = Spool(any_folder.spool)
    calls = [make_call(str(n)) for n in range(60)]
    for call in calls:
        spool.add(call)
    files = spool.close()["openai"]
    assert len(files) == 3
    source = SpoolSource(files, block_calls=10)
    tables = [table for task in source.get_read_tasks(1) for table in task()]
    assert [table.num_rows for table in tables] == [10, 10, 5, 10, 10, 5, 10]
    read = [Call.from_json(text) for table in tables for text in table["call"].to_pylist()]
    assert {call.key for call in read} == {call.key for call in calls}
    assert [key for table in tables for key in table["key"].to_pylist()] == [call.key for call in read]
    assert len(source) == len(tables)
