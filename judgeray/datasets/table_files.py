"""Table files as records: Parquet, CSV, JSON (a list of objects) and JSON Lines, read in small batches."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

import pyarrow as pa
from pyarrow import parquet

from judgeray.core.errors import BadInputError, bad_value
from judgeray.datasets.files import DataFile
from judgeray.datasets.reading import csv_records, json_records
from judgeray.datasets.records import peek

BATCH_ROWS = 256


@dataclass(frozen=True)
class Table:
    """One file: the columns it has, and its records in file order."""

    columns: Collection[str]
    records: Iterator[object]


def open_table(file: DataFile, wanted: Collection[str]) -> Table:
    """Open a table by the ending of its name; Parquet is read for the `wanted` columns only.

    Columns of files without a schema are those of their first 100 records. Raises BadInputError on another
    ending, and on a file that is not what its ending says.
    """
    ending = PurePosixPath(file.path).suffix.lower()
    if ending not in _OPENERS:
        raise bad_value(file.where, "file name ending", ending, _OPENERS)
    return _OPENERS[ending](file, wanted)


def _parquet(file: DataFile, wanted: Collection[str]) -> Table:
    try:
        with file.open() as stream:
            names = parquet.read_schema(stream).names
    except pa.ArrowException as error:
        raise BadInputError(f"{file.where}: no Parquet file: {error}") from error
    return Table(names, _parquet_records(file, [name for name in names if name in wanted]))


def _parquet_records(file: DataFile, columns: list[str]) -> Iterator[Mapping[str, object]]:
    try:
        with file.open() as stream:
            # What Arrow fetches ahead it holds until the end: all of the file, in time.
            opened = parquet.ParquetFile(stream, pre_buffer=False)
            for batch in opened.iter_batches(BATCH_ROWS, columns=columns):
                yield from batch.to_pylist()
    except (pa.ArrowException, UnicodeDecodeError) as error:
        raise BadInputError(f"{file.where}: broken Parquet file: {error}") from error


def _csv(file: DataFile, wanted: Collection[str]) -> Table:  # noqa: ARG001 - one signature for all openers
    return Table(*peek(csv_records(file)))


def _json(file: DataFile, wanted: Collection[str]) -> Table:  # noqa: ARG001 - one signature for all openers
    return Table(*peek(json_records(file)))


_OPENERS: dict[str, Callable[[DataFile, Collection[str]], Table]] = {
    ".parquet": _parquet,
    ".csv": _csv,
    ".json": _json,
    ".jsonl": _json,
    ".ndjson": _json,
}
