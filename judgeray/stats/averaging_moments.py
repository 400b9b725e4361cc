"""How minimum and mean of a judge's sentence labels correlate with an unbiased rater's label, in closed form.

The model of study 3 (appendices A.1 and A.4, hard predictions): a summary has M sentences, each faithful with
probability p independently of all others; a judge gets each wrong with probability e. The unbiased rater says 1
where all sentences are faithful (Y). A is the minimum of the judge's labels, B their mean. With
r = p + e (1 - 2p), the share of the judge's labels that are 1:

    E[Y | M] = p^M            E[A | M] = r^M            E[B | M] = r        Var[B | M] = r (1 - r) / M
    E[YA | M] = (p (1 - e))^M                           E[YB | M] = p^M (1 - e)

Moments of summaries of all lengths pooled are the means of these over the lengths. As E[B | M] is the same for
all M, Var[B] = r (1 - r) E[1/M] and Cov[Y, B] = E[Y] (1 - p) (1 - 2e). Cov[Y, A] is E[Y] (E[A | Y = 1] - E[A]).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]

SHORTEST = 2
"""A summary of one sentence has one score, whatever it is made by."""


@dataclass(frozen=True, eq=False)
class Lengths:
    """Lengths of summaries that occur, in sentences, rising, and the share of summaries that have each."""

    sentences: Floats
    shares: Floats

    def mean(self, by_length: Floats) -> Floats:
        """Average over summaries; lengths are the last axis."""
        means: Floats = (by_length * self.shares).sum(axis=-1)
        return means


@dataclass(frozen=True, eq=False)
class ScoreMoments:
    """Means and variances of a judge's minimum (A) and mean (B), one entry an error rate."""

    mean_a: Floats
    variance_a: Floats
    mean_b: Floats
    variance_b: Floats


def lengths_of(sentences: ArrayLike) -> Lengths:
    """Tabulate lengths, one entry a summary; raises ValueError without any, and for one below two sentences."""
    counts = np.asarray(sentences, dtype=np.int64)
    if not counts.size or counts.min() < SHORTEST:
        raise ValueError("lengths of summaries: at least one, and each of two sentences or more")
    distinct, summaries = np.unique(counts, return_counts=True)
    return Lengths(distinct.astype(float), summaries / counts.size)


def score_moments(lengths: Lengths, p: float, error_rates: Floats) -> ScoreMoments:
    """Compute the moments of a judge's minimum and mean; whoever rates has no part in them."""
    faithful, flagged = _label_shares(p, error_rates)
    logs = lengths.sentences * _log(faithful, flagged)[:, None]
    mean_a = lengths.mean(np.exp(logs))
    return ScoreMoments(
        mean_a=mean_a,
        variance_a=mean_a * lengths.mean(-np.expm1(logs)),
        mean_b=faithful,
        variance_b=faithful * flagged * float(lengths.mean(1 / lengths.sentences)),
    )


def unbiased_correlations(lengths: Lengths, p: float, error_rates: ArrayLike) -> tuple[Floats, Floats]:
    """Compute Pearson's correlation of Y with A and with B, one entry an error rate.

    `p` lies strictly between 0 and 1, error rates from 0 to below 1/2; raises ValueError otherwise. Precise also
    where p is close to 0 or 1.
    """
    rates = np.atleast_1d(np.asarray(error_rates, dtype=float))
    if not 0 < p < 1 or rates.min(initial=0) < 0 or rates.max(initial=0) >= 0.5:
        raise ValueError("p lies between 0 and 1, a judge's error rate from 0 to below 1/2")
    moments = score_moments(lengths, p, rates)
    odds = _odds_of_faithful(lengths, p)
    with_a = odds * _minimum_gain(lengths, p, rates) / np.sqrt(moments.variance_a)
    with_b = odds * (1 - p) * (1 - 2 * rates) / np.sqrt(moments.variance_b)
    return with_a, with_b


def _odds_of_faithful(lengths: Lengths, p: float) -> float:
    """E[Y] over the standard deviation of Y."""
    logs = lengths.sentences * np.log(p)
    return float(np.sqrt(lengths.mean(np.exp(logs)) / lengths.mean(-np.expm1(logs))))


def _minimum_gain(lengths: Lengths, p: float, rates: Floats) -> Floats:
    """E[A | Y = 1] - E[A]: how much likelier the minimum is 1 where all sentences are faithful.

    Written as what lengths tell (Y = 1 shifts their shares by `tilt`) plus what sentences tell, so that nothing
    cancels where p is close to 1.
    """
    m = lengths.sentences
    faithful, flagged = _label_shares(p, rates)
    better = np.log1p((1 - p) * (1 - 2 * rates) / faithful)
    of_sentences = np.exp(m * _log(faithful, flagged)[:, None]) * np.expm1(m * better[:, None])
    of_lengths = _tilt(lengths, p) * np.exp(m * np.log1p(-rates)[:, None])
    return lengths.mean(of_lengths + of_sentences)


def _tilt(lengths: Lengths, p: float) -> Floats:
    """P(M = m | Y = 1) / P(M = m) - 1 for each length m."""
    if p > 0.5:
        below_one = np.expm1(lengths.sentences * np.log(p))
        mean = lengths.mean(below_one)
        tilt: Floats = (below_one - mean) / (1 + mean)
        return tilt
    scaled = np.exp((lengths.sentences - lengths.sentences[0]) * np.log(p))
    low_tilt: Floats = scaled / lengths.mean(scaled) - 1
    return low_tilt


def _label_shares(p: float, rates: Floats) -> tuple[Floats, Floats]:
    """Shares of a judge's labels that are 1 and that are 0; each by itself, so that neither loses digits."""
    return p * (1 - rates) + (1 - p) * rates, (1 - p) * (1 - rates) + p * rates


def _log(share: Floats, rest: Floats) -> Floats:
    """The logarithm of `share`, which is 1 - `rest`."""
    return np.where(rest < 0.5, np.log1p(-np.minimum(rest, 0.5)), np.log(share))
