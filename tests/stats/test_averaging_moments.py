"""Closed forms of study 3's model: exact where all summaries can be listed, and true of drawn ones."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest
from numpy.typing import NDArray

from judgeray.stats.averaging_moments import lengths_of, unbiased_correlations
from tests.stats.every_summary import correlations_by_enumeration

Floats = NDArray[np.float64]


def unbiased(k: int, m: int) -> Fraction:
    """Faithful where every sentence is."""
    return Fraction(int(k == m))


@pytest.mark.parametrize("p", ["0.1", "0.5", "0.83"])
@pytest.mark.parametrize("error", ["0", "0.07", "0.4"])
def test_they_are_what_listing_every_summary_gives(p: str, error: str) -> None:
    """Lengths 2, 3 and 4 in unequal shares: every sentence and every mistake enumerated."""
    shares = {2: Fraction(1, 2), 3: Fraction(1, 3), 4: Fraction(1, 6)}
    expected = correlations_by_enumeration(shares, Fraction(p), Fraction(error), unbiased)
    found = unbiased_correlations(lengths_of([2, 2, 2, 3, 3, 4]), float(p), float(error))
    assert (found[0][0], found[1][0]) == pytest.approx(expected, abs=1e-13)


@pytest.mark.parametrize("p", [1e-6, 0.3, 1 - 1e-4, 1 - 1e-9])
@pytest.mark.parametrize("error", [0.0, 1e-10, 1e-4, 0.2, 0.499999])
def test_nothing_cancels_at_the_ends(p: float, error: float) -> None:
    """Against the same moments in exact fractions, where p is close to 0 and to 1: thirteen digits agree."""
    lengths = [2, 2, 3, 7, 30]
    found = unbiased_correlations(lengths_of(lengths), p, error)
    for value, exact in zip(found, _in_fractions(lengths, Fraction(p), Fraction(error)), strict=True):
        assert value[0] == pytest.approx(exact, rel=1e-13)


def _in_fractions(lengths: Sequence[int], p: Fraction, error: Fraction) -> tuple[float, float]:
    """The moments of appendix A.4, pooled as they are written."""
    r = p + error * (1 - 2 * p)

    def mean(values: Sequence[Fraction]) -> Fraction:
        return sum(values, Fraction()) / len(values)

    y, a = mean([p**m for m in lengths]), mean([r**m for m in lengths])
    with_a = mean([(p * (1 - error)) ** m for m in lengths]) - y * a
    with_b = mean([p**m * (1 - error) for m in lengths]) - y * r
    of_b = mean([r * r + r * (1 - r) / m for m in lengths]) - r * r
    of_y = y * (1 - y)
    return float(with_a**2 / (of_y * a * (1 - a))) ** 0.5, float(with_b**2 / (of_y * of_b)) ** 0.5


@pytest.mark.parametrize(
    ("p", "lengths", "error"),
    [
        (0.03, [2], 0.1),
        (0.1, [2, 3], 0.02),
        (0.4, [2, 3, 4], 0.3),
        (0.8, [2, 5, 9, 12], 0.15),
        (0.97, list(range(2, 31)), 0.05),
        (0.99, [30], 0.3),
    ],
)
def test_drawn_summaries_agree_within_their_error(p: float, lengths: list[int], error: float) -> None:
    """Sentences drawn one by one, flipped by XOR: both correlations within four standard errors."""
    rng = np.random.default_rng(11)
    m = rng.choice(lengths, 200_000)
    starts = np.cumsum(m) - m
    truth = rng.random(m.sum()) < p
    said = truth ^ (rng.random(truth.size) < error)
    label = np.logical_and.reduceat(truth, starts).astype(float)
    scores = np.logical_and.reduceat(said, starts), np.add.reduceat(said, starts, dtype=float) / m
    found = unbiased_correlations(lengths_of(lengths), p, error)
    for closed, score in zip(found, scores, strict=True):
        drawn, standard_error = _correlation(label, score.astype(float))
        assert 0 < standard_error < 0.02
        assert abs(closed[0] - drawn) < 4 * standard_error


def _correlation(label: Floats, score: Floats) -> tuple[float, float]:
    """Pearson's correlation and its standard error by the delta method."""
    a, b = ((values - values.mean()) / values.std() for values in (label, score))
    found = float((a * b).mean())
    influence = a * b - found * (a * a + b * b) / 2
    return found, float(influence.std() / label.size**0.5)


def test_an_exact_judge_has_the_raters_minimum() -> None:
    """Theorem 1: without errors the minimum is the label, and the mean is not."""
    for p in (0.01, 0.5, 0.999):
        with_min, with_mean = unbiased_correlations(lengths_of([2, 3, 30]), p, [0.0])
        assert with_min[0] == pytest.approx(1, abs=1e-12)
        assert with_mean[0] < 1 - 1e-6


def test_lengths_are_counted_in_any_order() -> None:
    """Only how many summaries have a length matters."""
    a, b = lengths_of([5, 2, 2, 3]), lengths_of([2, 3, 5, 2])
    assert (a.sentences.tolist(), a.shares.tolist()) == ([2, 3, 5], [0.5, 0.25, 0.25])
    assert (b.sentences.tolist(), b.shares.tolist()) == ([2, 3, 5], [0.5, 0.25, 0.25])


@pytest.mark.parametrize(("p", "error"), [(0.0, 0.1), (1.0, 0.1), (0.5, 0.5), (0.5, -0.1)])
def test_values_outside_the_model_are_refused(p: float, error: float) -> None:
    """p of 0 or 1 leaves no variation; a judge that guesses is not in the theorem."""
    with pytest.raises(ValueError, match="p lies between 0 and 1"):
        unbiased_correlations(lengths_of([2]), p, error)


@pytest.mark.parametrize("lengths", [[], [1], [3, 1]])
def test_summaries_of_one_sentence_are_refused(lengths: list[int]) -> None:
    """There minimum and mean are one."""
    with pytest.raises(ValueError, match="two sentences or more"):
        lengths_of(lengths)
