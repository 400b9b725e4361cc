"""A view: one table of a report as plain cells, before it is Markdown or a screen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import polars as pl

from judgeray.analysis.arms import design_order


@dataclass(frozen=True)
class View:
    """`header` and `rows` hold unescaped text; `strong` names cells (row, column) that stand out."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    strong: frozenset[tuple[int, int]] = frozenset()

    def only(self, *names: str) -> View:
        """Keep the columns with these names, in that order; nothing stands out any more."""
        columns = [self.header.index(name) for name in names]
        rows = tuple(tuple(row[column] for column in columns) for row in self.rows)
        return View(self.title, names, rows)


def places(table: pl.DataFrame) -> Iterator[tuple[str, pl.DataFrame]]:
    """Split a table by dataset and condition; yield a title and the part, in sorted order."""
    keys = [name for name in ("dataset", "condition") if name in table.columns]
    several = "condition" in keys and table["condition"].n_unique() > 1
    for key, part in sorted(table.partition_by(keys, as_dict=True).items()):
        yield (f"{key[0]}, condition {key[1]}" if several else str(key[0])), part


def in_order(designs: Iterable[str]) -> list[str]:
    """Sort designs as study 1 lists them."""
    return sorted(set(designs), key=design_order)
