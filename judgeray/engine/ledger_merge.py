"""Taking one ledger's replies into another: the first reply of a call wins, whichever folder it came to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from uuid import uuid4

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from judgeray.core.errors import BadInputError
from judgeray.core.reply import Reply
from judgeray.engine.journal import reply_journals
from judgeray.engine.layout import RepliesFolder
from judgeray.engine.ledger import SCHEMA, Ledger, ledger_files
from judgeray.engine.ledger_reading import (
    partitions,
    read_keys,
    read_rows,
    read_slices,
    repeated_keys,
)
from judgeray.engine.reply_lines import from_line

REPLIES_AT_ONCE = 20_000
"""Replies that are compared at once: few for memory, many because each time all own keys are gone through."""

_OF_MINE = {"reply": "reply_a", "received_at": "received_at_a", "served_model": "served_model_a"}
"""Columns of the own reply to a call beside those of the other folder's."""


@dataclass(frozen=True)
class Overlap:
    """Some replies of the other folder, each key once: those that are new here, and those to calls known here.

    `fresh` has the columns of the ledger, `known` also reply_a, received_at_a and served_model_a of the own reply.
    """

    partition: Path
    fresh: pl.DataFrame
    known: pl.DataFrame

    @property
    def earlier(self) -> pl.DataFrame:
        """Replies of the other folder that were received before the own ones."""
        return self.known.filter(pl.col("received_at") < pl.col("received_at_a"))

    @property
    def conflicts(self) -> pl.DataFrame:
        """Known calls to which the folders hold other replies."""
        unlike = self.known.filter(pl.col("reply") != pl.col("reply_a"))
        told = [_says_another(*pair) for pair in unlike.select("reply", "reply_a").iter_rows()]
        return unlike.filter(pl.Series(told, dtype=pl.Boolean))


def stage(theirs: RepliesFolder, staged: RepliesFolder) -> None:
    """Write the replies that wait in another folder's journals into a staging folder; the journals stay."""
    Ledger(staged).take_in(reply_journals(theirs.journal))


def overlaps(mine: RepliesFolder, theirs: Sequence[RepliesFolder]) -> Iterator[Overlap]:
    """Go through the ledgers of other folders, which together hold one run's replies, file by file.

    Raises BadInputError for a file that cannot be read.
    """
    own, roots = _on_disk(mine), [_on_disk(folder) for folder in theirs]
    names = sorted({Path(*path.parts[-2:]) for folder in theirs for path in partitions(folder)})
    for name in names:
        files = [path for root in roots for path in ledger_files(root / name)]
        try:
            for replies in _each_key_once(files):
                yield _overlap(own / name, replies)
        except (OSError, pa.ArrowException, pl.exceptions.PolarsError) as error:
            reason = (str(error).splitlines() or [type(error).__name__])[0]
            raise BadInputError(f"{name}: a file of replies cannot be read: {reason}") from error


def take(overlap: Overlap) -> None:
    """Take in what is new, and put replies that came earlier in the place of later ones.

    Each file appears whole or not at all, so that after a crash the same again ends the same. Raises BadInputError
    for a reply that cannot be read.
    """
    for text in overlap.fresh["reply"]:
        _reply(text)
    if overlap.fresh.height:
        overlap.partition.mkdir(parents=True, exist_ok=True)
        _write(
            overlap.partition / f"part-{uuid4().hex}.parquet",
            overlap.fresh.select(SCHEMA.names).sort("received_at"),
        )
    if overlap.earlier.height:
        _put_in_place(ledger_files(overlap.partition), overlap.earlier.select(SCHEMA.names))


def _on_disk(folder: RepliesFolder) -> Path:
    return folder.ledger_files.whole(folder.ledger)


def _each_key_once(files: Sequence[Path]) -> Iterator[pl.DataFrame]:
    """Give the replies of some files; where a key stands twice in them, the one received first."""
    repeated = repeated_keys(files)
    for rows in (rows for path in files for rows in read_slices(path, REPLIES_AT_ONCE)):
        yield rows.filter(~pl.col("key").is_in(repeated.implode()))
    for start in range(0, len(repeated), REPLIES_AT_ONCE):
        yield _first_received(files, repeated[start : start + REPLIES_AT_ONCE])


def _first_received(files: Sequence[Path], keys: pl.Series) -> pl.DataFrame:
    """Find the replies of these keys in some files, the first received of each."""
    if not files or not len(keys):
        return pl.DataFrame(SCHEMA.empty_table())
    found = pl.scan_parquet(list(files), hive_partitioning=False).filter(pl.col("key").is_in(keys.implode()))
    ordered = found.select(SCHEMA.names).sort("received_at", maintain_order=True)
    return ordered.unique("key", keep="first", maintain_order=True).collect()


def _overlap(partition: Path, replies: pl.DataFrame) -> Overlap:
    own = _first_received(ledger_files(partition), replies["key"]).select("key", *_OF_MINE).rename(_OF_MINE)
    return Overlap(
        partition, replies.join(own, on="key", how="anti"), replies.join(own, on="key", how="inner").sort("key")
    )


def _says_another(one: bytes, other: bytes) -> bool:
    """Whether two replies differ in more than when they came and how the provider numbers them."""
    return _said(one) != _said(other)


def _said(text: bytes) -> Reply:
    came: dict[str, Any] = {"received_at": "", "latency_seconds": None, "attempts": 1}
    numbered: dict[str, Any] = {"request_id": None, "response_id": None, "raw": ""}
    return replace(_reply(text), **came, **numbered)


def _reply(text: bytes) -> Reply:
    try:
        return from_line(text)
    except (ValueError, TypeError, KeyError) as error:
        raise BadInputError("a reply cannot be read; judgeray verify RUN says where") from error


def _put_in_place(files: Sequence[Path], rows: pl.DataFrame) -> None:
    """Put replies in the place of those with the same keys; one that stands twice is left in one file."""
    left = rows
    for path in files:
        keys = read_keys(path)
        if not keys.is_in(rows["key"].implode()).any():
            continue
        mine = left.filter(pl.col("key").is_in(keys.implode()))
        left = left.join(mine, on="key", how="anti")
        others = read_rows(path).join(rows, on="key", how="anti")
        _write(path, pl.concat([others, mine]).sort("received_at", maintain_order=True))


def _write(path: Path, rows: pl.DataFrame) -> None:
    """Put rows in the place of a file, whole or not at all, under a new name: a file of a ledger never changes, and
    whoever knows where its rows stood knows that by its name."""
    hidden = path.with_suffix(".tmp")
    with hidden.open("wb") as file:
        pq.write_table(rows.to_arrow().cast(SCHEMA), file, compression="zstd", row_group_size=5_000)
    hidden.replace(path)
    path.rename(path.with_name(f"part-{uuid4().hex}.parquet"))
