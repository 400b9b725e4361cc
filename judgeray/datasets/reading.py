"""Text, CSV and JSON files as records: exact, streamed, and every defect named with its line."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator

from judgeray.core.errors import BadInputError
from judgeray.datasets.files import DataFile

# The csv module stops at 131,072 characters a cell unless told otherwise; the limit holds process-wide.
csv.field_size_limit(2**31 - 1)


def text_lines(file: DataFile) -> Iterator[str]:
    r"""Yield the lines of a UTF-8 file, ends kept, parted at "\n" only; a byte order mark is dropped.

    Raises BadInputError where a line is not UTF-8 or the file has no bytes.
    """
    number = 0
    with file.open() as stream:
        for number, raw in enumerate(stream, 1):
            try:
                yield raw.decode("utf-8-sig" if number == 1 else "utf-8")
            except UnicodeDecodeError as error:
                raise BadInputError(
                    f"{file.where}: line {number} is not UTF-8: found byte 0x{raw[error.start]:02x}"
                ) from error
    if not number:
        raise BadInputError(f"{file.where}: is empty")


def csv_records(file: DataFile) -> Iterator[dict[str, str]]:
    """Yield one record (column -> text) a CSV row; every cell is text and empty cells are empty text.

    Blank lines are no rows. A row with too few cells lacks its last columns. Raises BadInputError on broken
    quoting, on a row with too many cells and on a header that names a column twice.
    """
    reader = csv.reader(text_lines(file), strict=True)
    try:
        header = next(reader, [])
        if len(set(header)) < len(header):
            raise BadInputError(f"{file.where}: the header names a column twice: {', '.join(header)}")
        for cells in reader:
            if len(cells) > len(header):
                raise BadInputError(
                    f"{file.where}: line {reader.line_num}: found {len(cells)} cells, the header has {len(header)}"
                )
            if cells:
                yield dict(zip(header, cells, strict=False))
    except csv.Error as error:
        raise BadInputError(f"{file.where}: line {reader.line_num}: broken CSV: {error}") from error


def json_document(file: DataFile) -> object:
    """Read a JSON file as one value; lone surrogates written as escapes survive."""
    return _parsed("".join(text_lines(file)), file.where)


def json_records(file: DataFile) -> Iterator[object]:
    """Yield the items of a JSON list, or the values of JSON Lines; told apart by the first character.

    JSON Lines are read line by line, a JSON list is held in memory.
    """
    lines = text_lines(file)
    for number, line in enumerate(lines, 1):
        if number == 1 and line.lstrip().startswith("["):
            yield from _items(_parsed(line + "".join(lines), file.where), file.where)
        elif line.strip():
            yield _parsed(line, file.where, "JSON Lines", number)


def _items(value: object, where: str) -> list[object]:
    if not isinstance(value, list):
        raise BadInputError(f"{where}: found {type(value).__name__}, expected a JSON list or JSON Lines")
    return value


def _parsed(text: str, where: str, form: str = "JSON", line: int = 1) -> object:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        at = line + error.lineno - 1
        raise BadInputError(f"{where}: line {at}, column {error.colno}: broken {form}: {error.msg}") from error
    except (ValueError, RecursionError) as error:
        raise BadInputError(f"{where}: unreadable {form}: {error}") from error
