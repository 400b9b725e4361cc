"""Builders shared by the engine's tests."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from judgeray.core.call import Call
from judgeray.core.reply import Answer, Reply, Usage
from judgeray.engine import part_journal
from judgeray.engine.journal import all_lines, reply_journals
from judgeray.engine.layout import RepliesFolder
from judgeray.engine.part_journal import open_journal
from judgeray.engine.reply_lines import from_line
from judgeray.storage.place import Place
from tests.object_store import ObjectStore

MakeReply = Callable[..., Reply]


@pytest.fixture
def folder(tmp_path: Path) -> RepliesFolder:
    """An empty replies folder."""
    made = RepliesFolder(tmp_path / "replies")
    made.make()
    return made


@pytest.fixture
def far(store: ObjectStore, monkeypatch: pytest.MonkeyPatch) -> RepliesFolder:
    """An empty replies folder in an object store, whose journal does not dawdle."""
    monkeypatch.setattr(part_journal, "GATHER_SECONDS", 0.01)
    return RepliesFolder(store.place("replies"))


@pytest.fixture(params=["disk", "s3"])
def any_folder(request: pytest.FixtureRequest) -> RepliesFolder:
    """An empty replies folder in either kind of place: the same laws hold."""
    folder: RepliesFolder = request.getfixturevalue("folder" if request.param == "disk" else "far")
    return folder


def journaled(journal: Place, actor: str, answers: Iterable[Answer]) -> None:
    """Journal answers as one actor would."""

    async def go() -> None:
        writer = open_journal(journal, actor)
        for answer in answers:
            writer.append(answer)
        await writer.kept()
        writer.close()

    asyncio.run(go())


def kept_replies(journal: Place) -> list[Reply]:
    """All replies that stand in journals."""
    return [from_line(line) for line in all_lines(reply_journals(journal))]


@pytest.fixture
def make_call() -> Callable[[str], Call]:
    """Calls told apart by their text."""
    return lambda text: Call("openai", "gpt-4.1", "You judge.", text)


@pytest.fixture
def make_reply() -> MakeReply:
    """Replies to a call, with any text and time of receipt."""

    def build(call: Call, text: str | None = "yes", received_at: str = "2026-01-01T00:00:00.000+00:00") -> Reply:
        usage = Usage(input_tokens=10, output_tokens=5, total_tokens=15)
        return Reply(
            call.key, call.provider, call.model, "complete", text, usage, received_at=received_at, raw='{"a":1}'
        )

    return build
