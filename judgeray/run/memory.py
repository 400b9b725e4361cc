"""What an earlier session recorded and need not be worked out again: verdict files of the very same making.

A verdict row names its calls. Where its file has the fingerprint that it would get now, and the ledger still holds
those calls, replaying the row would give the same row; so only other rows are replayed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from judgeray.core.status import UNSETTLED
from judgeray.core.task import Remembered
from judgeray.engine.ledger import Ledger
from judgeray.run.fingerprints import part_fingerprint
from judgeray.run.record_files import FINGERPRINT, record_path
from judgeray.run.resolve import Experiment
from judgeray.run.survey import DatasetFacts
from judgeray.studies.grid import GridArm
from judgeray.studies.parts import Part

MOST_KEYS = 4_000_000
"""Keys that are compared with the ledger at once; more are taken in turns, by how they begin."""

Account = tuple[str, str]
"""Provider account and model: a partition of the ledger."""


@dataclass(frozen=True)
class VerdictFile:
    """A verdict file that would be made just so again, and the number of its rows."""

    path: Path
    rows: int


class Memory:
    """Tells of each part what is settled already; looks at all verdict files when it is first asked."""

    def __init__(
        self,
        experiment: Experiment,
        facts: Mapping[str, DatasetFacts],
        output: Path,
        ledger: Ledger,
        work: Iterable[Part],
    ) -> None:
        self._experiment, self._facts, self._output = experiment, facts, output
        self._ledger, self._work = ledger, work
        self._open: dict[Path, tuple[VerdictFile, list[int]]] | None = None

    def __call__(self, part: Part) -> Remembered | None:
        """Places of the rows that are not settled, and how many calls are; None where no file can be trusted."""
        if self._open is None:
            self._open = self._look()
        found = self._open.get(record_path(self._output, part.arm.partition, part.file_name))
        if found is None:
            return None
        file, places = found
        return Remembered(places, {part.arm.judge.provider: file.rows - len(places)})

    def fingerprint(self, part: Part) -> str | None:
        """What the part's file is to be marked with; None for arms whose rows need more than their own calls."""
        dataset = self._facts[part.arm.dataset].fingerprint
        if dataset is None or not isinstance(part.arm, GridArm):
            return None
        return part_fingerprint(self._experiment, part.arm, dataset, part.number)

    def _look(self) -> dict[Path, tuple[VerdictFile, list[int]]]:
        by_account: dict[Account, list[VerdictFile]] = defaultdict(list)
        for part in self._work:
            if file := self._trusted(part):
                by_account[part.arm.judge.provider, part.arm.judge.model].append(file)
        found: dict[Path, tuple[VerdictFile, list[int]]] = {}
        for account, files in by_account.items():
            found.update(_open_places(files, self._ledger.keys(*account)))
        return found

    def _trusted(self, part: Part) -> VerdictFile | None:
        fingerprint = self.fingerprint(part)
        path = record_path(self._output, part.arm.partition, part.file_name)
        if fingerprint is None or not path.exists():
            return None
        try:
            facts = pq.read_metadata(path)
        except pa.ArrowException:
            return None  # damaged; what is derived is made again
        marked = (facts.metadata or {}).get(FINGERPRINT)
        return VerdictFile(path, facts.num_rows) if marked == fingerprint.encode("ascii") else None


def _open_places(files: list[VerdictFile], kept: pl.LazyFrame) -> dict[Path, tuple[VerdictFile, list[int]]]:
    """Find the rows, by file, that are unsettled or whose calls are not all kept."""
    scan = pl.scan_parquet([file.path for file in files], row_index_name="place", hive_partitioning=False)
    unsettled = pl.col("status").is_in(UNSETTLED)
    waiting = scan.filter(unsettled).select("place").collect(engine="streaming")["place"]
    asked = scan.filter(~unsettled).select("place", key="call_keys").explode("key")
    starts = np.cumsum([0, *(file.rows for file in files)])
    lost = [_lost(asked, kept, beginning) for beginning in _beginnings(int(starts[-1]))]
    places = np.unique(np.concatenate([waiting.to_numpy(), *lost]))
    cuts = np.searchsorted(places, starts)
    return {file.path: (file, (places[cuts[n] : cuts[n + 1]] - starts[n]).tolist()) for n, file in enumerate(files)}


def _lost(asked: pl.LazyFrame, kept: pl.LazyFrame, beginning: str) -> np.ndarray:
    """Places of rows one of whose calls, among those that begin so, has no reply in the ledger."""
    mine = pl.col("key").str.starts_with(beginning)
    missing = asked.filter(mine).join(kept.filter(mine), on="key", how="anti")
    return missing.select("place").collect(engine="streaming")["place"].to_numpy()


def _beginnings(rows: int) -> list[str]:
    """Beginnings of keys, which are hexadecimal, that part this many into shares that fit in memory."""
    digits = 0
    while rows > MOST_KEYS * 16**digits:
        digits += 1
    return [f"{number:0{digits}x}" for number in range(16**digits)] if digits else [""]
