"""The journal: one line per reply, on storage before anything else happens to it."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

from judgeray.core.reply import Answer, Failure, Reply

REPLIES = ".jsonl"
FAILURES = ".failures.jsonl"
_KEY_START = len('{"key":"')
_KEY_END = _KEY_START + 64


class JournalWriter:
    """Appends answers of one actor process; each is one `write`, so that a kill can tear the last line only."""

    def __init__(self, folder: Path, actor: str) -> None:
        self._replies = _open(folder / f"{actor}{REPLIES}")
        self._failures = _open(folder / f"{actor}{FAILURES}")

    def append(self, answer: Answer) -> None:
        """Write one reply or failure."""
        if isinstance(answer, Reply):
            os.write(self._replies, answer.to_json().encode("ascii") + b"\n")
        else:
            os.write(self._failures, json.dumps(asdict(answer)).encode("ascii") + b"\n")

    def close(self) -> None:
        """Close both files."""
        os.close(self._replies)
        os.close(self._failures)


def _open(path: Path) -> int:
    return os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)


def reply_journals(folder: Path) -> list[Path]:
    """All reply journals, in name order."""
    return sorted(p for p in folder.glob(f"*{REPLIES}") if not p.name.endswith(FAILURES))


def read_replies(path: Path) -> Iterator[Reply]:
    """Read the replies of one journal; a last line without its end was torn by a kill and is no reply."""
    for line in whole_lines(path):
        yield Reply.from_json(line)


def count_replies(folder: Path) -> int:
    """Count the replies of all journals, while others may be writing them or taking them into the ledger."""
    count = 0
    for path in reply_journals(folder):
        with suppress(FileNotFoundError):
            count += sum(1 for _ in whole_lines(path))
    return count


def read_failures(folder: Path) -> dict[str, Failure]:
    """Read the last failure of every call that has one."""
    found: dict[str, Failure] = {}
    for path in sorted(folder.glob(f"*{FAILURES}")):
        for line in whole_lines(path):
            failure = Failure(**json.loads(line))
            found[failure.key] = failure
    return found


def whole_lines(path: Path, start: int = 0) -> Iterator[bytes]:
    """Read the complete lines of a file from a byte offset on."""
    with path.open("rb") as file:
        file.seek(start)
        for line in file:
            if line.endswith(b"\n"):
                yield line


def key_of(line: bytes) -> str:
    """Cut the call key out of a journal line without reading the rest."""
    return line[_KEY_START:_KEY_END].decode("ascii")


def forget_failures(folder: Path) -> None:
    """Drop failures of earlier sessions: their calls are asked again."""
    for path in folder.glob(f"*{FAILURES}"):
        path.unlink()
