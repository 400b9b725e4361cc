"""Resampling plans: which questions enter each resample, as weight matrices shared by all cells.

A generator is seeded afresh for every plan, so cells with equally many questions see the same draws. Drawing
once and multiplying therefore gives, bit for bit, what drawing again for each cell would give.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from threading import Lock

import numpy as np
from numpy.typing import NDArray

Weights = NDArray[np.uint8] | NDArray[np.float32]
"""How often each question (column) is drawn in each resample (row). A byte holds it: among n draws of n questions
a count above 255 has odds below 1 in 10^500. Small plans are kept as products want them: in single precision,
column by column."""

SEED = 42
BLOCK_CELLS = 1_000_000
"""Weights handed out at once: what bounds memory whatever the number of questions."""
KEPT_BYTES = 256 * 2**20
"""Whole plans that are kept for the next table; a larger plan is drawn again."""
SMALL_PLAN_CELLS = 4_000_000

_DRAWN_AT_ONCE = 250_000
_KEPT: OrderedDict[tuple[int, int, int], Weights] = OrderedDict()
_KEEPING = Lock()


def bootstrap_weights(questions: int, resamples: int, seed: int = SEED) -> Iterator[Weights]:
    """Yield blocks (resamples, questions): how often each resample draws each question, with replacement.

    The stream is that of PCG64 with NumPy's default int64 `integers`, row by row (study 1, appendix E);
    other integer types give other draws.
    """
    if _bytes_of(questions, resamples) > KEPT_BYTES:
        yield from _drawn(questions, resamples, seed, BLOCK_CELLS)
        return
    with _KEEPING:  # who wants the same plan waits until it is drawn
        whole = _kept(questions, resamples, seed)
    step = max(1, BLOCK_CELLS // questions)
    for start in range(0, resamples, step):
        yield whole[start : start + step]


def half_sample_weights(questions: int, subsets: int, seed: int = SEED) -> Iterator[Weights]:
    """Yield blocks (subsets, questions) of 0 and 1: half of the questions (rounded down), without replacement.

    Each subset is one `Generator.choice` from a fresh PCG64 (study 1, appendix E).
    """
    generator = np.random.Generator(np.random.PCG64(seed))
    for size in _block_sizes(questions, subsets, BLOCK_CELLS):
        block = np.zeros((size, questions), dtype=np.uint8)
        for subset in block:
            subset[generator.choice(questions, questions // 2, replace=False)] = 1
        yield block


def forget_plans() -> None:
    """Let go of the plans that are kept."""
    _KEPT.clear()


def _kept(questions: int, resamples: int, seed: int) -> Weights:
    key = (questions, resamples, seed)
    if key not in _KEPT:
        wanted = _bytes_of(questions, resamples)
        while _KEPT and sum(plan.nbytes for plan in _KEPT.values()) + wanted > KEPT_BYTES:
            _KEPT.popitem(last=False)
        _KEPT[key] = _whole(questions, resamples, seed)
    _KEPT.move_to_end(key)
    return _KEPT[key]


def _bytes_of(questions: int, resamples: int) -> int:
    cells = questions * resamples
    return 4 * cells if cells <= SMALL_PLAN_CELLS else cells


def _whole(questions: int, resamples: int, seed: int) -> Weights:
    whole: Weights = np.empty((resamples, questions), dtype=np.uint8)
    if whole.size <= SMALL_PLAN_CELLS:
        whole = np.empty((resamples, questions), dtype=np.float32, order="F")
    start = 0
    for block in _drawn(questions, resamples, seed, _DRAWN_AT_ONCE):
        whole[start : start + len(block)] = block
        start += len(block)
    whole.flags.writeable = False
    return whole


def _drawn(questions: int, resamples: int, seed: int, cells: int) -> Iterator[Weights]:
    generator = np.random.Generator(np.random.PCG64(seed))
    for size in _block_sizes(questions, resamples, cells):
        drawn = generator.integers(0, questions, (size, questions))
        drawn += np.arange(size)[:, None] * questions
        counts = np.bincount(drawn.ravel(), minlength=size * questions)
        yield counts.astype(np.uint8).reshape(size, questions)


def _block_sizes(questions: int, rows: int, cells: int) -> Iterator[int]:
    size = max(1, cells // questions)
    for start in range(0, rows, size):
        yield min(size, rows - start)
