"""The exact sign test on source questions (study 1, section 3.4)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import bdtr


@dataclass(frozen=True, slots=True)
class SignTest:
    """Questions won by either side, questions tied, and the two-sided p-value (None without questions)."""

    wins_a: int
    wins_b: int
    ties: int
    p: float | None


def sign_test(differences: ArrayLike) -> SignTest:
    """Test whether the signs of `differences` (one a-minus-b number a question) favour either side.

    Ties are left out of the test. With questions but none discordant p is 1.0; without questions it is None.
    """
    signs = np.sign(np.asarray(differences, dtype=float))
    wins_a, wins_b = int((signs > 0).sum()), int((signs < 0).sum())
    p = float(sign_test_p(wins_a, wins_b)) if signs.size else None
    return SignTest(wins_a, wins_b, int(signs.size) - wins_a - wins_b, p)


def sign_test_p(wins_a: ArrayLike, wins_b: ArrayLike) -> NDArray[np.float64]:
    """Compute exact two-sided binomial p-values for arrays of wins, unadjusted.

    Under equal odds both tails weigh the same, so the p-value is twice the smaller one, at most 1.
    """
    a, b = np.asarray(wins_a), np.asarray(wins_b)
    p: NDArray[np.float64] = np.minimum(1.0, 2.0 * bdtr(np.minimum(a, b), a + b, 0.5))
    return p
