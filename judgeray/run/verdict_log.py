"""The verdict files of a run as one lazy frame, and as one file for other programs."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import polars as pl

from judgeray.core.errors import BadInputError, bad_value
from judgeray.run.kinds import FOLDERS

_FORMULA = r"^[=+\-@\t\r]"
_NUMBER = r"^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$"


def scan_verdicts(run: Path) -> pl.LazyFrame:
    """Scan all verdict rows with all their columns, in the order of files and rows.

    A run that compared pairs and nothing else gives its pairs. Raises BadInputError for a folder without either,
    naming the records of another kind of study where there are such.
    """
    for folder in ("verdicts", "pairs"):
        if files := sorted((run / folder).rglob("*.parquet")):
            return pl.scan_parquet(files, hive_partitioning=False)
    for folder in FOLDERS:
        if (run / folder).is_dir():
            raise BadInputError(
                f"{run}: holds {folder}, no verdicts: they are Parquet below {run / folder}, and judgeray analyze "
                "makes tables of them."
            )
    raise BadInputError(f"{run}: no verdicts here; is this a run directory?")


def scan_judged(run: Path) -> pl.LazyFrame:
    """Scan verdict rows and pairs together; columns that only pairs have are null for verdicts."""
    pairs = sorted((run / "pairs").rglob("*.parquet"))
    if not pairs or not (run / "verdicts").is_dir():
        return scan_verdicts(run)
    frames = [scan_verdicts(run), pl.scan_parquet(pairs, hive_partitioning=False)]
    return pl.concat(frames, how="diagonal")


def scan_scores(run: Path) -> pl.LazyFrame:
    """Scan the scores of a run, each named as verdict rows are: dataset, question and variant make the row id.

    The metric stands for the design.
    """
    scores = pl.scan_parquet(sorted((run / "scores").rglob("*.parquet")), hive_partitioning=False)
    row_id = pl.concat_str("dataset", "question_id", "variant", separator=":")
    return scores.with_columns(row_id=row_id, design=pl.col("metric"), condition=pl.lit("full"))


def export_verdicts(run: Path, to: str, output: Path | None = None) -> Path:
    """Write all verdict rows of a run to one file and return its path; rows stream, whatever their number.

    `to` is parquet, jsonl (both without loss) or csv (for spreadsheets: call keys joined by blanks, and text
    that would be a formula starts with an apostrophe). Without `output` that is `export/verdicts.TO` in the run
    directory. The file appears whole or not at all. Raises BadInputError.
    """
    if to not in FORMATS:
        raise bad_value("judgeray export", "--to", to, FORMATS)
    path = output or run / "export" / f"verdicts.{to}"
    hidden = path.with_name(f".{path.name}.{os.getpid()}")
    verdicts = scan_verdicts(run)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _write_whole(verdicts, FORMATS[to], hidden, path)
    except OSError as error:
        raise BadInputError(f"{path}: cannot be written: {error.strerror or error}") from error
    return path


def _write_whole(
    verdicts: pl.LazyFrame, sink: Callable[[pl.LazyFrame, Path], None], hidden: Path, path: Path
) -> None:
    try:
        sink(verdicts, hidden)
        hidden.replace(path)
    finally:
        hidden.unlink(missing_ok=True)


def _parquet(verdicts: pl.LazyFrame, path: Path) -> None:
    verdicts.sink_parquet(path, compression="zstd")


def _jsonl(verdicts: pl.LazyFrame, path: Path) -> None:
    verdicts.sink_ndjson(path)


def _csv(verdicts: pl.LazyFrame, path: Path) -> None:
    text = pl.col(pl.String)
    formula = text.str.contains(_FORMULA) & ~text.str.contains(_NUMBER)
    inert = pl.when(formula).then("'" + text).otherwise(text).name.keep()
    verdicts.with_columns(pl.col("call_keys").list.join(" ")).with_columns(inert).sink_csv(path)


FORMATS: dict[str, Callable[[pl.LazyFrame, Path], None]] = {"parquet": _parquet, "csv": _csv, "jsonl": _jsonl}
"""Formats by name, which is also the suffix."""
