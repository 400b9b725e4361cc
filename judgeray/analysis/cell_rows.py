"""Where the rows of each cell stand in a log, and in which order they are taken."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b

import numpy as np
import polars as pl
from numpy.typing import NDArray

from judgeray.analysis.arms import CELL
from judgeray.analysis.cell import Cell, taken
from judgeray.analysis.compact import enum_values
from judgeray.analysis.layout import Codes, Indices, Layout, layout_of, run_starts

_FEW_REPLICATES = 2**16


def cell_places(log: pl.DataFrame) -> Iterator[slice | Indices]:
    """Yield where the rows of each cell stand: a slice where they stand together, else their indices."""
    codes = _cell_codes(log)
    starts = run_starts(codes)
    ends = np.append(starts[1:], codes.size)
    if np.unique(codes[starts]).size == starts.size:
        yield from (slice(int(start), int(end)) for start, end in zip(starts, ends, strict=True))
        return
    order = np.argsort(codes, kind="stable")
    yield from np.split(order, run_starts(codes[order])[1:])


def _cell_codes(log: pl.DataFrame) -> NDArray[np.signedinteger]:
    """Number the cell of each row, in the narrowest type: that sorts fastest."""
    sizes = [len(enum_values(log[name])) for name in CELL]
    narrow = np.min_scalar_type(-int(np.prod(sizes, dtype=object)))
    codes = np.zeros(log.height, dtype=narrow)
    for name, size in zip(CELL, sizes, strict=True):
        codes *= np.array(size, dtype=narrow)
        codes += log[name].to_physical().to_numpy().astype(narrow)
    return codes


class CellRows:
    """Builds the cells of one compact log; cells with the same rows get the same layout."""

    def __init__(self, log: pl.DataFrame) -> None:
        self._log = log
        self._physical = log.select(pl.all().to_physical())
        self._questions = _lexicographic_ranks(log["question_id"])
        self._rows = _lexicographic_ranks(log["row_id"])
        self._codes = self._physical.select("row_id", "question_id", _replicate_codes(log["replicate"]))
        self._layouts: dict[tuple[str, bytes], Layout] = {}

    def cell(self, place: slice | Indices) -> Cell:
        """Build the cell whose rows stand at `place`."""
        first = place.start if isinstance(place, slice) else int(place[0])
        dataset, design, judge, condition = (self._log.get_column(name)[first] for name in CELL)
        layout = self._layout(dataset, place)
        return Cell(dataset, design, judge, condition, layout, self._log, self._physical, place)

    def _layout(self, dataset: str, place: slice | Indices) -> Layout:
        row, question, replicate = (
            taken(self._codes, name, place).to_numpy() for name in ("row_id", "question_id", "replicate")
        )
        key = (dataset, _digest(row, question, replicate))
        if key not in self._layouts:
            self._layouts[key] = layout_of(self._rows[row], replicate, self._questions[question])
        return self._layouts[key]


def _digest(*arrays: Codes) -> bytes:
    """Name arrays by what they hold."""
    digest = blake2b()
    for array in arrays:
        digest.update(np.ascontiguousarray(array).data)
    return digest.digest()


def _lexicographic_ranks(ids: pl.Series) -> NDArray[np.int32]:
    """Give the id of each physical code its place among all ids, sorted as strings."""
    present = ids.unique()
    codes = present.to_physical().to_numpy()
    ranks = np.zeros(codes.max(initial=0) + 1, dtype=np.int32)
    order = present.cast(pl.String).arg_sort().to_numpy()
    ranks[codes[order]] = np.arange(order.size)
    return ranks


def _replicate_codes(replicates: pl.Series) -> pl.Series:
    """Keep small replicate numbers, and number large ones by their order."""
    if (replicates.max() or 0) < _FEW_REPLICATES:  # type: ignore[operator]
        return replicates
    return (replicates.rank("dense") - 1).cast(pl.Int32)
