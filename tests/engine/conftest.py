"""Builders shared by the engine's tests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from judgeray.core.call import Call
from judgeray.core.reply import Reply, Usage
from judgeray.engine.layout import RepliesFolder

MakeReply = Callable[..., Reply]


@pytest.fixture
def folder(tmp_path: Path) -> RepliesFolder:
    """An empty replies folder."""
    made = RepliesFolder(tmp_path / "replies")
    made.make()
    return made


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
