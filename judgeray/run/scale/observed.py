"""How large a reply and a recorded row are on storage: from the run's own files, or as measured elsewhere."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import pyarrow.parquet as pq

from judgeray.engine.layout import RepliesFolder
from judgeray.run.record_files import FOLDERS
from judgeray.run.scale.measured import JOURNAL_BYTES, LEDGER_BYTES, RECORD_BYTES, SPOOL_BYTES
from judgeray.storage.place import Place

RAW = "reply"
"""The ledger's column that holds what a journal holds."""


@dataclass(frozen=True)
class Sizes:
    """Bytes on storage of one reply (in the ledger, in a journal), call (in the spool) and recorded row."""

    ledger: float = LEDGER_BYTES
    journal: float = JOURNAL_BYTES
    spool: float = SPOOL_BYTES
    record: float = RECORD_BYTES
    observed: bool = False


def observed_sizes(replies: RepliesFolder, output: Path) -> Sizes:
    """Sizes in a run's ledger and record files; without a ledger, those that were measured."""
    count, stored, raw = _total(replies.ledger.rglob("*.parquet"))
    if not count:
        return Sizes()
    records, recorded, _ = _total(path for name in FOLDERS for path in (output / name).rglob("*.parquet"))
    spool = SPOOL_BYTES * stored / count / LEDGER_BYTES  # calls and replies compress alike
    return Sizes(stored / count, raw / count, spool, recorded / records if records else RECORD_BYTES, observed=True)


def _total(paths: Iterable[Place]) -> tuple[int, int, int]:
    """Rows, bytes, and bytes of raw replies before compression in all files; reads footers only."""
    rows = size = raw = 0
    for path in paths:
        with path.open("rb") as file:
            facts = pq.read_metadata(file)
        rows, size = rows + facts.num_rows, size + path.stat().st_size
        for group in range(facts.num_row_groups):
            columns = (facts.row_group(group).column(n) for n in range(facts.num_columns))
            raw += sum(column.total_uncompressed_size for column in columns if column.path_in_schema == RAW)
    return rows, size, raw
