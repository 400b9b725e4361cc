"""The journal: one line per reply, on storage before anything else happens to it."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict
from itertools import takewhile

from judgeray.core.reply import Answer, Failure, Reply
from judgeray.engine.ledger_damage import checked
from judgeray.engine.reply_lines import from_line, to_line
from judgeray.storage.files import discard, listed, on_this_machine, read_each, sizes_in
from judgeray.storage.place import Place

REPLIES = ".jsonl"
FAILURES = ".failures.jsonl"
FOLDED = "folded-"
"""Begins the names of journals that were put together from many small ones."""

_KEY_START = len('{"key":"')
_KEY_END = _KEY_START + 64


class JournalWriter:
    """Appends answers of one actor process; each is one `write`, so that a kill can tear the last line only."""

    def __init__(self, folder: Place, actor: str) -> None:
        self._replies = _open(folder / f"{actor}{REPLIES}")
        self._failures = _open(folder / f"{actor}{FAILURES}")

    def append(self, answer: Answer) -> None:
        """Write one reply or failure."""
        line = line_of(answer)
        while line:  # a disk that is nearly full may take a part
            line = line[os.write(self._replies if isinstance(answer, Reply) else self._failures, line) :]

    async def kept(self) -> None:
        """Return when all that was appended is on storage: it is, already."""

    def close(self) -> None:
        """Close both files."""
        os.close(self._replies)
        os.close(self._failures)


def _open(path: Place) -> int:
    return os.open(str(path), os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)


def reply_journals(folder: Place) -> list[Place]:
    """All reply journals, in name order."""
    return [path for path in listed(folder, REPLIES) if not path.name.endswith(FAILURES)]


def all_lines(journals: Sequence[Place]) -> Iterator[bytes]:
    """Read the lines of several journals; those in an object store are copied here first, some at a time.

    Raises BadInputError for a line that cannot be a reply's.
    """
    for place, path in zip(journals, on_this_machine(journals), strict=True):
        yield from (checked(line, place, number) for number, line in enumerate(whole_lines(path), 1))


def read_replies(path: Place) -> Iterator[Reply]:
    """Read the replies of one journal; a last line without its end was torn by a kill and is no reply."""
    for line in whole_lines(path):
        yield from_line(line)


def count_replies(folder: Place) -> int:
    """Count the replies of all journals, while others may be writing them or taking them into the ledger."""
    count = 0
    for path in reply_journals(folder):
        with suppress(FileNotFoundError):
            count += sum(1 for _ in whole_lines(path))
    return count


def bytes_of_replies(folder: Place) -> int:
    """Size of all reply journals, which costs no more than a listing."""
    return sum(
        size for name, size in sizes_in(folder).items() if name.endswith(REPLIES) and not name.endswith(FAILURES)
    )


def read_failures(folder: Place) -> dict[str, Failure]:
    """Read the last failure of every call that has one."""
    found: dict[str, Failure] = {}
    for _, data in read_each(listed(folder, FAILURES)):
        for line in lines_of(data):
            failure = Failure(**json.loads(line))
            found[failure.key] = failure
    return found


def whole_lines(path: Place, start: int = 0) -> Iterator[bytes]:
    """Read the complete lines of a file from a byte offset on, up to one whose end is not there (yet).

    A line that is being written may be seen in parts: what follows the first part is no line.
    """
    with path.open("rb") as file:
        file.seek(start)
        yield from takewhile(lambda line: line.endswith(b"\n"), file)


def lines_of(data: bytes) -> Iterator[bytes]:
    """Give the complete lines of a journal that was read whole."""
    return (line for line in data.splitlines(keepends=True) if line.endswith(b"\n"))


def line_of(answer: Answer) -> bytes:
    """Write a reply or failure as one line of its journal."""
    text = to_line(answer) if isinstance(answer, Reply) else json.dumps(asdict(answer)).encode("ascii")
    return text + b"\n"


def key_of(line: bytes) -> str:
    """Cut the call key out of a journal line without reading the rest."""
    return line[_KEY_START:_KEY_END].decode("ascii")


def forget_failures(folder: Place) -> None:
    """Drop failures of earlier sessions: their calls are asked again."""
    discard(listed(folder, FAILURES))
