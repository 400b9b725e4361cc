"""The Parquet files of a ledger, read one at a time by whoever goes through all of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import polars as pl
import pyarrow.parquet as pq

from judgeray.engine.layout import RepliesFolder
from judgeray.engine.ledger import SCHEMA

KEYS_AT_ONCE = 2_000_000
"""Keys held in memory at once while looking for those that stand twice: 0.2 GB."""


def partitions(folder: RepliesFolder) -> list[Path]:
    """Folders of the ledger on this machine, one for each model at a provider account."""
    return sorted(folder.ledger_files.whole(folder.ledger).glob("provider=*/model=*"))


def read_rows(path: Path) -> pl.DataFrame:
    """Read a whole file, which holds no more than compaction does at once.

    Raises OSError, pyarrow.ArrowException.
    """
    with path.open("rb") as opened:
        return pl.DataFrame(pq.ParquetFile(opened).read(columns=SCHEMA.names))


def read_slices(path: Path, rows: int) -> Iterator[pl.DataFrame]:
    """Read a file some rows at a time. Raises OSError, pyarrow.ArrowException."""
    with path.open("rb") as opened:
        for batch in pq.ParquetFile(opened, pre_buffer=False).iter_batches(rows, columns=SCHEMA.names):
            yield pl.DataFrame(batch)


def read_keys(path: Path) -> pl.Series:
    """Read the keys of a file alone. Raises OSError, pyarrow.ArrowException."""
    with path.open("rb") as opened:
        return pl.DataFrame(pq.ParquetFile(opened).read(columns=["key"]))["key"]


def repeated_keys(files: Sequence[Path]) -> pl.Series:
    """Find the keys that stand more than once in some files, sorted; holds `KEYS_AT_ONCE` at a time.

    Raises OSError, pyarrow.ArrowException.
    """
    passes = 1 + sum(len(read_keys(path)) for path in files) // KEYS_AT_ONCE
    found = [pl.Series("key", [], pl.String)]
    for number in range(passes):
        keys = pl.concat([found[0], *(_share(read_keys(path), number, passes) for path in files)])
        found.append(keys.filter(keys.is_duplicated()).unique())
    return pl.concat(found).sort()


def _share(keys: pl.Series, number: int, of: int) -> pl.Series:
    """Take the keys whose turn it is: each has its turn once, in whatever file it stands."""
    return keys if of == 1 else keys.filter(keys.hash() % of == number)
