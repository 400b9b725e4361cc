"""Files of verdicts, pairs and texts: one per part, replaced whole, in folders by what they are about."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from judgeray.run.derived import forget_derived
from judgeray.storage.files import write_table

FOLDERS = ("verdicts", "pairs", "texts", "ladders", "scores", "sentences")
"""Folders of a run directory that hold records."""


class RecordFiles:
    """Writes parts below a run directory, counts them, and in the end removes what an earlier run left over."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._written: set[Path] = set()
        self.rows = 0
        self.statuses: Counter[str] = Counter()
        self.served_models: dict[str, set[str]] = {}
        self.simulated = False
        self.moved = 0
        self.changed = False

    def write(self, partition: str, name: str, table: pa.Table, fingerprint: str | None = None) -> None:
        """Write one part's rows; counts those that differ from what stood there before.

        `fingerprint` stands in the file and tells later sessions what it was made from.
        """
        path = record_path(self._folder, partition, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        if (before := _before(path)) is not None:
            self.moved += _moved(before, table)
        if fingerprint is not None:
            table = table.replace_schema_metadata({FINGERPRINT: fingerprint.encode("ascii")})
        self.changed = True
        forget_derived(self._folder)
        write_table(path, table, compression="zstd")
        self._written.add(path)
        self._count(table)

    def keep(self, partition: str, name: str) -> int:
        """Leave the file of a part as it stands, count its rows and return their number."""
        path = record_path(self._folder, partition, name)
        table = pq.read_table(path, columns=list(_COUNTED), partitioning=None)
        self._written.add(path)
        self._count(table)
        return int(table.num_rows)

    def finish(self) -> None:
        """Remove files of parts that no longer belong to the experiment, and folders that are empty then."""
        for path in (path for folder in FOLDERS for path in (self._folder / folder).rglob("*.parquet")):
            if path not in self._written:
                self.changed = True
                path.unlink()
        for folder in (self._folder / name for name in FOLDERS):
            for inner in sorted(folder.rglob("*"), reverse=True):
                if inner.is_dir() and not any(inner.iterdir()):
                    inner.rmdir()
            if folder.is_dir() and not any(folder.iterdir()):
                folder.rmdir()

    def _count(self, table: pa.Table) -> None:
        self.rows += table.num_rows
        frame = pl.DataFrame(table.select(_COUNTED))
        self.statuses.update(dict(frame.group_by("status").len().iter_rows()))
        self.simulated = self.simulated or bool(frame["simulated"].any())
        for model, served in frame.select("model", "served_model").drop_nulls().unique().iter_rows():
            self.served_models.setdefault(model, set()).add(served)


def record_path(folder: Path, partition: str, name: str) -> Path:
    """File of a part's records inside a run directory."""
    return folder / partition / f"{name}.parquet"


def _before(path: Path) -> pl.DataFrame | None:
    """Rows that a file holds; None where there is none, or a damaged one, which tells nothing of the past."""
    try:
        with pq.ParquetFile(path) as file:
            return pl.DataFrame(file.read())
    except (FileNotFoundError, pa.ArrowException):
        return None


FINGERPRINT = b"judgeray.fingerprint"
"""Name under which a file's metadata hold what it was made from (`run.fingerprints`)."""

_COUNTED = ("status", "simulated", "model", "served_model")
NAMED = ("row_id", "text_id", "question_id", "variant", "summary_id", "sentence_index", "claim_index")
_TOLD = ("status", "verdict", "text", "value", "faithful")
"""Columns that name a row within its file, and those that say what came of it; each kind of record has some."""


def _moved(old: pl.DataFrame, new: pa.Table) -> int:
    """Rows of which something else came than before."""
    named, told = ([name for name in names if name in new.column_names] for names in (NAMED, _TOLD))
    before, after = old.select(*named, *told), pl.DataFrame(new.select([*named, *told]))
    both = after.join(before, on=named, how="inner", nulls_equal=True, suffix=" before")
    return both.filter(pl.any_horizontal(pl.col(name).ne_missing(pl.col(f"{name} before")) for name in told)).height
