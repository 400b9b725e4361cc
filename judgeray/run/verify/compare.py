"""Comparing what is recorded with what is made now: tables row for row, files byte for byte."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import zip_longest
from pathlib import Path

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from judgeray.run.record_files import NAMED

_IDS = ("row_id", "text_id")
"""Columns that name a row alone; without one, all that name it together do."""


def rows_differ(recorded: Path, table: pa.Table) -> str | None:
    """Say how a recorded Parquet file differs from the rows that it should hold; None where it does not.

    Told are how many rows differ, and of the first its name and column. No value is told: it may be a text.
    """
    if not recorded.is_file():
        return f"is not there; it should have {table.num_rows:,} rows"
    try:
        with recorded.open("rb") as opened:
            then = pl.DataFrame(pq.ParquetFile(opened).read())
    except (OSError, pa.ArrowException) as error:
        return f"cannot be read: {(str(error).splitlines() or [''])[0]}"
    now = pl.DataFrame(table)
    if then.schema != now.schema:
        names = sorted({name for name, _ in set(then.schema.items()) ^ set(now.schema.items())})
        return f"has other columns or types: {', '.join(names) or 'in another order'}"
    return _first_difference(then, now)


def _first_difference(then: pl.DataFrame, now: pl.DataFrame) -> str | None:
    common = min(then.height, now.height)
    same = pl.DataFrame({name: then[name].head(common).eq_missing(now[name].head(common)) for name in now.columns})
    wrong = [number for number, row in enumerate(same.iter_rows()) if not all(row)]
    if then.height != now.height:
        longer = then if then.height > common else now
        first = _name(longer, next(iter(wrong), common))
        return f"{then.height:,} rows recorded, {now.height:,} now; the first that differs is {first}"
    if not wrong:
        return None
    column = next(name for name in same.columns if not same[name][wrong[0]])
    return f"{len(wrong):,} of {now.height:,} rows differ; the first is {_name(now, wrong[0])} in column {column}"


def _name(rows: pl.DataFrame, number: int) -> str:
    alone = [name for name in _IDS if name in rows.columns]
    names = alone[:1] or [name for name in NAMED if name in rows.columns]
    return ", ".join(f"{name} {rows[name][number]}" for name in names if rows[name][number] is not None)


def files_differ(recorded: Path, now: Path) -> str | None:
    """Say how a file differs from what it should be; None where every byte is the same."""
    if not now.exists():
        return "is not made by the analysis"
    if not recorded.exists():
        return "is not there"
    with recorded.open("rb") as then, now.open("rb") as here:
        lines: Iterable[tuple[bytes | None, bytes | None]] = zip_longest(then, here)
        line = next((number for number, pair in enumerate(lines, 1) if pair[0] != pair[1]), None)
    return None if line is None else f"differs from line {line} on"
