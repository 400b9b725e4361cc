"""Where in a partition's files the replies of some keys stand, found without reading what is not wanted.

For each file the first eight bytes of its keys, sorted, and the rows they stand in: twelve bytes a reply, in memory
maps of temporary files, so that what is not in use costs no memory.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

import numpy as np
import pyarrow.parquet as pq
from numpy.typing import NDArray

from judgeray.engine.ledger_damage import named_damage

KEY_BYTES = 8
Found = tuple[str, str, bytes]
"""Key, time of receipt, and the reply as a line."""


@dataclass(frozen=True)
class FileIndex:
    """One file: sorted beginnings of its keys, and the row of each."""

    path: Path
    starts: NDArray[np.uint64]
    rows: NDArray[np.uint32]

    def candidates(self, wanted: NDArray[np.uint64]) -> NDArray[np.uint32]:
        """Rows whose key may be wanted, in order; `wanted` is sorted."""
        first, end = (np.searchsorted(self.starts, wanted, side=side) for side in ("left", "right"))
        counts = end - first
        before = np.repeat(np.cumsum(counts) - counts, counts)
        return np.sort(self.rows[np.repeat(first, counts) + np.arange(counts.sum()) - before])


class PartitionIndex:
    """The index of one partition; follows its files, which never change once they stand."""

    def __init__(self) -> None:
        self._files: dict[Path, FileIndex] = {}

    def refresh(self, files: Sequence[Path]) -> None:
        """Index files that are new and forget those that are gone."""
        self._files = {path: self._files.get(path) or _indexed(path) for path in files}

    def find(self, keys: Collection[str]) -> Iterator[Found]:
        """Read every reply to one of these keys; a key that stands in two files comes twice."""
        wanted = np.unique(_starts(keys))
        for index in self._files.values():
            rows = index.candidates(wanted)
            if len(rows):
                yield from _read(index.path, rows, keys)


def _indexed(path: Path) -> FileIndex:
    with named_damage(path):
        starts = _starts(pq.read_table(path, columns=["key"])["key"].to_pylist())
    order = np.argsort(starts, kind="stable").astype(np.uint32)
    return FileIndex(path, _mapped(starts[order]), _mapped(order))


def _starts(keys: Collection[str]) -> NDArray[np.uint64]:
    text = "".join(key[: 2 * KEY_BYTES] for key in keys)
    return np.frombuffer(bytes.fromhex(text), dtype=">u8").astype(np.uint64)


def _mapped(values: NDArray[Any]) -> NDArray[Any]:
    if not len(values):
        return values
    with TemporaryFile() as file:
        mapped = np.memmap(file, dtype=values.dtype, shape=values.shape)
        mapped[:] = values
    return mapped


def _read(path: Path, rows: NDArray[np.uint32], keys: Collection[str]) -> Iterator[Found]:
    """Read the row groups that hold these rows, and of them what has one of the keys in full."""
    with pq.ParquetFile(path) as file:
        by_group: dict[int, list[int]] = defaultdict(list)
        group, first, size = 0, 0, file.metadata.row_group(0).num_rows
        for row in rows.tolist():
            while row >= first + size:
                group, first = group + 1, first + size
                size = file.metadata.row_group(group).num_rows
            by_group[group].append(row - first)
        for number, places in by_group.items():
            table = file.read_row_group(number, columns=["key", "received_at", "reply"]).take(places)
            columns = (table[name].to_pylist() for name in ("key", "received_at", "reply"))
            for key, received_at, line in zip(*columns, strict=True):
                if key in keys:
                    yield key, received_at, line
