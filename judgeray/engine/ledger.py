"""The ledger: every reply once, in Parquet partitioned by provider account and model."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any
from uuid import uuid4

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from judgeray.core.call import Call
from judgeray.core.reply import Reply
from judgeray.engine.journal import reply_journals, whole_lines
from judgeray.engine.layout import RepliesFolder
from judgeray.engine.ledger_index import PartitionIndex
from judgeray.engine.reply_lines import from_line, record_of, to_line

SCHEMA = pa.schema(
    [
        pa.field("key", pa.large_string(), nullable=False),
        pa.field("outcome", pa.large_string(), nullable=False),
        pa.field("served_model", pa.large_string()),
        pa.field("input_tokens", pa.int64()),
        pa.field("output_tokens", pa.int64()),
        pa.field("received_at", pa.large_string()),
        pa.field("simulated", pa.bool_(), nullable=False),
        pa.field("reply", pa.large_binary(), nullable=False),
    ]
)
"""`reply` is the whole reply as JSON (`Reply.from_json`); the other columns repeat parts for queries."""

PART_REPLIES = 50_000
"""Replies per Parquet file: what compaction holds in memory at once."""


class Ledger:
    """Looks replies up by call, and takes journals in."""

    def __init__(self, folder: RepliesFolder) -> None:
        self._folder = folder
        self._indexes: dict[Path, PartitionIndex] = defaultdict(PartitionIndex)

    def lookup(self, calls: Iterable[Call]) -> dict[str, Reply]:
        """Find the replies of these calls, by key; of two replies to one call, the one received first."""
        wanted: dict[tuple[str, str], set[str]] = defaultdict(set)
        for call in calls:
            wanted[call.provider, call.model].add(call.key)
        found: dict[str, Reply] = {}
        for (provider, model), keys in wanted.items():
            found.update(self._lookup(self._folder.partition(provider, model), keys))
        return found

    def _lookup(self, partition: Path, keys: set[str]) -> dict[str, Reply]:
        index = self._indexes[partition]
        index.refresh(_files(partition))
        first: dict[str, tuple[str, bytes]] = {}
        for key, received_at, line in index.find(keys):
            if key not in first or received_at < first[key][0]:
                first[key] = received_at, line
        return {key: from_line(line) for key, (_, line) in first.items()}

    def keys(self, provider: str, model: str) -> pl.LazyFrame:
        """Scan the keys of a partition, column `key`; a key may stand twice."""
        files = _files(self._folder.partition(provider, model))
        if not files:
            return pl.LazyFrame(schema={"key": pl.String})
        return pl.scan_parquet(files, hive_partitioning=False).select("key")

    def received_today(self, provider: str) -> int:
        """Count the replies that a provider account has given on this day in UTC."""
        day = datetime.now(UTC).date().isoformat()
        files = sorted(self._folder.partition(provider, "").parent.glob("model=*/*.parquet"))
        if not files:
            return 0
        column = pl.scan_parquet(files, hive_partitioning=False).select(
            pl.col("received_at").str.starts_with(day).sum()
        )
        return int(column.collect().item())

    def compact(self) -> int:
        """Move all journals into Parquet and return how many replies that were.

        Only safe while no actor writes. A journal is removed after its replies are in place; a crash between
        leaves a reply in two files, which lookups and later compactions see as one.
        """
        journals = reply_journals(self._folder.journal)
        count = 0
        for lines in _chunks((line for path in journals for line in whole_lines(path)), PART_REPLIES):
            count += len(lines)
            for (provider, model), part in _by_partition(lines).items():
                _replace(self._folder.partition(provider, model), part)
        for path in journals:
            path.unlink()
        for partition in sorted(self._folder.ledger.glob("provider=*/model=*")):
            _merge(partition)
        return count


def _chunks(lines: Iterator[bytes], size: int) -> Iterator[list[bytes]]:
    while chunk := list(islice(lines, size)):
        yield chunk


def _by_partition(lines: Iterable[bytes]) -> dict[tuple[str, str], pa.Table]:
    """Part journal lines by provider and model, in the order received, which is about that in which they are looked
    up again; of a call that was answered twice the first reply is kept."""
    parts: dict[tuple[str, str], dict[str, tuple[dict[str, Any], bytes]]] = defaultdict(dict)
    for line in lines:
        record = record_of(line)
        parts[record["provider"], record["model"]].setdefault(record["key"], (record, line.rstrip(b"\n")))
    return {
        name: _table(sorted(part.values(), key=lambda found: str(found[0]["received_at"])))
        for name, part in parts.items()
    }


def _files(partition: Path) -> list[Path]:
    return sorted(partition.glob("*.parquet"))


def write_part(partition: Path, replies: dict[str, Reply]) -> None:
    """Write replies as one new file that appears whole or not at all."""
    lines = [to_line(reply) for reply in replies.values()]
    _replace(partition, _table([(record_of(line), line) for line in lines]))


def _table(found: Sequence[tuple[dict[str, Any], bytes]]) -> pa.Table:
    records = [record for record, _ in found]
    columns = {
        "key": [record["key"] for record in records],
        "outcome": [record["outcome"] for record in records],
        "served_model": [_printable(record["served_model"]) for record in records],
        "input_tokens": [record["usage"]["input_tokens"] for record in records],
        "output_tokens": [record["usage"]["output_tokens"] for record in records],
        "received_at": [record["received_at"] for record in records],
        "simulated": [record["simulated"] for record in records],
        "reply": [line for _, line in found],
    }
    return pa.table(columns, schema=SCHEMA)


def _printable(text: str | None) -> str | None:
    return None if text is None else text.encode("utf-8", "backslashreplace").decode("utf-8")


def _replace(partition: Path, table: pa.Table) -> Path:
    partition.mkdir(parents=True, exist_ok=True)
    path = partition / f"part-{uuid4().hex}.parquet"
    hidden = path.with_suffix(".tmp")
    pq.write_table(table, hidden, compression="zstd", row_group_size=5_000)
    hidden.replace(path)
    return path


def _merge(partition: Path) -> None:
    """Join small files into files of at least `PART_REPLIES`, as far as there are enough."""
    group: list[Path] = []
    rows = 0
    for path in _files(partition):
        count = pq.read_metadata(path).num_rows
        if count >= PART_REPLIES:
            continue
        group.append(path)
        rows += count
        if rows >= PART_REPLIES:
            _join(partition, group)
            group, rows = [], 0
    _join(partition, group)


def _join(partition: Path, group: list[Path]) -> None:
    """Replace several files by one, in the order received; where a key stands twice, the first reply is kept."""
    if len(group) < 2:
        return
    table = pa.concat_tables([pq.read_table(path, schema=SCHEMA) for path in group])
    frame = pl.DataFrame(table).sort("received_at", maintain_order=True)
    frame = frame.unique("key", keep="first", maintain_order=True)
    _replace(partition, frame.to_arrow().cast(SCHEMA))
    for path in group:
        path.unlink()
