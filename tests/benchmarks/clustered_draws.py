"""Simulated studies: two rows a question, right or wrong together as questions are easy or hard."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

ROWS = 2

Rows = NDArray[np.bool_]


@dataclass(frozen=True)
class Study:
    """A population of questions judged by two designs, `accuracy_a` and `accuracy_b` of their rows right.

    A row is right when a normal variable is below the accuracy's quantile. The variables of a question's rows
    correlate by `likeness`, of which designs share the part `shared`.
    """

    questions: int
    accuracy_a: float
    accuracy_b: float
    likeness: float = 0.5
    shared: float = 0.8

    def rows(self, studies: int, rng: np.random.Generator) -> tuple[Rows, Rows]:
        """Draw which rows are right under a and b: two arrays (studies, questions, rows)."""
        common = rng.normal(size=(studies, self.questions, 1))
        return self._right(self.accuracy_a, common, rng), self._right(self.accuracy_b, common, rng)

    def _right(self, accuracy: float, common: NDArray[np.float64], rng: np.random.Generator) -> Rows:
        own = rng.normal(size=common.shape)
        hardness = np.sqrt(self.shared) * common + np.sqrt(1 - self.shared) * own
        noise = rng.normal(size=(*common.shape[:2], ROWS))
        right: Rows = np.sqrt(self.likeness) * hardness + np.sqrt(1 - self.likeness) * noise < ndtri(accuracy)
        return right
