"""Ids as small numbers while files are read: arms that judge the same rows bring the same id columns again."""

from __future__ import annotations

from collections import OrderedDict

import polars as pl

from judgeray.analysis.columns import ID_COLUMNS
from judgeray.analysis.compact import id_type

_KEPT_ROWS = 2_000_000


class IdColumns:
    """Turns id columns into Categorical, and remembers recent ones: comparing is cheaper than looking up."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, int, object, object], tuple[pl.Series, pl.Series]] = OrderedDict()

    def compacted(self, frame: pl.DataFrame) -> pl.DataFrame:
        """Give the text id columns of a raw frame their compact type, in place."""
        for name in ID_COLUMNS:
            column = frame.get_column(name)
            if column.dtype == pl.String and frame.height:
                frame.replace_column(frame.get_column_index(name), self._categorical(column))
        return frame

    def _categorical(self, column: pl.Series) -> pl.Series:
        key = (column.name, len(column), column[0], column[-1])
        if key in self._kept and self._kept[key][0].equals(column):
            return self._kept[key][1]
        self._kept[key] = (column, column.cast(id_type()))
        while len(self._kept) > 1 and sum(len(text) for text, _ in self._kept.values()) > _KEPT_ROWS:
            self._kept.popitem(last=False)
        return self._kept[key][1]
