"""Reading one log file, whatever its format, into a frame of raw columns."""

from __future__ import annotations

import csv
from io import BytesIO, StringIO
from pathlib import Path
from urllib.parse import unquote

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from judgeray.analysis.columns import ID_COLUMNS, KINDS, Kind, shown
from judgeray.analysis.jsonl import records_frame
from judgeray.core.errors import BadInputError
from judgeray.verdicts import NEEDED_COLUMNS


def read_file(file: Path) -> pl.DataFrame:
    """Read the known columns of one Parquet, CSV or JSONL file; types are those of the file.

    Raises BadInputError for a file that cannot be read, is empty or lacks a needed column.
    """
    try:
        frame = _READERS[file.suffix.lower()](file)
    except UnicodeDecodeError as error:
        raise BadInputError(f"{file}: not UTF-8 text: byte {error.start} cannot be read") from error
    except (OSError, ValueError, csv.Error, pa.ArrowException, pl.exceptions.PolarsError) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise BadInputError(f"{file}: cannot be read: {reason}") from error
    return _with_needed(frame, file)


def _with_needed(frame: pl.DataFrame, file: Path) -> pl.DataFrame:
    missing = [name for name in NEEDED_COLUMNS if name not in frame.columns]
    if missing:
        found = ", ".join(shown(name) for name in sorted(frame.columns)) or "none"
        raise BadInputError(f"{file}: missing column '{missing[0]}'; columns found: {found}")
    known = [name for name in frame.columns if name in KINDS]
    return frame if known == frame.columns else frame.select(known)


def _parquet(file: Path) -> pl.DataFrame:
    """Read with Arrow, which checks every page; columns that only the folder names tell come from there."""
    metadata = pq.read_metadata(file)
    with pq.ParquetFile(file, metadata=metadata, read_dictionary=_dictionaries(metadata)) as parquet:
        names = parquet.schema_arrow.names
        known = [name for name in names if name in KINDS]
        table = parquet.read(columns=known)
    table.validate(full=True)
    frame = pl.DataFrame(table)
    told = {name: value for name, value in _folder_values(file).items() if name not in names}
    needed = set(NEEDED_COLUMNS) <= {*names, *told}
    unread = {} if needed else dict.fromkeys(name for name in names if name not in KINDS)
    added = {**unread, **told}
    return frame.with_columns(pl.lit(value).alias(name) for name, value in added.items()) if added else frame


def _dictionaries(metadata: pq.FileMetaData) -> list[str]:
    """Name the text columns of few values; ids are left out, for theirs differ from row to row."""
    leaves = [metadata.schema.column(number) for number in range(metadata.num_columns)]
    few = [name for name, kind in KINDS.items() if kind is Kind.TEXT and name not in ID_COLUMNS]
    return [leaf.path for leaf in leaves if leaf.path in few and leaf.physical_type == "BYTE_ARRAY"]


def _folder_values(file: Path) -> dict[str, str]:
    pairs = [part.split("=", 1) for part in file.parent.parts if "=" in part]
    return {name: unquote(value) for name, value in pairs if name in KINDS}


def _csv(file: Path) -> pl.DataFrame:
    data = file.read_bytes()
    header = next(csv.reader(StringIO(data.decode("utf-8-sig"), newline="")), [])
    twice = [name for name in header if header.count(name) > 1]
    if twice:
        raise BadInputError(f"{file}: column '{twice[0]}' stands twice in the header")
    if not header:
        raise BadInputError(f"{file}: the file is empty")
    frame = pl.read_csv(BytesIO(data), infer_schema=False)
    return frame.filter(~pl.all_horizontal(pl.all().is_null()))


def _jsonl(file: Path) -> pl.DataFrame:
    return records_frame(file.read_bytes(), str(file))


_READERS = {".parquet": _parquet, ".csv": _csv, ".jsonl": _jsonl, ".ndjson": _jsonl}
