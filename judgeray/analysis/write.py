"""Tables to CSV: the same tables give the same bytes, and no cell is a formula."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import polars as pl

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def write_tables(tables: Mapping[str, pl.DataFrame], folder: Path) -> list[Path]:
    """Write each table to `folder/tables/NAME.csv` and return the paths, in the order of `tables`."""
    paths = [folder / "tables" / f"{name}.csv" for name in tables]
    (folder / "tables").mkdir(parents=True, exist_ok=True)
    for path, table in zip(paths, tables.values(), strict=True):
        write_whole(path, csv_text(table))
    return paths


def csv_text(table: pl.DataFrame) -> str:
    """Spell a table as CSV (RFC 4180 quoting, line feeds).

    Floats have 12 significant digits, flags are true and false, null is an empty cell. A text cell that a
    spreadsheet would take for a formula starts with an apostrophe (OWASP, CSV injection).
    """
    return table.with_columns(
        pl.Series(name, map(_cell, table[name]), pl.String) for name in table.columns
    ).write_csv()


def write_whole(path: Path, text: str) -> None:
    """Write a UTF-8 file so that a reader sees the old one or the new one, never a part."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        temporary.write_bytes(text.encode("utf-8"))
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def _cell(value: object) -> str | None:
    if value is None or value != value:
        return None
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f"{value + 0.0:.12g}"
    if isinstance(value, str) and value.startswith(_FORMULA_STARTS):
        return f"'{value}"
    return str(value)
