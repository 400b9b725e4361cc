"""A log in little memory: text as small numbers, counts no wider than their largest.

Text of few values is an Enum of those values in lexicographic order, ids are Categorical, counts the narrowest
integers that hold them. Values and nulls stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from judgeray.analysis.columns import ID_COLUMNS, KINDS, Kind
from judgeray.analysis.layout import Codes
from judgeray.core.status import STATUSES

_TYPES = {Kind.TEXT: pl.String(), Kind.COUNT: pl.Int64(), Kind.NUMBER: pl.Float64(), Kind.FLAG: pl.Boolean()}
_WIDTHS = {2**7 - 1: pl.Int8, 2**15 - 1: pl.Int16, 2**31 - 1: pl.Int32, 2**63 - 1: pl.Int64}
_CODE_TYPES = {2**8 - 1: "u1", 2**16 - 1: "u2", 2**32 - 1: "u4"}
"""How Polars stores an Enum of so many categories."""


def compact(frame: pl.DataFrame) -> pl.DataFrame:
    """Give the columns of a checked log their compact types; optional columns that it lacks are null."""
    texts = {name: _texts(_present(frame, name)) for name, kind in KINDS.items() if _is_few(name, kind)}
    enums = {name: _enum(text.values) for name, text in texts.items()}
    enums |= dict.fromkeys(("label", "verdict"), _enum(texts["label"].values + texts["verdict"].values))
    enums["status"] = pl.Enum(STATUSES)
    few = {name: text.encoded(enums[name]) for name, text in texts.items()}
    return pl.DataFrame([few[name] if name in few else _compacted(_present(frame, name)) for name in KINDS])


def joined(frames: Sequence[pl.DataFrame]) -> pl.DataFrame:
    """Join compact frames one after the other, without copying what has the same type everywhere."""
    if len(frames) == 1:
        return frames[0]
    log = {name: pl.concat(_alike([frame[name] for frame in frames]), rechunk=False) for name in KINDS}
    both = [log["label"], log["verdict"]]
    return pl.DataFrame(log | {column.name: column for column in _alike(both)})


def id_type() -> pl.Categorical:
    """Type of id columns. Polars forgets the values when no column of this type is left."""
    return pl.Categorical(pl.Categories("judgeray", "ids", pl.UInt32))


def enum_values(column: pl.Series) -> list[str]:
    """List what an Enum column may hold, in the order of its codes."""
    if not isinstance(column.dtype, pl.Enum):
        raise TypeError(f"{column.name} holds {column.dtype}, not an Enum")
    return column.dtype.categories.to_list()


@dataclass(frozen=True, eq=False)
class _Texts:
    """A column of few values: `values[i]` has the code `present[i]`; `nulls` marks rows without a value."""

    column: pl.Series
    codes: Codes
    nulls: pl.Series | None
    present: Codes
    values: list[str]

    def encoded(self, enum: pl.Enum) -> pl.Series:
        """Turn the column into `enum`, which must hold all of its values."""
        if self.column.dtype == enum:
            return self.column
        if not self.values:
            return _nulls(self.column.name, enum, len(self.column))
        if len(self.values) == 1 and self.nulls is None:
            return pl.Series(self.column.name, self.values, dtype=enum).new_from_index(0, len(self.column))
        narrow = np.dtype(next(kind for limit, kind in _CODE_TYPES.items() if len(enum.categories) <= limit))
        lookup = np.zeros(int(self.codes.max(initial=0)) + 1, dtype=narrow)
        lookup[self.present] = pl.Series(self.values, dtype=enum).to_physical().to_numpy()
        column = pl.Series(self.column.name, lookup.take(self.codes)).cat.to(enum)
        return column if self.nulls is None else column.set(self.nulls, None)


def _texts(column: pl.Series) -> _Texts:
    coded = column.cast(pl.Categorical) if column.dtype == pl.String else column
    physical = coded.to_physical()
    nulls = column.is_null() if column.null_count() else None
    present = _codes_in((physical if nulls is None else physical.drop_nulls()).to_numpy())
    values = pl.Series(present).cat.to(coded.dtype).cast(pl.String).to_list()
    codes = physical if nulls is None else physical.fill_null(0)
    return _Texts(column, codes.to_numpy(), nulls, present, values)


def _codes_in(codes: Codes) -> Codes:
    """Codes that occur, each once, rising. Parts of a run hold one arm, so that often there is one only."""
    if codes.size and codes.min() == codes.max():
        return codes[:1]
    occurs = np.zeros(int(codes.max(initial=0)) + 1, dtype=bool)
    occurs[codes] = True
    return np.flatnonzero(occurs).astype(codes.dtype)


def _compacted(column: pl.Series) -> pl.Series:
    if KINDS[column.name] is Kind.COUNT:
        return column.cast(_width([column]))
    return column.cast(id_type()) if column.name in ID_COLUMNS else column


def _alike(columns: list[pl.Series]) -> list[pl.Series]:
    """Give columns one type."""
    if len({column.dtype for column in columns}) == 1:
        return columns
    if not isinstance(columns[0].dtype, pl.Enum):
        width = _width(columns)
        return [column.cast(width) for column in columns]
    texts = [_texts(column) for column in columns]
    enum = _enum(value for text in texts for value in text.values)
    return [text.encoded(enum) for text in texts]


def _is_few(name: str, kind: Kind) -> bool:
    return kind is Kind.TEXT and name not in ID_COLUMNS


def _present(frame: pl.DataFrame, name: str) -> pl.Series:
    if name in frame.columns:
        return frame[name]
    return _nulls(name, _TYPES[KINDS[name]], frame.height)


def _nulls(name: str, kind: pl.DataType, rows: int) -> pl.Series:
    return pl.Series(name, [None], dtype=kind).new_from_index(0, rows)


def _enum(values: Iterable[str]) -> pl.Enum:
    return pl.Enum(sorted(set(values)))


def _width(columns: Sequence[pl.Series]) -> type[pl.DataType]:
    largest = max(int(column.cast(pl.Int64).max() or 0) for column in columns)  # type: ignore[arg-type]
    return next(width for limit, width in _WIDTHS.items() if largest <= limit)
