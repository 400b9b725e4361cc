"""Resampling plans: which questions enter each resample, as weight matrices shared by all cells.

A generator is seeded afresh for every plan, so cells with equally many questions see the same draws. Drawing
once and multiplying therefore gives, bit for bit, what drawing again for each cell would give.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Weights = NDArray[np.float64]

SEED = 42
BLOCK_CELLS = 4_000_000
"""Weights held at once (32 MB): what bounds memory whatever the number of questions."""


def bootstrap_weights(questions: int, resamples: int, seed: int = SEED) -> Iterator[Weights]:
    """Yield blocks (resamples, questions): how often each resample draws each question, with replacement.

    The stream is that of PCG64 with NumPy's default int64 `integers`, row by row (study 1, appendix E);
    other integer types give other draws.
    """
    if questions * resamples <= BLOCK_CELLS:
        yield _whole_bootstrap(questions, resamples, seed)
        return
    generator = np.random.Generator(np.random.PCG64(seed))
    for size in _block_sizes(questions, resamples):
        yield _counts(generator.integers(0, questions, (size, questions)))


def half_sample_weights(questions: int, subsets: int, seed: int = SEED) -> Iterator[Weights]:
    """Yield blocks (subsets, questions) of 0 and 1: half of the questions (rounded down), without replacement.

    Each subset is one `Generator.choice` from a fresh PCG64 (study 1, appendix E).
    """
    generator = np.random.Generator(np.random.PCG64(seed))
    for size in _block_sizes(questions, subsets):
        block = np.zeros((size, questions))
        for subset in block:
            subset[generator.choice(questions, questions // 2, replace=False)] = 1.0
        yield block


@lru_cache(maxsize=2)
def _whole_bootstrap(questions: int, resamples: int, seed: int) -> Weights:
    generator = np.random.Generator(np.random.PCG64(seed))
    weights = _counts(generator.integers(0, questions, (resamples, questions)))
    weights.flags.writeable = False
    return weights


def _counts(drawn: NDArray[np.int64]) -> Weights:
    rows, questions = drawn.shape
    places = drawn + np.arange(rows)[:, None] * questions
    counts = np.bincount(places.ravel(), minlength=rows * questions)
    return counts.reshape(rows, questions).astype(float)


def _block_sizes(questions: int, rows: int) -> Iterator[int]:
    size = max(1, BLOCK_CELLS // questions)
    for start in range(0, rows, size):
        yield min(size, rows - start)
