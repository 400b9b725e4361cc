"""Raters of whom some average: how far the mean of a judge's labels then wins over their minimum.

Study 3, section 6: a fraction y of summaries is called faithful where at least half of its sentences are, the
rest where all are. Both rules depend on a summary only through its number K of faithful sentences, and K | M is
binomial, so correlations follow exactly by enumerating K; drawn summaries check them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln, xlog1py, xlogy

from judgeray.stats.averaging_moments import Floats, Lengths, score_moments
from judgeray.stats.draws import SEED
from judgeray.stats.estimate import known

SUMMARIES = 100_000
"""Summaries drawn for one curve."""


@dataclass(frozen=True, slots=True)
class GapPoint:
    """How a judge's minimum and mean correlate with the label of raters of whom `fraction` average.

    `simulated_gap` is the gap of drawn summaries, with its standard error; None where a draw holds one label alone.
    """

    fraction: float
    pearson_min: float
    pearson_mean: float
    simulated_gap: float | None
    simulated_error: float | None

    @property
    def gap(self) -> float:
        """The mean's correlation minus the minimum's."""
        return self.pearson_mean - self.pearson_min


def gap_curve(
    p: float,
    lengths: Lengths,
    error_rate: float,
    fractions: Sequence[float],
    summaries: int = SUMMARIES,
    seed: int = SEED,
) -> list[GapPoint]:
    """Compute the curve of gaps over fractions of averaging raters, exactly and from drawn summaries.

    `p` is the share of faithful sentences, strictly between 0 and 1; `error_rate` (0 to below 1/2) is the
    judge's, 0 for a perfect one. All fractions are held against the same drawn summaries. Raises ValueError for
    other values.
    """
    fitting = 0 < p < 1 and 0 <= error_rate < 0.5 and all(0 <= fraction <= 1 for fraction in fractions)
    if not fitting or summaries < 1:
        raise ValueError("p lies between 0 and 1, an error rate from 0 to below 1/2, a fraction from 0 to 1")
    exact = mixed_correlations(lengths, p, error_rate, fractions)
    drawn = _Draw.of(lengths, p, error_rate, summaries, seed)
    return [
        GapPoint(fraction, float(with_min), float(with_mean), *_simulated(drawn.labels(fraction), drawn))
        for fraction, with_min, with_mean in zip(fractions, *exact, strict=True)
    ]


def mixed_correlations(
    lengths: Lengths, p: float, error_rate: float, fractions: Sequence[float]
) -> tuple[Floats, Floats]:
    """Compute Pearson's correlation of the raters' label with minimum and with mean, one entry a fraction."""
    strict, lenient = _rule_moments(lengths, p, error_rate)
    y = np.asarray(fractions, dtype=float)[:, None]
    label, with_a, with_b = ((1 - y) * strict + y * lenient).T
    scores = score_moments(lengths, p, np.array([error_rate]))
    spread = np.sqrt(label * (1 - label))
    return (
        (with_a - label * scores.mean_a) / (spread * np.sqrt(scores.variance_a)),
        (with_b - label * scores.mean_b) / (spread * np.sqrt(scores.variance_b)),
    )


def _rule_moments(lengths: Lengths, p: float, error_rate: float) -> Floats:
    """E[Y], E[YA] and E[YB] under the strict and under the lenient rule: (rules, moments)."""
    moments = np.array([_moments_of_length(int(m), p, error_rate) for m in lengths.sentences])
    pooled: Floats = (moments * lengths.shares[:, None, None]).sum(axis=0)
    return pooled


def _moments_of_length(m: int, p: float, error_rate: float) -> Floats:
    """Enumerate K for summaries of `m` sentences: (rules, moments)."""
    k = np.arange(m + 1)
    # The binomial's mass by its logarithm: scipy.stats takes every command a third of a second to load.
    ways = gammaln(m + 1) - gammaln(k + 1) - gammaln(m - k + 1)
    chance = np.exp(ways + xlogy(k, p) + xlog1py(m - k, -p))
    says_one = np.stack([k == m, 2 * k >= m]) * chance
    a = (1 - error_rate) ** k * error_rate ** (m - k)
    b = (k * (1 - error_rate) + (m - k) * error_rate) / m
    return np.stack([(says_one * score).sum(axis=1) for score in (np.ones(m + 1), a, b)], axis=1)


@dataclass(frozen=True, eq=False)
class _Draw:
    """Drawn summaries: what both rules call them, whose turn it is, and the judge's minimum and mean."""

    strict: NDArray[np.bool_]
    lenient: NDArray[np.bool_]
    turn: Floats
    minimum: Floats
    mean: Floats

    @classmethod
    def of(cls, lengths: Lengths, p: float, error_rate: float, summaries: int, seed: int) -> _Draw:
        """Draw lengths, faithful sentences, the judge's labels of both kinds of sentences, and turns."""
        rng = np.random.Generator(np.random.PCG64(seed))
        m = rng.choice(lengths.sentences.astype(np.int64), summaries, p=lengths.shares)
        k = rng.binomial(m, p)
        said = rng.binomial(k, 1 - error_rate) + rng.binomial(m - k, error_rate)
        return cls(k == m, 2 * k >= m, rng.random(summaries), (said == m).astype(float), said / m)

    def labels(self, fraction: float) -> Floats:
        """Let a fraction of summaries be rated by the lenient rule; more with a higher one, never fewer."""
        return np.where(self.turn < fraction, self.lenient, self.strict).astype(float)


def _simulated(labels: Floats, drawn: _Draw) -> tuple[float | None, float | None]:
    """Compute the gap and its standard error by the delta method (Pearson's influence function)."""
    scores = np.stack([labels, drawn.minimum, drawn.mean])
    spread = scores.std(axis=1, keepdims=True)
    if not spread.all():
        return None, None
    label, minimum, mean = (scores - scores.mean(axis=1, keepdims=True)) / spread
    with_min, with_mean = float((label * minimum).mean()), float((label * mean).mean())
    of_min = label * minimum - with_min * (label**2 + minimum**2) / 2
    of_mean = label * mean - with_mean * (label**2 + mean**2) / 2
    error = float((of_mean - of_min).std()) / labels.size**0.5
    return known(with_mean - with_min), known(error)
