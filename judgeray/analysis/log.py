"""Reading a verdict log: any of its formats, checked, with defaults filled in."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

import polars as pl

from judgeray.analysis.checks import check_rows, check_values
from judgeray.analysis.columns import KINDS, typed
from judgeray.analysis.files import read_file
from judgeray.analysis.place import Place
from judgeray.analysis.sources import verdict_files
from judgeray.core.errors import BadInputError
from judgeray.rows import LABELS


def read_log(source: Path | str, labels: Sequence[str] = LABELS) -> pl.DataFrame:
    """Read a verdict log from a run directory, a Parquet, CSV or JSONL file, a directory of Parquet, or a glob.

    Returns one row a verdict row with the columns of `KINDS` (see `judgeray.verdicts` for their meaning).
    `condition` defaults to "full", `replicate` to 0, and `status` to ok where a verdict stands, else to
    unparsed. Ids are read as strings always. Columns beyond those are left unread.

    Raises BadInputError, with one message that names file, row, column, value and what is allowed, for a log
    that cannot be read or contradicts itself.
    """
    path = Path(source)
    raw = [(file, read_file(file)) for file in _files(path)]
    alike = groupby(raw, key=lambda read: tuple(read[1].schema.items()))
    log = pl.concat([_checked(list(group), labels) for _, group in alike])
    check_rows(log, str(path))
    return log


def _files(path: Path) -> list[Path]:
    try:
        return verdict_files(path)
    except (OSError, ValueError) as error:
        raise BadInputError(f"{path}: cannot be read: {error}") from error


def _checked(read: list[tuple[Path, pl.DataFrame]], labels: Sequence[str]) -> pl.DataFrame:
    """Type and check the frames of files with equal column types, as one."""
    place = Place([(file, frame.height) for file, frame in read])
    raw = pl.concat([frame for _, frame in read])
    log = pl.DataFrame([typed(name, _column(raw, name), place) for name in KINDS])
    parsed = pl.when(pl.col("verdict").is_null()).then(pl.lit("unparsed")).otherwise(pl.lit("ok"))
    log = log.with_columns(
        pl.col("condition").fill_null("full"),
        pl.col("replicate").fill_null(0),
        pl.col("status").fill_null(parsed),
    )
    check_values(log, labels, place)
    return log


def _column(raw: pl.DataFrame, name: str) -> pl.Series:
    return raw[name] if name in raw.columns else pl.Series(name, [None] * raw.height, dtype=pl.Null)
