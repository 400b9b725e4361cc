"""A Ray datasource that reads the spool in small blocks: the unit of streaming, retry and loss."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

import pyarrow as pa
from ray.data import Datasource
from ray.data.block import BlockMetadata
from ray.data.datasource import ReadTask

from judgeray.engine.spool import BLOCK_CALLS, SCHEMA
from judgeray.storage.files import bytes_of, parquet_file
from judgeray.storage.place import Place, address, place_of


class SpoolSource(Datasource):
    """Blocks of at most `block_calls` calls, in spool order."""

    def __init__(self, files: Sequence[Place], block_calls: int = BLOCK_CALLS) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._slices: list[tuple[str, int, int, int]] = [
            (address(path), start, min(block_calls, rows - start), bytes_of(path) * block_calls // max(rows, 1))
            for path in files
            for rows in [_rows(path)]
            for start in range(0, rows, block_calls)
        ]

    def __len__(self) -> int:
        return len(self._slices)

    def estimate_inmemory_data_size(self) -> int | None:
        """Bytes of all blocks, from the sizes of the files."""
        return sum(size for _, _, _, size in self._slices)

    def get_read_tasks(
        self, parallelism: int, per_task_row_limit: int | None = None, data_context: object = None
    ) -> list[ReadTask]:
        """One task per block; Ray would join the blocks of a task into one."""
        del parallelism, data_context
        return [
            ReadTask(
                partial(_read, path, start, count),
                BlockMetadata(num_rows=count, size_bytes=size, input_files=(path,), exec_stats=None),
                schema=SCHEMA,
                per_task_row_limit=per_task_row_limit,
            )
            for path, start, count, size in self._slices
        ]


def _read(path: str, start: int, count: int) -> Iterable[pa.Table]:
    """Read just the row groups that hold the slice: the spool's are as long as a block."""
    with parquet_file(place_of(path)) as file:
        first, groups, offset = 0, list[int](), None
        for number in range(file.num_row_groups):
            rows = file.metadata.row_group(number).num_rows
            if first < start + count and start < first + rows:
                offset = first if offset is None else offset
                groups.append(number)
            first += rows
        table = file.read_row_groups(groups).cast(SCHEMA)
    return [table.slice(start - (offset or 0), count).combine_chunks()]


def _rows(path: Place) -> int:
    with parquet_file(path) as file:
        return int(file.metadata.num_rows)
