"""Wrong labels drawn at random: which rows get which other label in each draw, as weights to multiply with."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from judgeray.stats.draws import SEED, Weights

_WEIGHTS_AT_ONCE = 4_000_000


def label_flips(rows: int, others: int, rate: float, draws: int, seed: int = SEED) -> Iterator[Weights]:
    """Yield blocks (draws, rows x others) of 0 and 1: which of its `others` labels a row gets instead of its own.

    A row keeps its label (all 0) with probability 1 - rate, and gets each other one with probability
    rate / others, independently of all other rows. One PCG64 number a draw and row decides, so draws of one seed
    flip at a higher rate whatever they flip at a lower one. `rate` is from 0 to 1, `others` at least 1.
    """
    generator = np.random.Generator(np.random.PCG64(seed))
    edges = np.linspace(0.0, rate, others + 1)[1:]
    at_once = max(1, _WEIGHTS_AT_ONCE // max(1, rows * others))
    for start in range(0, draws, at_once):
        chances = generator.random((min(at_once, draws - start), rows))
        label = np.searchsorted(edges, chances, side="right")
        yield (label[..., None] == np.arange(others)).astype(np.uint8).reshape(len(chances), rows * others)
