"""Reading a verdict log: any of its formats, checked, with defaults filled in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import zip_longest
from pathlib import Path

import polars as pl
import pyarrow as pa

from judgeray.analysis.checks import check_rows, check_values
from judgeray.analysis.columns import KINDS, typed
from judgeray.analysis.compact import compact, joined
from judgeray.analysis.files import read_file
from judgeray.analysis.id_columns import IdColumns
from judgeray.analysis.place import Place
from judgeray.analysis.sources import holds_pairs, verdict_files
from judgeray.core.errors import BadInputError
from judgeray.rows import LABELS
from judgeray.verdicts import PAIR_LABELS

_BATCH_ROWS = 250_000
"""Files are checked together up to about so many rows: as raw text, a row takes ten times its later memory."""

Read = tuple[Path, pl.DataFrame]


def read_log(source: Path | str, labels: Sequence[str] | None = None) -> pl.DataFrame:
    """Read a verdict log from a run directory, a Parquet, CSV or JSONL file, a directory of Parquet, or a glob.

    Returns one row a verdict row with the columns of `KINDS` (see `judgeray.verdicts` for their meaning), in the
    compact types of `judgeray.analysis.compact`. `condition` defaults to "full", `replicate` to 0, and `status`
    to ok where a verdict stands, else to unparsed. Ids are read as strings always. Columns beyond those are left
    unread. `labels` are the support labels unless given; for a run directory with pairs alone, those of pairs.

    Raises BadInputError, with one message that names file, row, column, value and what is allowed, for a log
    that cannot be read or contradicts itself.
    """
    path = Path(source)
    labels = labels or (PAIR_LABELS if holds_pairs(path) else LABELS)
    log = joined([compact(_checked(batch, labels)) for batch in _batches(_read(_files(path)))])
    check_rows(log, str(path))
    return log


def _files(path: Path) -> list[Path]:
    try:
        return verdict_files(path)
    except (OSError, ValueError) as error:
        raise BadInputError(f"{path}: cannot be read: {error}") from error


def _read(files: Sequence[Path]) -> Iterator[Read]:
    """Read files in their order, one ahead: the next is unpacked while this one is checked."""
    ids = IdColumns()
    with ThreadPoolExecutor(1) as pool:
        coming = pool.submit(read_file, files[0])
        for file, following in zip_longest(files, files[1:]):
            frame = coming.result()
            if following is not None:
                coming = pool.submit(read_file, following)
            yield file, ids.compacted(frame)


def _batches(read: Iterable[Read]) -> Iterator[list[Read]]:
    """Gather frames of equal column types that follow one another."""
    batch: list[Read] = []
    rows = 0
    for file, frame in read:
        if batch and (rows + frame.height > _BATCH_ROWS or batch[-1][1].schema != frame.schema):
            yield batch
            batch, rows = [], 0
        batch.append((file, frame))
        rows += frame.height
    yield batch


def _checked(read: list[Read], labels: Sequence[str]) -> pl.DataFrame:
    """Type and check the frames of files with equal column types, as one."""
    pa.default_memory_pool().release_unused()  # else raw text of files long done stays in memory
    place = Place([(file, frame.height) for file, frame in read])
    raw = pl.concat([frame for _, frame in read], rechunk=True)
    log = pl.DataFrame([typed(name, _column(raw, name), place) for name in KINDS])
    parsed = pl.when(pl.col("verdict").is_null()).then(pl.lit("unparsed")).otherwise(pl.lit("ok"))
    log = log.with_columns(
        _filled("condition", log, pl.lit("full")),
        pl.col("replicate").fill_null(0),
        _filled("status", log, parsed),
    )
    check_values(log, labels, place)
    return log


def _filled(name: str, log: pl.DataFrame, default: pl.Expr) -> pl.Expr:
    column = pl.col(name)
    return column.cast(pl.String).fill_null(default) if log[name].null_count() else column


def _column(raw: pl.DataFrame, name: str) -> pl.Series:
    return raw[name] if name in raw.columns else pl.Series(name, [None] * raw.height, dtype=pl.Null)
