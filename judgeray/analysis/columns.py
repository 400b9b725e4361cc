"""The columns that an analysis reads, and how a raw column becomes a typed one."""

from __future__ import annotations

from enum import Enum

import polars as pl

from judgeray.analysis.place import Place
from judgeray.core.errors import BadInputError
from judgeray.verdicts import NEEDED_COLUMNS


class Kind(Enum):
    """What a column holds; the value is what a user is told."""

    TEXT = "text or a whole number"
    COUNT = "a whole number from 0 to 10^12"
    NUMBER = "a number"
    FLAG = "true or false"


KINDS: dict[str, Kind] = {
    **dict.fromkeys((*NEEDED_COLUMNS, "condition", "status", "parse_branch"), Kind.TEXT),
    **dict.fromkeys(("variant", "served_model"), Kind.TEXT),
    **dict.fromkeys(("replicate", "complexity"), Kind.COUNT),
    **dict.fromkeys(("input_tokens", "output_tokens", "reasoning_tokens"), Kind.COUNT),
    **dict.fromkeys(("cached_tokens", "total_tokens"), Kind.COUNT),
    **dict.fromkeys(("score", "confidence", "cost_usd"), Kind.NUMBER),
    "simulated": Kind.FLAG,
}
"""Columns by name. All others of a log are left unread."""

ID_COLUMNS = ("question_id", "row_id")
"""Text whose values are as many as questions and rows."""

_FLAGS = {"true": True, "1": True, "false": False, "0": False}
_LARGEST_COUNT = 10**12
_TEXT_TYPES = (pl.String, pl.Categorical, pl.Enum, pl.Null)


def typed(name: str, raw: pl.Series, place: Place) -> pl.Series:
    """Turn a raw column into String (Categorical stays), Int64, Float64 or Boolean, nulls kept.

    Numbers written as text are read; a count may be written `12.0`. Raises BadInputError that names row (from
    1), column, value found and what is allowed.
    """
    kind = KINDS[name]
    if _is_typed(kind, raw):
        return raw
    if kind is Kind.TEXT:
        return _text(name, raw, place)
    if kind is Kind.FLAG:
        return _flag(name, raw, place)
    numbers = _numbers(name, raw, place)
    return numbers if kind is Kind.NUMBER else _counts(name, raw, numbers, place)


def shown(value: object) -> str:
    """Render a value found in data for an error message: short, on one line, control characters visible."""
    text = str(value)
    return repr(text[:80])[1:-1] + ("..." if len(text) > 80 else "")


def reject(bad: pl.Series, name: str, raw: pl.Series, place: Place) -> None:
    """Raise BadInputError for the first row marked in `bad`, if there is one."""
    row = bad.arg_true()
    if len(row):
        raise BadInputError(
            f"{place.row(row[0])}: {name}: found '{shown(raw[row[0]])}', allowed: {KINDS[name].value}"
        )


def _is_typed(kind: Kind, raw: pl.Series) -> bool:
    if kind is Kind.COUNT:
        return raw.dtype == pl.Int64 and bool(raw.is_between(0, _LARGEST_COUNT).all())
    if kind is Kind.TEXT:
        return isinstance(raw.dtype, pl.String | pl.Categorical)
    if kind is Kind.NUMBER:
        return raw.dtype == pl.Float64 and bool(raw.is_finite().all())
    return raw.dtype == pl.Boolean


def _text(name: str, raw: pl.Series, place: Place) -> pl.Series:
    if not (isinstance(raw.dtype, _TEXT_TYPES) or raw.dtype.is_integer()):
        raise _wrong_type(name, raw, place)
    return raw.cast(pl.String)


def _flag(name: str, raw: pl.Series, place: Place) -> pl.Series:
    if not (isinstance(raw.dtype, (*_TEXT_TYPES, pl.Boolean)) or raw.dtype.is_integer()):
        raise _wrong_type(name, raw, place)
    text = raw.cast(pl.String).str.to_lowercase()
    flags = text.replace_strict(_FLAGS, default=None, return_dtype=pl.Boolean)
    reject(text.is_not_null() & flags.is_null(), name, raw, place)
    return flags


def _numbers(name: str, raw: pl.Series, place: Place) -> pl.Series:
    if not (isinstance(raw.dtype, _TEXT_TYPES) or raw.dtype.is_numeric()):
        raise _wrong_type(name, raw, place)
    plain = raw.cast(pl.String) if isinstance(raw.dtype, pl.Categorical | pl.Enum) else raw
    numbers = plain.cast(pl.Float64, strict=False).fill_nan(None)
    unread = raw.is_not_null() & numbers.is_null()
    if not raw.dtype.is_float():
        reject(unread & (raw.cast(pl.String).str.to_lowercase() != "nan"), name, raw, place)
    reject(numbers.is_infinite().fill_null(value=False), name, raw, place)
    return numbers


def _counts(name: str, raw: pl.Series, numbers: pl.Series, place: Place) -> pl.Series:
    whole = numbers.is_between(0, _LARGEST_COUNT) & (numbers == numbers.floor())
    reject((~whole).fill_null(value=False), name, raw, place)
    return numbers.cast(pl.Int64)


def _wrong_type(name: str, raw: pl.Series, place: Place) -> BadInputError:
    return BadInputError(f"{place.file()}: {name}: the column holds {raw.dtype}, allowed: {KINDS[name].value}")
