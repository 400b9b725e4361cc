"""From question-level arrays to stacks: cells with arrays of one shape are estimated together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

T = TypeVar("T")

_NUMBERS_AT_ONCE = 10_000_000


def per_cell(columns: Sequence[Sequence[NDArray[Any]]], estimate: Callable[..., Sequence[T]]) -> list[T]:
    """Apply `estimate` to stacks of arrays, one a column, and return one result a cell, in order.

    Each of `columns` holds one array a cell, whose last axis is questions; a stack is (cells, ...).
    """
    results: dict[int, T] = {}
    for cells in _alike(columns[0]):
        stacks = [np.stack([column[cell] for cell in cells]).astype(float) for column in columns]
        results.update(zip(cells, estimate(*stacks), strict=True))
    return [results[cell] for cell in sorted(results)]


def in_parts(items: Iterable[T], size: Callable[[T], int]) -> Iterator[list[T]]:
    """Gather items, whose arrays hold `size` numbers, into lists that fit in memory together."""
    part: list[T] = []
    numbers = 0
    for item in items:
        part.append(item)
        numbers += size(item)
        if numbers > _NUMBERS_AT_ONCE:
            yield part
            part, numbers = [], 0
    if part:
        yield part


def _alike(arrays: Sequence[NDArray[Any]]) -> list[list[int]]:
    """Gather cells whose arrays have one shape, no more than fit in memory at once."""
    found: dict[tuple[tuple[int, ...], int], list[int]] = {}
    met: dict[tuple[int, ...], int] = {}
    for cell, array in enumerate(arrays):
        number = met.get(array.shape, 0)
        met[array.shape] = number + 1
        at_once = max(1, _NUMBERS_AT_ONCE // max(1, array.size))
        found.setdefault((array.shape, number // at_once), []).append(cell)
    return list(found.values())
