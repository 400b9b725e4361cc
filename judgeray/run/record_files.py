"""Files of verdicts, pairs and texts: one per part, replaced whole, in folders by what they are about."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

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

    def write(self, partition: str, name: str, table: pa.Table) -> None:
        """Write one part's rows; counts those that differ from what stood there before."""
        path = self._folder / partition / f"{name}.parquet"
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists():
            self.moved += _moved(pq.read_table(path, partitioning=None), table)
        hidden = path.with_suffix(".tmp")
        pq.write_table(table, hidden, compression="zstd")
        hidden.replace(path)
        self._written.add(path)
        self._count(table)

    def finish(self) -> None:
        """Remove files of parts that no longer belong to the experiment, and folders that are empty then."""
        for path in (path for folder in FOLDERS for path in (self._folder / folder).rglob("*.parquet")):
            if path not in self._written:
                path.unlink()
        for folder in (self._folder / name for name in FOLDERS):
            for inner in sorted(folder.rglob("*"), reverse=True):
                if inner.is_dir() and not any(inner.iterdir()):
                    inner.rmdir()
            if folder.is_dir() and not any(folder.iterdir()):
                folder.rmdir()

    def _count(self, table: pa.Table) -> None:
        self.rows += table.num_rows
        self.statuses.update(table["status"].to_pylist())
        self.simulated = self.simulated or bool(pc.any(table["simulated"]).as_py())
        for model, served in zip(table["model"].to_pylist(), table["served_model"].to_pylist(), strict=True):
            if served is not None:
                self.served_models.setdefault(model, set()).add(served)


NAMED = ("row_id", "text_id", "question_id", "variant", "summary_id", "sentence_index", "claim_index")
_TOLD = ("status", "verdict", "text", "value", "faithful")
"""Columns that name a row within its file, and those that say what came of it; each kind of record has some."""


def _moved(old: pa.Table, new: pa.Table) -> int:
    """Rows of which something else came than before."""
    before = _outcomes(old)
    return sum(before.get(row, outcome) != outcome for row, outcome in _outcomes(new).items())


def _outcomes(table: pa.Table) -> dict[tuple[Any, ...], tuple[Any, ...]]:
    named, told = (
        zip(*(table[name].to_pylist() for name in names if name in table.column_names), strict=True)
        for names in (NAMED, _TOLD)
    )
    return dict(zip(named, told, strict=True))
