"""Laws of the journal."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import cast

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from judgeray.core.call import Call
from judgeray.core.reply import Failure, Reply
from judgeray.engine.journal import (
    JournalWriter,
    count_replies,
    forget_failures,
    key_of,
    read_failures,
    read_replies,
    reply_journals,
    whole_lines,
)
from judgeray.engine.layout import RepliesFolder
from judgeray.engine.tail import Tail
from tests.engine.conftest import journaled, kept_replies

texts = st.text(alphabet=st.characters(codec=None, exclude_categories=()), max_size=40)


def test_replies_and_failures_are_kept_apart(
    any_folder: RepliesFolder, make_call: Callable[[str], Call], make_reply: Callable[..., Reply]
) -> None:
    """A failure is never read as a reply, nor the other way round; the last failure of a call counts."""
    call, other = make_call("a"), make_call("b")
    first, last = Failure(other.key, "openai", "first", 1), Failure(other.key, "openai", "last", 2)
    journaled(any_folder.journal, "openai-1", [make_reply(call), first, last])
    (journal,) = reply_journals(any_folder.journal)
    assert [reply.key for reply in read_replies(journal)] == [call.key]
    assert read_failures(any_folder.journal)[other.key].error == "last"
    forget_failures(any_folder.journal)
    assert read_failures(any_folder.journal) == {}
    assert [reply.key for reply in kept_replies(any_folder.journal)] == [call.key]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50)
@given(text=texts)
def test_any_text_is_kept_losslessly(
    folder: RepliesFolder, make_call: Callable[[str], Call], make_reply: Callable[..., Reply], text: str
) -> None:
    """NUL, newlines, lone surrogates: a line is a line, and gives back the text."""
    reply = make_reply(make_call("a"), text)
    writer = JournalWriter(folder.journal, "actor")
    writer.append(reply)
    writer.close()
    (path,) = reply_journals(folder.journal)
    assert list(read_replies(path)) == [reply]
    path.unlink()


def test_torn_last_line_is_no_reply(
    folder: RepliesFolder, make_call: Callable[[str], Call], make_reply: Callable[..., Reply]
) -> None:
    """A kill in the middle of a write loses that reply alone."""
    path = folder.journal / "actor.jsonl"
    whole = make_reply(make_call("a")).to_json() + "\n"
    path.write_text(whole + make_reply(make_call("b")).to_json()[:50], encoding="ascii")
    assert [reply.text for reply in read_replies(path)] == ["yes"]
    assert [key_of(line) for line in whole_lines(path)] == [make_call("a").key]
    assert count_replies(folder.journal) == 1


class Growing:
    """A journal that grows while it is read: the reader sees a line in two parts."""

    def __init__(self, *parts: bytes) -> None:
        self._parts = parts

    @contextmanager
    def open(self, mode: str) -> Iterator[Growing]:
        """Give the file."""
        assert mode == "rb"
        yield self

    def seek(self, start: int) -> None:
        """Begin anywhere."""

    def __iter__(self) -> Iterator[bytes]:
        return iter(self._parts)


def test_a_line_that_is_seen_in_parts_is_no_line_yet() -> None:
    """What follows the first part of a line is not taken for a line: the whole one is read the next time."""
    seen = list(whole_lines(cast("Path", Growing(b"one\n", b"tw", b"o\n", b"three\n"))))
    assert seen == [b"one\n"]


def test_a_follower_reads_every_line_once_while_others_write(folder: RepliesFolder) -> None:
    """Lines that are torn between two looks come whole, and none comes twice."""
    journal = cast("Path", folder.journal)
    path, tail = journal / "actor.jsonl", Tail(journal, "*.jsonl")
    lines = [f"line {number}\n".encode() for number in range(40)]
    text, seen = b"".join(lines), list[bytes]()
    for start in range(0, len(text), 7):
        with path.open("ab") as file:
            file.write(text[start : start + 7])
        seen += tail.poll()
    assert seen == lines


def test_reply_is_on_storage_once_append_returns(folder: RepliesFolder) -> None:
    """SIGKILL right after an append loses nothing: there is no buffer in the process."""
    script = (
        "import os, signal, sys; from pathlib import Path\n"
        "from judgeray.core.reply import Reply, Usage; from judgeray.engine.journal import JournalWriter\n"
        "w = JournalWriter(Path(sys.argv[1]), 'actor')\n"
        "[w.append(Reply(f'{n:064d}', 'openai', 'm', 'complete', 'x', Usage())) for n in range(500)]\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = subprocess.run([sys.executable, "-c", script, str(folder.journal)], check=False, timeout=60)
    assert done.returncode == -signal.SIGKILL
    (path,) = reply_journals(folder.journal)
    assert len(list(read_replies(path))) == 500
