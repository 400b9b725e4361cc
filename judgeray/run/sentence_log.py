"""Judged sentences and claims as a log: of a run directory, or of one Parquet file from anywhere."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pyarrow as pa

from judgeray.analysis.columns import shown
from judgeray.core.errors import BadInputError, bad_value
from judgeray.core.status import STATUSES
from judgeray.sentence_verdicts import SENTENCE_SCHEMA, UNITS

_KEY = ("dataset", "document_id", "summary_id", "sentence_index", "claim_index", "unit", "judge", "replicate")

_KINDS = pl.DataFrame(SENTENCE_SCHEMA.empty_table()).schema

_BINARY = "0 or 1"


def read_sentence_log(source: Path) -> pl.DataFrame:
    """Read a run directory, a directory of Parquet files, or one such file: the columns of `SENTENCE_SCHEMA`.

    Columns that may be null may be missing. Raises BadInputError for anything that is no such log, naming file, row
    and column: another type, a value out of range, a sentence that one judge has twice in a replicate.
    """
    if not source.is_dir() and source.suffix != ".parquet":
        raise bad_value(str(source), "suffix", source.suffix, (".parquet",))
    within = source / "sentences" if (source / "sentences").is_dir() else source
    files = sorted(within.rglob("*.parquet")) if source.is_dir() else [source]
    if not files:
        raise BadInputError(f"{source}: no judged sentences here")
    log = pl.concat([_fitted(_read(file), file) for file in files])
    if log.is_empty():
        raise BadInputError(f"{source}: no rows: the log is empty")
    return _checked(log, source)


def _read(file: Path) -> pl.DataFrame:
    try:
        return pl.read_parquet(file, hive_partitioning=False)
    except (OSError, ValueError, pa.ArrowException, pl.exceptions.PolarsError) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise BadInputError(f"{file}: cannot be read: {reason}") from error


def _fitted(frame: pl.DataFrame, file: Path) -> pl.DataFrame:
    """Give a file's columns the types of the schema."""
    for field in SENTENCE_SCHEMA:
        if field.name not in frame.columns and not field.nullable:
            found = ", ".join(shown(name) for name in sorted(frame.columns)) or "none"
            raise BadInputError(f"{file}: missing column '{field.name}'; columns found: {found}")
    return frame.select(_cast(frame, name, file) for name in SENTENCE_SCHEMA.names)


def _cast(frame: pl.DataFrame, name: str, file: Path) -> pl.Series:
    if name not in frame.columns:
        return pl.Series(name, [None] * frame.height, _KINDS[name])
    try:
        return frame[name].cast(_KINDS[name])
    except pl.exceptions.PolarsError as error:
        raise BadInputError(f"{file}: {name}: found {frame.schema[name]}, allowed: {_KINDS[name]}") from error


def _checked(log: pl.DataFrame, source: Path) -> pl.DataFrame:
    for field in SENTENCE_SCHEMA:
        if not field.nullable:
            _reject(log, source, field.name, pl.col(field.name).is_null(), "a value in every row")
    faithful, soft, index = pl.col("faithful"), pl.col("soft"), pl.col("sentence_index")
    _reject(log, source, "unit", ~pl.col("unit").is_in(UNITS), ", ".join(UNITS))
    _reject(log, source, "status", ~pl.col("status").is_in(STATUSES), ", ".join(STATUSES))
    _reject(log, source, "label", ~pl.col("label").is_in([0, 1]), _BINARY)
    _reject(log, source, "faithful", faithful.is_not_null() & ~faithful.is_in([0, 1]), _BINARY)
    _reject(log, source, "soft", soft.is_not_null() & ~soft.is_between(0, 1), "a probability")
    _reject(log, source, "sentence_index", ~index.is_between(0, pl.col("sentences") - 1), "less than `sentences`")
    _reject(log, source, "sentence_index", ~pl.struct(_KEY).is_first_distinct(), "each once a judge and replicate")
    return log


def _reject(log: pl.DataFrame, source: Path, column: str, wrong: pl.Expr, allowed: str) -> None:
    """Raise BadInputError for the first row that is wrong, if there is one."""
    rows = log.with_row_index("number", 1).filter(wrong).head(1)
    for number, found in rows.select("number", column).rows():
        told = "nothing" if found is None else f"'{shown(found)}'"
        raise BadInputError(f"{source}: row {number}: {column}: found {told}, allowed: {allowed}")
