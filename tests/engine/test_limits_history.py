"""Laws of what is kept of an account's limits."""

from __future__ import annotations

import json
import time

import pytest

from judgeray.engine import limits_history
from judgeray.engine.layout import RepliesFolder
from judgeray.engine.limits_history import LimitsHistory
from judgeray.storage.files import listed, make_folder, read_whole


def test_every_session_adds_its_lines(any_folder: RepliesFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines of all sessions are there, in order within each: in one file, or in an object of each session."""
    monkeypatch.setattr(limits_history, "WRITE_SECONDS", 0.05)
    path = any_folder.limits_history("open ai/x")
    make_folder(path.parent)
    for session in range(2):
        history = LimitsHistory(path)
        for number in range(3):
            history.add(json.dumps({"session": session, "number": number}) + "\n")
    end = time.monotonic() + 10
    while len(lines := kept(any_folder)) < 6:
        assert time.monotonic() < end
        time.sleep(0.05)
    for session in range(2):
        assert [line["number"] for line in lines if line["session"] == session] == [0, 1, 2]


def kept(folder: RepliesFolder) -> list[dict[str, int]]:
    """All lines that are on storage."""
    files = listed(folder.path / "limits", ".jsonl")
    return [json.loads(line) for file in files for line in read_whole(file).splitlines()]
