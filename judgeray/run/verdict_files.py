"""Verdict files: one per shard, replaced whole, in folders by dataset, design and judge."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq


class VerdictFiles:
    """Writes shards, counts what it wrote, and in the end removes what an earlier run left over."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._written: set[Path] = set()
        self.rows = 0
        self.statuses: Counter[str] = Counter()
        self.served_models: dict[str, set[str]] = {}
        self.simulated = False
        self.moved = 0

    def write(self, partition: str, name: str, table: pa.Table) -> None:
        """Write one shard's verdict rows; counts those that differ from what stood there before."""
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
        """Remove verdict files of shards that are no longer part of the experiment."""
        for path in self._folder.rglob("*.parquet"):
            if path not in self._written:
                path.unlink()

    def _count(self, table: pa.Table) -> None:
        self.rows += table.num_rows
        self.statuses.update(table["status"].to_pylist())
        self.simulated = self.simulated or bool(pc.any(table["simulated"]).as_py())
        for model, served in zip(table["model"].to_pylist(), table["served_model"].to_pylist(), strict=True):
            if served is not None:
                self.served_models.setdefault(model, set()).add(served)


def _moved(old: pa.Table, new: pa.Table) -> int:
    """Rows whose status or verdict is another than before."""
    before = _outcomes(old)
    return sum(before.get(row, outcome) != outcome for row, outcome in _outcomes(new).items())


def _outcomes(table: pa.Table) -> dict[str, tuple[str, str | None]]:
    columns = (table[name].to_pylist() for name in ("row_id", "status", "verdict"))
    return {row: (status, verdict) for row, status, verdict in zip(*columns, strict=True)}
