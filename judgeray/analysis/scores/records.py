"""Files of scores and choices as cells: any table file, every defect named with its file, row and column."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

from fsspec.implementations.local import LocalFileSystem

from judgeray.analysis.columns import shown
from judgeray.core.errors import BadInputError
from judgeray.datasets.cells import Place, text_in
from judgeray.datasets.files import DataFile
from judgeray.datasets.table_files import Table, open_table

Fields = Mapping[str, Sequence[str]]
"""Names of fields, and for each the columns that may hold it: the first that a file has does."""

_FLAGS = {"true": True, "1": True, "false": False, "0": False}


def places(path: Path, fields: Fields, needed: Collection[str]) -> Iterator[Place]:
    """Yield the rows of a Parquet, CSV, JSON or JSONL file as cells by field; rows are counted from 1.

    Raises BadInputError for a file that cannot be read, is empty, or lacks every column of a `needed` field.
    """
    where = str(path)
    names = [column for columns in fields.values() for column in columns]
    rows = 0
    try:
        table = open_table(DataFile(where, where, LocalFileSystem()), names)
        for rows, record in enumerate(table.records, 1):
            if rows == 1:
                columns = _columns(where, table, fields, needed)
            if not isinstance(record, Mapping):
                raise BadInputError(f"{where}: row {rows}: found '{shown(record)}', allowed: an object")
            cells = {field: record.get(column) for field, column in columns.items()}
            yield Place(where, rows, columns, cells)
    except OSError as error:
        raise BadInputError(f"{where}: cannot be read: {error.strerror or error}") from error
    if not rows:
        raise BadInputError(f"{where}: no rows: the file is empty")


def optional_text(place: Place, field: str) -> str | None:
    """Take a cell as text, None where it is empty; lone surrogates, which no column can hold, become escapes."""
    value = place.values.get(field)
    if value is None or value == "":
        return None
    text = text_in(place, field)
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode("utf-8")


def needed_text(place: Place, field: str) -> str:
    """Take a cell as text that must be there."""
    text = optional_text(place, field)
    if text is None:
        raise BadInputError(f"{place.row}: {place.columns[field]}: found nothing, allowed: a value in every row")
    return text


def number_in(place: Place, field: str) -> float | None:
    """Take a cell as a number, from text too; None where it is empty or NaN, as some writers spell nothing."""
    value = place.values.get(field)
    if value is None or value == "":
        return None
    number = _number(value)
    if number is None or math.isinf(number):
        raise place.misfit(field, "a number")
    return None if math.isnan(number) else number


def flag_in(place: Place, field: str) -> bool | None:
    """Take a cell as true or false; None where it is empty."""
    value = place.values.get(field)
    if value is None or value == "":
        return None
    if str(value).lower() not in _FLAGS:
        raise place.misfit(field, "true or false")
    return _FLAGS[str(value).lower()]


def _columns(where: str, table: Table, fields: Fields, needed: Collection[str]) -> dict[str, str]:
    """Choose the column of each field; a field that the file lacks has its own name."""
    found = {field: [name for name in names if name in table.columns] for field, names in fields.items()}
    for field in needed:
        if not found[field]:
            wanted = " or ".join(f"'{name}'" for name in fields[field])
            listed = ", ".join(shown(name) for name in sorted(table.columns)) or "none"
            raise BadInputError(f"{where}: missing column {wanted}; columns found: {listed}")
    return {field: names[0] if names else field for field, names in found.items()}


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    if isinstance(value, str) and "_" in value:
        return None
    try:
        return float(value)
    except (ValueError, OverflowError):
        return None
