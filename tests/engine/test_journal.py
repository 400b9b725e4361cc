"""Laws of the journal."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable

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
