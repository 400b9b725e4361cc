"""The result files of a batch, written line by line as its rows are answered."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import IO, NamedTuple

from judgeray.emulator.batch import Batch
from judgeray.emulator.batch_row import Key, foreign_key
from judgeray.emulator.fault_names import FaultName
from judgeray.emulator.refusal import RequestRefusedError
from judgeray.emulator.text_form import Reply
from judgeray.emulator.wire import dump_json

_WRONG = "wrong_keys"


class _Waiting(NamedTuple):
    key: Key
    reply: Reply
    request_id: str
    digest: str
    fault: FaultName | None


class ResultWriter:
    """Writes the lines of one batch; a context manager.

    The latest answer waits until the next is known: a row under `wrong_keys` exchanges keys with its neighbour,
    or carries a key that nobody sent where it has none.
    """

    def __init__(self, batch: Batch) -> None:
        self._batch = batch
        self._stack = ExitStack()
        self._files: dict[Path, IO[bytes]] = {}
        self._waiting: _Waiting | None = None

    def __enter__(self) -> ResultWriter:
        return self

    def __exit__(self, *_: object) -> None:
        self._flush()
        self._stack.close()

    def answered(self, key: Key, reply: Reply, request_id: str, digest: str, fault: FaultName | None) -> None:
        """Write the line of an executed row, as far as its fault lets it."""
        self._batch.succeeded += 1
        if fault == "missing_lines":
            return
        line = _Waiting(foreign_key(key) if fault == "foreign_keys" else key, reply, request_id, digest, fault)
        before, self._waiting = self._waiting, None
        if before is not None and _WRONG in (fault, before.fault):
            self._write_answer(before._replace(key=line.key))
            self._write_answer(line._replace(key=before.key))
            return
        if before is not None:
            self._write_answer(before)
        self._waiting = line

    def refused(self, key: Key, refusal: RequestRefusedError, request_id: str) -> None:
        """Write the line of a row that was refused."""
        self._batch.failed += 1
        self._write_error(self._batch.desk.refused(key, refusal, request_id))

    def unfinished(self, key: Key, ending: str) -> None:
        """Write the line of a row that was not executed, where the API writes one."""
        self._batch.unfinished += 1
        line = self._batch.desk.unfinished(key, ending)
        if line is not None:
            self._write_error(line)

    def _flush(self) -> None:
        line, self._waiting = self._waiting, None
        if line is not None:
            self._write_answer(line._replace(key=foreign_key(line.key)) if line.fault == _WRONG else line)

    def _write_answer(self, line: _Waiting) -> None:
        written = self._batch.desk.answered(line.key, line.reply, line.request_id)
        for _ in range(2 if line.fault == "duplicate_lines" else 1):
            self._write(self._batch.output, dump_json(written))
            self._write(self._batch.digests, line.digest.encode())

    def _write_error(self, line: object) -> None:
        desk = self._batch.desk
        if not desk.separate_errors and self._waiting is not None and self._waiting.fault != _WRONG:
            self._flush()
        self._write(self._batch.errors if desk.separate_errors else self._batch.output, dump_json(line))

    def _write(self, path: Path, line: bytes) -> None:
        if path not in self._files:
            self._files[path] = self._stack.enter_context(path.open("wb"))
        self._files[path].write(line + b"\n")


def read_digests(path: Path) -> list[str]:
    """The prompt digests of the answers in a batch's output, one per line."""
    return path.read_text("ascii").split() if path.exists() else []
