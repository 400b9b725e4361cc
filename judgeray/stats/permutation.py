"""The paired permutation test on source questions: would random signs give a mean difference as large?

If both designs are alike, each question's difference is as likely to be a minus b as b minus a. All sign flips
together give the mean its null distribution (Fisher 1935). Where all differences have one size this is the sign
test; a question won by two rows counts more than one won by a single row.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import gammaln

from judgeray.stats.draws import SEED
from judgeray.stats.question_means import question_means

FLIPS = 10_000
EXACT_METHOD = "all sign flips of questions"
DRAWN_METHOD = f"{FLIPS:,} random sign flips of questions, PCG64 seed {SEED}"

_MOST_STEPS = 10_000_000

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class PermutationTest:
    """Questions with a difference, the two-sided p-value (None without questions), and how it was found."""

    discordant: int
    p: float | None
    method: str


def sign_flip_test(sums: ArrayLike, counts: ArrayLike) -> PermutationTest:
    """Test whether the mean of question means is zero; `sums` and `counts` are one cell's, one entry a question.

    The distribution over all flips is added up exactly where differences take few values; else flips are drawn,
    and the observed one counts as one of them, so that p is never 0.
    """
    differences = question_means(sums, counts).numerators[0]
    sizes, numbers = np.unique(np.abs(differences[differences != 0]), return_counts=True)
    if not differences.size:
        return PermutationTest(0, None, EXACT_METHOD)
    observed = abs(float(differences.sum()))
    if _is_whole(sizes) and _steps(sizes, numbers) <= _MOST_STEPS:
        return PermutationTest(int(numbers.sum()), _exact_p(sizes, numbers, observed), EXACT_METHOD)
    return PermutationTest(int(numbers.sum()), drawn_p(sizes, numbers, observed), DRAWN_METHOD)


def drawn_p(sizes: Floats, numbers: NDArray[np.int64], observed: float, flips: int = FLIPS) -> float:
    """Estimate the p-value from drawn flips; equal sizes are flipped together, as a binomial number of pluses."""
    generator = np.random.Generator(np.random.PCG64(SEED))
    sums = np.zeros(flips)
    for size, number in zip(sizes, numbers, strict=True):
        sums += size * (2 * generator.binomial(number, 0.5, flips) - number)
    rounding = 1e-12 * float(sizes @ numbers)
    return float(1 + (np.abs(sums) >= observed - rounding).sum()) / (1 + flips)


def _exact_p(sizes: Floats, numbers: NDArray[np.int64], observed: float) -> float:
    """Add up the chance of each sum of pluses: that of a sum is the same as that of its mirror."""
    whole = sizes.astype(np.int64)
    chances = np.ones(1)
    for size, number in zip(whole.tolist(), numbers.tolist(), strict=True):
        apart = np.zeros(size * number + 1)
        apart[::size] = _halves(number)
        chances = np.convolve(chances, apart)
    most = (int(whole @ numbers) - round(observed)) // 2
    return min(1.0, 2.0 * float(chances[: most + 1].sum()))


def _halves(number: int) -> Floats:
    pluses = np.arange(number + 1)
    logs = gammaln(number + 1) - gammaln(pluses + 1) - gammaln(number - pluses + 1) - number * np.log(2)
    chances: Floats = np.exp(logs)
    return chances


def _is_whole(sizes: Floats) -> bool:
    return bool((sizes == np.round(sizes)).all())


def _steps(sizes: Floats, numbers: NDArray[np.int64]) -> float:
    """Count the products that adding up takes."""
    lengths = sizes * numbers + 1
    return float((np.cumsum(lengths) * lengths).sum())
