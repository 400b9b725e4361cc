"""How far scores follow a ladder of levels, question by question: Kendall's tau-b and the pairs behind it.

The levels of a question all differ, so only scores can be tied. A question whose scores are all equal ranks
nothing: its tau-b is not defined, and is left out of any mean rather than taken for zero. A metric that is constant
on hard questions thus has a flattering mean; the share of falling pairs leaves nothing out.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class LevelPairs:
    """Pairs of levels with scores on both, an entry a question: those whose score falls, rises, or stays."""

    falling: Floats
    rising: Floats
    tied: Floats

    @property
    def all(self) -> Floats:
        """All pairs."""
        return self.falling + self.rising + self.tied


def level_pairs(scores: Floats) -> LevelPairs:
    """Count pairs in `scores` (questions, levels), levels from the least to the most degraded, NaN: no score."""
    first, second = np.triu_indices(scores.shape[1], 1)
    steps = scores[:, second] - scores[:, first]
    falling, rising, tied = ((steps < 0), (steps > 0), (steps == 0))
    return LevelPairs(*(kind.sum(axis=1).astype(float) for kind in (falling, rising, tied)))


def tau_b(pairs: LevelPairs) -> Floats:
    """Compute Kendall's tau-b of level and score (Kendall 1945): -1 where scores fall at every step.

    NaN where it is not defined: fewer than two scores, or all of them equal.
    """
    differing = pairs.falling + pairs.rising
    taus: Floats = np.full(differing.shape, np.nan)
    np.divide(pairs.rising - pairs.falling, np.sqrt(differing * pairs.all), out=taus, where=differing > 0)
    return taus


def falls_throughout(scores: Floats) -> NDArray[np.bool_]:
    """Whether each question's scores fall strictly from level to level; only where all are there, at least two."""
    falls = np.asarray((np.diff(scores, axis=1) < 0).all(axis=1))
    return falls if scores.shape[1] > 1 else np.zeros_like(falls)
