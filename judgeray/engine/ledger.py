"""The ledger: every reply once, in Parquet partitioned by provider account and model."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from judgeray.core.call import Call
from judgeray.core.reply import Reply
from judgeray.engine.journal import read_replies, reply_journals
from judgeray.engine.layout import RepliesFolder

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
"""`reply` is the whole reply as ASCII JSON (`Reply.from_json`); the other columns repeat parts for queries."""

PART_REPLIES = 50_000
"""Replies per Parquet file: what compaction holds in memory at once."""


class Ledger:
    """Looks replies up by call, and takes journals in."""

    def __init__(self, folder: RepliesFolder) -> None:
        self._folder = folder

    def lookup(self, calls: Iterable[Call]) -> dict[str, Reply]:
        """Find the replies of these calls, by key."""
        wanted: dict[Path, set[str]] = defaultdict(set)
        for call in calls:
            wanted[self._folder.partition(call.provider, call.model)].add(call.key)
        found: dict[str, Reply] = {}
        for partition, keys in wanted.items():
            found.update(_lookup(partition, keys))
        return found

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
        count = self.take_in(journals)
        for path in journals:
            path.unlink()
        for partition in sorted(self._folder.ledger.glob("provider=*/model=*")):
            _merge(partition)
        return count

    def take_in(self, journals: Iterable[Path]) -> int:
        """Write the replies of journals, which may be another folder's, as Parquet; returns how many there were."""
        count = 0
        for replies in _chunks((reply for path in journals for reply in read_replies(path)), PART_REPLIES):
            count += len(replies)
            for (provider, model), part in _by_partition(replies).items():
                write_part(self._folder.partition(provider, model), part)
        return count


def _chunks(replies: Iterator[Reply], size: int) -> Iterator[list[Reply]]:
    chunk: list[Reply] = []
    for reply in replies:
        chunk.append(reply)
        if len(chunk) >= size:
            yield chunk
            chunk = []
    if chunk:
        yield chunk


def _by_partition(replies: list[Reply]) -> dict[tuple[str, str], dict[str, Reply]]:
    parts: dict[tuple[str, str], dict[str, Reply]] = defaultdict(dict)
    for reply in replies:
        parts[reply.provider, reply.model].setdefault(reply.key, reply)
    return parts


def _files(partition: Path) -> list[Path]:
    return sorted(partition.glob("*.parquet"))


def _lookup(partition: Path, keys: set[str]) -> dict[str, Reply]:
    files = _files(partition)
    if not files:
        return {}
    wanted = pl.scan_parquet(files).filter(pl.col("key").is_in(keys))
    frame = wanted.sort("received_at").unique("key", keep="first").select("key", "reply").collect()
    return {key: Reply.from_json(text) for key, text in frame.iter_rows()}


def write_part(partition: Path, replies: dict[str, Reply]) -> None:
    """Write replies, sorted by key, as one new file that appears whole or not at all."""
    ordered = [replies[key] for key in sorted(replies)]
    columns = {
        "key": [reply.key for reply in ordered],
        "outcome": [reply.outcome for reply in ordered],
        "served_model": [_printable(reply.served_model) for reply in ordered],
        "input_tokens": [reply.usage.input_tokens for reply in ordered],
        "output_tokens": [reply.usage.output_tokens for reply in ordered],
        "received_at": [reply.received_at for reply in ordered],
        "simulated": [reply.simulated for reply in ordered],
        "reply": [reply.to_json().encode("ascii") for reply in ordered],
    }
    _replace(partition, pa.table(columns, schema=SCHEMA))


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
    """Replace several files by one; where a key stands twice, the reply received first is kept."""
    if len(group) < 2:
        return
    table = pa.concat_tables([pq.read_table(path, schema=SCHEMA) for path in group])
    frame = pl.DataFrame(table).sort("received_at", maintain_order=True).unique("key", keep="first").sort("key")
    _replace(partition, frame.to_arrow().cast(SCHEMA))
    for path in group:
        path.unlink()
