"""Merging runs: one run's replies go into another's ledger, and what both have otherwise is written down."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import unquote
from uuid import uuid4

import polars as pl

from judgeray.analysis.write import csv_text
from judgeray.core.errors import BadInputError
from judgeray.engine.batches.record import BatchRecords
from judgeray.engine.layout import RepliesFolder
from judgeray.engine.ledger import Ledger
from judgeray.engine.ledger_merge import Overlap, overlaps, stage, take
from judgeray.engine.lock import is_held, run_lock, wait_for_workers
from judgeray.run.reopen import kept_replies
from judgeray.storage.place import Place

SHOWN = 5
"""Conflicts that are told one by one; the file has all."""

CONFLICT_COLUMNS = (
    "key",
    "provider",
    "model",
    "kept_from",
    "received_at_a",
    "received_at_b",
    "served_model_a",
    "served_model_b",
)
"""Columns of the file of conflicts; `kept_from` is A or B."""


@dataclass
class Merged:
    """What a merge found: replies that were new, those that were there already, and calls with two replies.

    `first` are the first conflicts, with the columns of their file; `path` is that file, None where there is none.
    """

    fresh: int = 0
    same: int = 0
    conflicts: int = 0
    first: list[dict[str, Any]] = field(default_factory=list)
    path: Path | None = None


def merge(run: Place, other: Place) -> Merged:
    """Take the replies of `other` into `run`; of two replies to one call the first received is kept.

    Conflicts stand in `run/merge/conflicts-OTHER-….csv` before anything is changed, so that they are known even
    where a merge is broken off; the same again ends the same. `other` is left as it is. Raises BadInputError for
    folders that are no two runs, for a live run, for open batches in `other`, and for replies in an object store.
    """
    run, other = _here(run), _here(other)
    mine, theirs = _folders(run, other)
    with ExitStack() as stack:
        mine.make()
        _hold(run, mine, stack)
        _hold(other, theirs, stack)
        Ledger(mine).compact()
        staged = RepliesFolder(Path(stack.enter_context(TemporaryDirectory(prefix="judgeray-merge-"))))
        stage(theirs, staged)
        merged = _conflicts(mine, [theirs, staged], _conflict_file(run, other))
        for overlap in overlaps(mine, [theirs, staged]):
            take(overlap)
        Ledger(mine).compact()
    return merged


def _folders(run: Path, other: Path) -> tuple[RepliesFolder, RepliesFolder]:
    """Find both replies folders, and refuse what cannot be merged."""
    mine, theirs = kept_replies(run), kept_replies(other)
    if run.resolve() == other.resolve():
        raise BadInputError(f"{other}: is the same run directory as {run}; merge takes two.")
    if _here(mine.path).resolve() == _here(theirs.path).resolve():
        raise BadInputError(
            f"{other}: keeps its replies in {theirs.path}, as {run} does: there is nothing to merge."
        )
    if not theirs.path.is_dir():
        raise BadInputError(f"{other}: has no replies: {theirs.path} is not there.")
    still = BatchRecords(theirs.batches).open()
    if still:
        tags = ", ".join(record.tag for record in still)
        raise BadInputError(
            f"{other}: {len(still)} open batches ({tags}) would come back to it later. Run its command again until "
            f"they are taken in, or end them with judgeray cancel {other} and run it once more."
        )
    return mine, theirs


def _here(place: Place) -> Path:
    """Refuse an object store, in which files of replies cannot be put in the place of others at once."""
    if isinstance(place, Path):
        return place
    raise BadInputError(
        f"{place}: merge takes runs that lie on a disk, and so do their replies. Copy the run and its replies here "
        "first, then merge the copies."
    )


def _hold(run: Path, replies: RepliesFolder, stack: ExitStack) -> None:
    """Hold a run's replies until the stack ends."""
    if is_held(replies.run_lock):
        raise BadInputError(
            f"{run}: a run goes on here. Wait until it has ended, or stop it with Ctrl-C, then merge."
        )
    try:
        stack.enter_context(run_lock(replies.run_lock, uuid4().hex))
        wait_for_workers(replies.workers_lock)
    except OSError as error:
        raise BadInputError(f"{error.filename}: cannot write there: {error.strerror}.") from error


def _conflict_file(run: Path, other: Path) -> Path:
    """Name the file by the other run, so that merging it again finds what was written of it before."""
    digest = sha256(str(other.resolve()).encode("utf-8", "surrogateescape")).hexdigest()[:8]
    return run / "merge" / f"conflicts-{other.resolve().name}-{digest}.csv"


def _conflicts(mine: RepliesFolder, theirs: list[RepliesFolder], path: Path) -> Merged:
    """Look through both ledgers without changing them, and write down the calls with two replies."""
    merged = Merged()
    with _appended(path) as write:
        for overlap in overlaps(mine, theirs):
            found = _with_earlier(_rows(overlap), path, overlap)
            merged.fresh += overlap.fresh.height
            merged.same += overlap.known.height - found.height
            merged.conflicts += found.height
            merged.first += found.head(SHOWN - len(merged.first)).to_dicts()
            if found.height:
                write(found)
    merged.path = path if merged.conflicts else None
    return merged


def _rows(overlap: Overlap) -> pl.DataFrame:
    """Say of each conflict which reply is kept, without any text."""
    account, model = overlap.partition.parent.name, overlap.partition.name
    from_b = pl.col("received_at") < pl.col("received_at_a")
    return overlap.conflicts.with_columns(
        provider=pl.lit(unquote(account.removeprefix("provider="))),
        model=pl.lit(unquote(model.removeprefix("model="))),
        kept_from=pl.when(from_b).then(pl.lit("B")).otherwise(pl.lit("A")),
        received_at_b="received_at",
        served_model_b="served_model",
    ).select(CONFLICT_COLUMNS)


def _with_earlier(found: pl.DataFrame, path: Path, overlap: Overlap) -> pl.DataFrame:
    """Add conflicts that an earlier merge of the same runs wrote down: those it settled can be seen no more."""
    if not path.exists():
        return found
    try:
        written = pl.scan_csv(path, infer_schema=False).select(CONFLICT_COLUMNS)
        old = written.filter(pl.col("key").is_in(overlap.known["key"].implode())).collect()
    except pl.exceptions.PolarsError as error:
        raise BadInputError(f"{path}: is not the file that a merge wrote; move it away and merge again.") from error
    return pl.concat([found, old]).unique("key", keep="first", maintain_order=True).sort("key")


@contextmanager
def _appended(path: Path) -> Iterator[Callable[[pl.DataFrame], None]]:
    """Write a CSV file piece by piece; it appears whole, and only where a piece was written."""
    path.parent.mkdir(parents=True, exist_ok=True)
    hidden = path.with_name(f".{path.name}.tmp")
    pieces = 0
    try:
        with hidden.open("wb") as file:

            def write(rows: pl.DataFrame) -> None:
                nonlocal pieces
                text = csv_text(rows)
                file.write((text.partition("\n")[2] if pieces else text).encode("utf-8"))
                pieces += 1

            yield write
        if pieces:
            hidden.replace(path)
    finally:
        hidden.unlink(missing_ok=True)
