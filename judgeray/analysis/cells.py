"""From a question-level frame to matrices: cells with equally many questions stand in one matrix."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

T = TypeVar("T")
Matrix = NDArray[np.float64]


def cell_matrices(
    questions: pl.DataFrame, keys: Sequence[str], columns: Sequence[str]
) -> Iterator[tuple[NDArray[np.int64], list[Matrix]]]:
    """Yield, for each number of questions, the cells that have it and one (cells, questions) matrix a column.

    `questions` holds one row for each cell and question, sorted by `keys` and `question_id`; cells are numbered
    in that order.
    """
    sizes = questions.select(pl.struct(keys).rle().struct.field("len")).to_series().to_numpy().astype(np.int64)
    starts = np.cumsum(sizes) - sizes
    values = [questions[column].to_numpy().astype(float) for column in columns]
    for size in np.unique(sizes):
        cells = np.flatnonzero(sizes == size)
        places = starts[cells][:, None] + np.arange(size)
        yield cells, [column[places] for column in values]


def per_cell(
    questions: pl.DataFrame,
    keys: Sequence[str],
    columns: Sequence[str],
    estimate: Callable[..., Sequence[T]],
) -> list[T]:
    """Apply `estimate` to the matrices of `columns` and return one result a cell, in the order of the cells."""
    results: dict[int, T] = {}
    for cells, matrices in cell_matrices(questions, keys, columns):
        results.update(zip(cells.tolist(), estimate(*matrices), strict=True))
    return [results[cell] for cell in sorted(results)]
