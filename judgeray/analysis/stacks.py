"""From question-level vectors to matrices: cells with equally many questions stand in one matrix."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

T = TypeVar("T")
Matrix = NDArray[np.float64]


def per_cell(columns: Sequence[Sequence[NDArray[Any]]], estimate: Callable[..., Sequence[T]]) -> list[T]:
    """Apply `estimate` to matrices (cells, questions), one a column, and return one result a cell, in order.

    Each of `columns` holds one vector a cell; the vectors of one cell are equally long.
    """
    results: dict[int, T] = {}
    for cells in _equally_long(columns[0]):
        matrices = [np.stack([column[cell] for cell in cells]).astype(float) for column in columns]
        results.update(zip(cells, estimate(*matrices), strict=True))
    return [results[cell] for cell in sorted(results)]


def _equally_long(vectors: Sequence[NDArray[Any]]) -> list[list[int]]:
    sizes: dict[int, list[int]] = {}
    for cell, vector in enumerate(vectors):
        sizes.setdefault(vector.size, []).append(cell)
    return list(sizes.values())
