"""Checking what a replies folder keeps: each reply readable and as its columns say, each key once. Only reads."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from judgeray.core.reply import Reply
from judgeray.engine.journal import reply_journals, whole_lines
from judgeray.engine.layout import RepliesFolder
from judgeray.engine.ledger import SCHEMA, ledger_files, printable
from judgeray.engine.ledger_reading import partitions, repeated_keys
from judgeray.engine.reply_lines import from_line
from judgeray.storage.files import on_this_machine

TOLD = 20
"""Things that are wrong which are told one by one; all are counted."""

_ROWS_AT_ONCE = 2_000
_KEY = re.compile("[0-9a-f]{64}")
_UNREADABLE = (ValueError, TypeError, KeyError, AttributeError)
"""What reading a reply raises whose JSON is broken, or is no reply."""

_COLUMNS: Mapping[str, Callable[[Reply], object]] = {
    "key": lambda reply: reply.key,
    "outcome": lambda reply: reply.outcome,
    "served_model": lambda reply: printable(reply.served_model),
    "input_tokens": lambda reply: reply.usage.input_tokens,
    "output_tokens": lambda reply: reply.usage.output_tokens,
    "received_at": lambda reply: reply.received_at,
    "simulated": lambda reply: reply.simulated,
}
"""What the columns beside `reply` repeat of it."""


@dataclass
class LedgerFindings:
    """What was found: replies and files, replies that wait in journals, and what is wrong.

    `wrong` counts replies and files, those that cannot be read (`unreadable`) among them; `told` says the first of
    them. `repeated` counts keys that stand more than once, of which `example` is one.
    """

    replies: int = 0
    files: int = 0
    waiting: int = 0
    wrong: int = 0
    unreadable: int = 0
    repeated: int = 0
    example: str = ""
    told: list[str] = field(default_factory=list)

    def add(self, text: str, unreadable: bool = False) -> None:
        """Note one thing that is wrong."""
        self.wrong += 1
        self.unreadable += unreadable
        if len(self.told) < TOLD:
            self.told.append(text)


def check_ledger(folder: RepliesFolder) -> LedgerFindings:
    """Go through all replies, file by file."""
    findings = LedgerFindings()
    for partition in partitions(folder):
        readable = [path for path in ledger_files(partition) if _check_file(path, folder, findings)]
        repeated = repeated_keys(readable)
        findings.repeated += len(repeated)
        findings.example = findings.example or next(iter(repeated), "")
    for path in on_this_machine(reply_journals(folder.journal)):
        for line in whole_lines(path):
            findings.waiting += 1
            _reply(line, f"journal/{path.name}", findings)
    return findings


def _check_file(path: Path, folder: RepliesFolder, findings: LedgerFindings) -> bool:
    """Check the rows of a file; False where it is no file of a ledger."""
    findings.files += 1
    where = "/".join(("ledger", *path.parts[-3:]))
    try:
        with path.open("rb") as opened:
            parquet = pq.ParquetFile(opened)
            if _types(parquet.schema_arrow) != _types(SCHEMA):
                findings.add(f"{where}: its columns are not those of a ledger", unreadable=True)
                return False
            for batch in parquet.iter_batches(_ROWS_AT_ONCE):
                _check_rows(batch.to_pylist(), where, path.parent, folder, findings)
    except (OSError, pa.ArrowException) as error:
        findings.add(f"{where}: cannot be read: {(str(error).splitlines() or [''])[0]}", unreadable=True)
        return False
    return True


def _types(schema: pa.Schema) -> list[tuple[str, pa.DataType]]:
    return [(field.name, field.type) for field in schema]


def _check_rows(
    rows: Iterable[Mapping[str, Any]], where: str, partition: Path, folder: RepliesFolder, findings: LedgerFindings
) -> None:
    for row in rows:
        findings.replies += 1
        place = f"{where}: reply {str(row['key'])[:12]}"
        if not _KEY.fullmatch(str(row["key"])):
            findings.add(f"{place}: its key is none", unreadable=True)
            continue
        reply = _reply(row["reply"], place, findings)
        if reply is None:
            continue
        others = [name for name, value in _COLUMNS.items() if row[name] != value(reply)]
        if others:
            findings.add(f"{place}: the reply says something else than {', '.join(others)}")
        elif folder.ledger_files.writable(folder.partition(reply.provider, reply.model)) != partition:
            findings.add(f"{place}: is a reply of {reply.model} at {reply.provider}, in another's folder")


def _reply(text: bytes, place: str, findings: LedgerFindings) -> Reply | None:
    try:
        reply = from_line(text)
        printable(reply.served_model)
    except _UNREADABLE:
        findings.add(f"{place}: cannot be read", unreadable=True)
        return None
    return reply
