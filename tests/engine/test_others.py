"""Laws of blocks that come to an actor: what was answered of them before is found, and only then looked for."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from judgeray.core.call import Call
from judgeray.core.errors import BadInputError
from judgeray.core.reply import Reply
from judgeray.engine.journal import FOLDED, line_of
from judgeray.engine.layout import RepliesFolder
from judgeray.engine.others import Others, others_of
from tests.engine.conftest import journaled

MakeCall = Callable[[str], Call]
MakeReply = Callable[[Call], Reply]


def test_block_that_was_begun_before_asks_for_what_is_lacking_alone(
    any_folder: RepliesFolder, make_call: MakeCall, make_reply: MakeReply
) -> None:
    """The first actor of a block reads no journal; who is given it again finds all of it that was kept."""
    journal, block = any_folder.journal, [make_call(str(n)).key for n in range(4)]
    first, second = others_of(any_folder, "openai"), others_of(any_folder, "openai")
    journaled(journal, "openai-old", [make_reply(make_call("0"))])
    assert asyncio.run(first.answered(block)) == set()
    journaled(journal, "openai-1", [make_reply(make_call("1")), make_reply(make_call("of another block"))])
    journaled(journal, "anthropic-1", [make_reply(make_call("2"))])
    assert asyncio.run(second.answered(block)) == {make_call(text).key for text in ("0", "1")}
    journaled(journal, "openai-1b", [make_reply(make_call("3"))])
    assert asyncio.run(second.answered(block)) == {make_call(text).key for text in ("0", "1", "3")}
    any_folder.clear_flags()
    assert asyncio.run(others_of(any_folder, "openai").answered(block)) == set()


def test_folded_parts_are_found(far: RepliesFolder, make_call: MakeCall, make_reply: MakeReply) -> None:
    """In an object store, a reply counts as well where its part was folded into a larger one."""
    block = [make_call("0").key]
    asyncio.run(others_of(far, "openai").answered(block))
    journaled(far.journal, f"{FOLDED}1", [make_reply(make_call("0"))])
    assert asyncio.run(others_of(far, "openai").answered(block)) == set(block)


def test_blocks_that_come_again_at_once_all_find_their_replies(
    folder: RepliesFolder, make_call: MakeCall, make_reply: MakeReply
) -> None:
    """Who asks while the journals are being read waits for what is in them."""
    blocks = [[make_call(f"{block}/{n}").key for n in range(20)] for block in range(8)]
    lines = [line_of(make_reply(make_call(f"{block}/{n}"))) for block in range(8) for n in range(20)]
    unread = iter(lines)

    def new_lines() -> Iterator[bytes]:
        yield from unread

    async def at_once(others: Others) -> list[set[str]]:
        return await asyncio.gather(*(others.answered(block) for block in blocks))

    others = Others(folder.begun, new_lines)
    assert asyncio.run(at_once(others)) == [set()] * 8
    assert asyncio.run(at_once(others)) == [set(block) for block in blocks]


def test_mark_that_cannot_be_left_is_said(tmp_path: Path, make_call: MakeCall) -> None:
    """A block without its mark could be paid for twice: it is not begun, and the message names the folder."""
    (tmp_path / "begun").write_text("a file", encoding="utf-8")
    with pytest.raises(BadInputError, match="begun: cannot be written"):
        asyncio.run(Others(tmp_path / "begun", lambda: iter(())).answered([make_call("0").key]))
