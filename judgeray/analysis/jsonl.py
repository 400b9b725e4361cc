"""JSON Lines to columns: values keep their meaning, ids beyond 2^53 their digits."""

from __future__ import annotations

import json
from types import NoneType
from typing import Any

import orjson
import polars as pl

from judgeray.analysis.columns import KINDS, Kind, shown
from judgeray.core.errors import BadInputError

_STORED: dict[Kind, set[type]] = {
    Kind.TEXT: {NoneType, str, int},
    Kind.COUNT: {NoneType, str, int, float},
    Kind.NUMBER: {NoneType, str, int, float},
    Kind.FLAG: {NoneType, str, int, bool},
}
"""JSON types that a column takes. `true` is no number and no text; NaN, as some writers spell null, is none."""


def records_frame(data: bytes, where: str) -> pl.DataFrame:
    """Read one JSON object a line; rows are counted from 1, blank lines left out.

    Raises UnicodeDecodeError on bytes that are no UTF-8, and BadInputError on a line that is no JSON object or
    on a value of a kind that its column cannot hold.
    """
    lines = data.decode("utf-8-sig").split("\n")
    records = [_record(line, row, where) for row, line in enumerate(filter(str.strip, lines), 1)]
    if not records:
        raise BadInputError(f"{where}: the file is empty")
    names = dict.fromkeys(name for record in records for name in record)
    return pl.DataFrame([_column(name, records, where) for name in names])


def _record(line: str, row: int, where: str) -> dict[str, Any]:
    try:
        record = orjson.loads(line)
    except orjson.JSONDecodeError:
        record = _lenient(line, row, where)
    if not isinstance(record, dict):
        raise BadInputError(f"{where}: row {row}: found '{shown(line)}', allowed: a JSON object")
    return record


def _lenient(line: str, row: int, where: str) -> Any:  # noqa: ANN401 - JSON is any value until looked at
    """Read what the fast reader refuses: NaN, numbers of any size, lone surrogates."""
    try:
        return json.loads(line)
    except ValueError as error:
        raise BadInputError(f"{where}: row {row}: not JSON: {error}") from error


def _column(name: str, records: list[dict[str, Any]], where: str) -> pl.Series:
    if name not in KINDS:
        return pl.Series(_storable(name), [None] * len(records), dtype=pl.Null)
    values = [record.get(name) for record in records]
    types = set(map(type, values))
    if not types <= _STORED[KINDS[name]]:
        _reject_misfit(name, values, where)
    if not types <= {str, NoneType}:
        values = [None if value is None or value != value else str(value) for value in values]
    try:
        return pl.Series(name, values, dtype=pl.String)
    except UnicodeEncodeError:
        return pl.Series(name, [None if text is None else _storable(text) for text in values], dtype=pl.String)


def _reject_misfit(name: str, values: list[Any], where: str) -> None:
    kind = KINDS[name]
    for row, value in enumerate(values, 1):
        if type(value) not in _STORED[kind] and value == value:
            raise BadInputError(f"{where}: row {row}: {name}: found '{shown(value)}', allowed: {kind.value}")


def _storable(text: str) -> str:
    """Write lone surrogates, which no UTF-8 column can hold, as their escapes."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
