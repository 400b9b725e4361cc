"""Laws of damage: files with paid replies are named when they are broken, and nothing is lost by the message."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from judgeray.core.call import Call
from judgeray.core.errors import BadInputError
from judgeray.core.reply import Reply
from judgeray.engine.journal import JournalWriter
from judgeray.engine.layout import RepliesFolder
from judgeray.engine.ledger import Ledger

MakeReply = Callable[..., Reply]
MakeCall = Callable[[str], Call]


@pytest.fixture
def kept(tmp_path: Path, make_call: MakeCall, make_reply: MakeReply) -> RepliesFolder:
    """A folder with one compacted reply and one in a journal."""
    folder = RepliesFolder(tmp_path / "replies")
    folder.make()
    for name in "ab":
        writer = JournalWriter(folder.journal, f"actor-{name}")
        writer.append(make_reply(make_call(name)))
        writer.close()
        if name == "a":
            Ledger(folder).compact()
    return folder


@pytest.mark.parametrize("left", [0, 3, 200])
def test_a_broken_file_of_the_ledger_is_named(kept: RepliesFolder, make_call: MakeCall, left: int) -> None:
    """Compaction and lookup name it and say what to do; the journal's reply stands where it stood."""
    (path,) = Path(str(kept.ledger)).rglob("*.parquet")
    path.write_bytes(path.read_bytes()[:left])
    for act in (lambda: Ledger(kept).lookup([make_call("a")]), Ledger(kept).compact):
        with pytest.raises(BadInputError) as caught:
            act()
        assert str(caught.value).startswith(f"{path}: is no whole Parquet file")
        assert "restore it from a copy, or remove it" in str(caught.value)
    path.unlink()
    Ledger(kept).compact()
    assert set(Ledger(kept).lookup([make_call("a"), make_call("b")])) == {make_call("b").key}


@pytest.mark.parametrize("line", [b"\0" * 64 + b"\n", b"no json\n", b'{"key":"abc\n', b"\n"])
def test_a_line_that_is_no_reply_is_named(kept: RepliesFolder, make_call: MakeCall, line: bytes) -> None:
    """As a disk that lost power leaves them: the journal and the line are told, and it goes on when that is out."""
    (path,) = Path(str(kept.journal)).glob("actor-b.jsonl")
    whole = path.read_bytes()
    path.write_bytes(whole + line)
    with pytest.raises(BadInputError) as caught:
        Ledger(kept).compact()
    assert str(caught.value).startswith(f"{path}: line 2 is no reply")
    path.write_bytes(whole)
    Ledger(kept).compact()
    assert set(Ledger(kept).lookup([make_call("a"), make_call("b")])) == {make_call("a").key, make_call("b").key}
