"""The ledger: every reply once, in Parquet partitioned by provider account and model."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, cast
from uuid import uuid4

import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from judgeray.core.call import Call
from judgeray.core.reply import Reply
from judgeray.engine.journal import all_lines, reply_journals
from judgeray.engine.layout import RepliesFolder
from judgeray.engine.ledger_damage import named_damage
from judgeray.engine.ledger_index import PartitionIndex
from judgeray.engine.reply_lines import from_line, record_of, to_line
from judgeray.storage.files import discard, make_folder, write_table
from judgeray.storage.place import Place

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

CHUNK_REPLIES = 5_000
"""Replies of a journal that stand in memory as Python's own objects, which take several times as much."""

P = TypeVar("P", bound=Place)


class Ledger:
    """Looks replies up by call, and takes journals in."""

    def __init__(self, folder: RepliesFolder) -> None:
        self._folder, self._on_disk = folder, folder.ledger_files
        self._indexes: dict[Path, PartitionIndex] = defaultdict(PartitionIndex)

    def files(self, provider: str, model: str) -> list[Path]:
        """Name the Parquet files of one model at one provider account, on this machine."""
        return ledger_files(self._on_disk.here(self._folder.partition(provider, model)))

    def lookup(self, calls: Iterable[Call]) -> dict[str, Reply]:
        """Find the replies of these calls, by key; of two replies to one call, the one received first."""
        wanted: dict[tuple[str, str], set[str]] = defaultdict(set)
        for call in calls:
            wanted[call.provider, call.model].add(call.key)
        found: dict[str, Reply] = {}
        for (provider, model), keys in wanted.items():
            found.update(self._lookup(self._on_disk.here(self._folder.partition(provider, model)), keys))
        return found

    def _lookup(self, partition: Path, keys: set[str]) -> dict[str, Reply]:
        index = self._indexes[partition]
        index.refresh(ledger_files(partition))
        first: dict[str, tuple[str, bytes]] = {}
        for key, received_at, line in index.find(keys):
            if key not in first or received_at < first[key][0]:
                first[key] = received_at, line
        return {key: from_line(line) for key, (_, line) in first.items()}

    def keys(self, provider: str, model: str) -> pl.LazyFrame:
        """Scan the keys of a partition, column `key`; a key may stand twice."""
        files = self.files(provider, model)
        if not files:
            return pl.LazyFrame(schema={"key": pl.String})
        return pl.scan_parquet(files, hive_partitioning=False).select("key")

    def received_today(self, provider: str) -> int:
        """Count the replies that a provider account has given on this day in UTC."""
        day = datetime.now(UTC).date().isoformat()
        account = self._on_disk.here(self._folder.partition(provider, "").parent)
        files = sorted(account.glob("model=*/*.parquet"))
        if not files:
            return 0
        column = pl.scan_parquet(files, hive_partitioning=False).select(
            pl.col("received_at").str.starts_with(day).sum()
        )
        return int(column.collect().item())

    def compact(self) -> int:
        """Move all journals into Parquet and return how many replies that were.

        Only safe while no actor appends; parts in an object store are never appended to. A journal is removed after
        its replies are in place; a crash between leaves a reply in two files, which lookups and later compactions
        see as one.
        """
        journals = reply_journals(self._folder.journal)
        count = self.take_in(journals)
        discard(journals)
        for partition in self._on_disk.partitions(self._folder.ledger):
            self._merge(partition)
        return count

    def take_in(self, journals: Sequence[Place]) -> int:
        """Write the replies of journals, which may be another folder's, as Parquet; returns how many there were."""
        count, waiting = 0, dict[tuple[str, str], list[pa.Table]]()
        for lines in _chunks(all_lines(journals), min(CHUNK_REPLIES, PART_REPLIES)):
            count += len(lines)
            for name, part in _by_partition(lines).items():
                waiting.setdefault(name, []).append(part)
            if sum(part.num_rows for parts in waiting.values() for part in parts) >= PART_REPLIES:
                self._write(waiting)
                waiting.clear()
        self._write(waiting)
        return count

    def _write(self, waiting: Mapping[tuple[str, str], Sequence[pa.Table]]) -> None:
        """Write one file for each partition."""
        for (provider, model), parts in waiting.items():
            partition = self._on_disk.writable(self._folder.partition(provider, model))
            self._on_disk.added(_replace(partition, _each_once(pa.concat_tables(parts))))

    def _merge(self, partition: Path) -> None:
        """Join small files into files of at least `PART_REPLIES`, as far as there are enough."""
        for group in _small_groups(partition):
            self._on_disk.added(_join(partition, group))
            self._on_disk.remove(group)


def _chunks(lines: Iterator[bytes], size: int) -> Iterator[list[bytes]]:
    while chunk := list(islice(lines, size)):
        yield chunk


def _by_partition(lines: Iterable[bytes]) -> dict[tuple[str, str], pa.Table]:
    """Part journal lines by provider and model, in the order received, which is about that in which they are looked
    up again."""
    parts: dict[tuple[str, str], list[LedgerRow]] = defaultdict(list)
    for line in lines:
        record = record_of(line)
        parts[record["provider"], record["model"]].append(_row(record, line.rstrip(b"\n")))
    return {name: _table(sorted(rows, key=lambda row: row.received_at or "")) for name, rows in parts.items()}


def _each_once(table: pa.Table) -> pa.Table:
    """Keep the reply received first where a key stands twice, which is rare."""
    if pc.count_distinct(table["key"]).as_py() == table.num_rows:
        return table
    frame = pl.DataFrame(table).sort("received_at", maintain_order=True)
    return frame.unique("key", keep="first", maintain_order=True).to_arrow().cast(SCHEMA)


def ledger_files(partition: Path) -> list[Path]:
    """Files of one partition, in name order; those that are still being written are left out."""
    return sorted(partition.glob("*.parquet"))


def write_part(partition: P, replies: dict[str, Reply]) -> P:
    """Write replies as one new file that appears whole or not at all; returns its path."""
    lines = [to_line(reply) for reply in replies.values()]
    return _replace(partition, _table([_row(record_of(line), line) for line in lines]))


class LedgerRow(NamedTuple):
    """A reply as `SCHEMA` keeps it: the few fields that are columns, and the line."""

    key: str
    outcome: str
    served_model: str | None
    input_tokens: int | None
    output_tokens: int | None
    received_at: str | None
    simulated: bool
    reply: bytes


def _row(record: dict[str, Any], line: bytes) -> LedgerRow:
    usage = record["usage"]
    return LedgerRow(
        record["key"],
        record["outcome"],
        printable(record["served_model"]),
        usage["input_tokens"],
        usage["output_tokens"],
        record["received_at"],
        record["simulated"],
        line,
    )


def _table(rows: Sequence[LedgerRow]) -> pa.Table:
    columns = zip(*rows, strict=True) if rows else ((),) * len(SCHEMA)
    return pa.table(dict(zip(SCHEMA.names, columns, strict=True)), schema=SCHEMA)


def printable(text: str | None) -> str | None:
    """A name as a column can hold it: what is no Unicode is written as escapes."""
    return None if text is None else text.encode("utf-8", "backslashreplace").decode("utf-8")


def _replace(partition: P, table: pa.Table) -> P:
    make_folder(partition)
    path = partition / f"part-{uuid4().hex}.parquet"
    write_table(path, table, compression="zstd", row_group_size=5_000)
    return cast("P", path)


def _small_groups(partition: Path) -> Iterator[list[Path]]:
    """Group small files that together hold at least `PART_REPLIES`, and in the end the rest of them."""
    group: list[Path] = []
    rows = 0
    for path in ledger_files(partition):
        with named_damage(path):
            count = pq.read_metadata(path).num_rows
        if count >= PART_REPLIES:
            continue
        group.append(path)
        rows += count
        if rows >= PART_REPLIES:
            yield group
            group, rows = [], 0
    if len(group) > 1:
        yield group


def _join(partition: Path, group: list[Path]) -> Path:
    """Write one file in place of several, in the order received; where a key stands twice, the first is kept."""
    table = pa.concat_tables([pq.read_table(path, schema=SCHEMA) for path in group])
    frame = pl.DataFrame(table).sort("received_at", maintain_order=True)
    return _replace(partition, _each_once(frame.to_arrow().cast(SCHEMA)))
