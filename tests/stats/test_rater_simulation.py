"""Raters of whom some average: exact gaps, and drawn ones that agree with them."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from judgeray.stats.averaging_moments import lengths_of, unbiased_correlations
from judgeray.stats.rater_simulation import gap_curve, mixed_correlations
from tests.stats.every_summary import correlations_by_enumeration

LENGTHS = lengths_of([2, 2, 3, 3, 3, 4, 5, 6, 9])


@pytest.mark.parametrize("fraction", ["0", "0.3", "1"])
@pytest.mark.parametrize("error", ["0", "0.12"])
def test_exact_gaps_are_what_listing_every_summary_gives(fraction: str, error: str) -> None:
    """Lengths 2, 3 and 4: every sentence and mistake enumerated, half of the sentences being enough to average."""
    y = Fraction(fraction)

    def rater(k: int, m: int) -> Fraction:
        return y * (2 * k >= m) + (1 - y) * (k == m)

    shares = {2: Fraction(1, 4), 3: Fraction(1, 2), 4: Fraction(1, 4)}
    expected = correlations_by_enumeration(shares, Fraction("0.7"), Fraction(error), rater)
    found = mixed_correlations(lengths_of([2, 3, 3, 4]), 0.7, float(error), [float(y)])
    assert (found[0][0], found[1][0]) == pytest.approx(expected, abs=1e-13)


@pytest.mark.parametrize("p", [0.05, 0.6, 0.95])
def test_nobody_averaging_is_the_unbiased_rater(p: float) -> None:
    """At fraction 0 the enumeration agrees with the closed form."""
    for error in (0.0, 0.1, 0.45):
        mixed, closed = mixed_correlations(LENGTHS, p, error, [0.0]), unbiased_correlations(LENGTHS, p, error)
        for a, b in zip(mixed, closed, strict=True):
            assert a == pytest.approx(b, abs=1e-12)


@pytest.mark.parametrize(("p", "error"), [(0.1, 0.0), (0.5, 0.3), (0.85, 0.0), (0.85, 0.15), (0.97, 0.05)])
def test_drawn_gaps_agree_within_their_error(p: float, error: float) -> None:
    """All points of a curve within four standard errors, which are small."""
    for point in gap_curve(p, LENGTHS, error, [0.0, 0.25, 0.5, 0.75, 1.0], summaries=400_000, seed=3):
        assert point.simulated_gap is not None
        assert point.simulated_error is not None
        assert 0 < point.simulated_error < 0.02
        assert abs(point.gap - point.simulated_gap) < 4 * point.simulated_error


def test_the_stated_error_is_the_spread_of_draws() -> None:
    """Over 200 seeds, gaps differ as much as one draw says they do."""
    points = [gap_curve(0.8, LENGTHS, 0.1, [0.4], summaries=1_000, seed=seed)[0] for seed in range(200)]
    gaps = [point.simulated_gap for point in points if point.simulated_gap is not None]
    errors = [point.simulated_error for point in points if point.simulated_error is not None]
    assert len(gaps) == len(errors) == 200
    assert np.std(gaps) == pytest.approx(np.mean(errors), rel=0.15)


def test_a_small_gap_can_hide_much_bias() -> None:
    """Study 3, section 6: with a perfect judge, most raters may average before the mean wins."""
    points = gap_curve(0.8, LENGTHS, 0.0, [0.0, 0.2, 0.4, 0.6, 0.8, 1.0])
    gaps = [point.gap for point in points]
    assert points[0].pearson_min == pytest.approx(1)
    assert gaps == sorted(gaps)
    assert gaps[2] < 0 < gaps[4]


def test_the_seed_alone_decides() -> None:
    """The same seed gives the same curve, another another."""
    curves = [gap_curve(0.8, LENGTHS, 0.1, [0.5], summaries=2_000, seed=seed) for seed in (1, 1, 2)]
    assert curves[0] == curves[1]
    assert curves[0][0].simulated_gap != curves[2][0].simulated_gap
    assert curves[0][0].gap == curves[2][0].gap


def test_a_draw_of_one_label_tells_no_gap() -> None:
    """Two summaries of nearly always faithful sentences: the exact gap stands alone."""
    (point,) = gap_curve(1 - 1e-9, LENGTHS, 0.1, [0.5], summaries=2)
    assert (point.simulated_gap, point.simulated_error) == (None, None)
    assert -1 < point.gap < 1


@pytest.mark.parametrize(
    ("p", "error", "fraction", "summaries"), [(1.0, 0, 0, 9), (0.5, 0.5, 0, 9), (0.5, 0, 1.1, 9), (0.5, 0, 0, 0)]
)
def test_values_outside_the_model_are_refused(p: float, error: float, fraction: float, summaries: int) -> None:
    """p, error rate, fraction, and at least one summary."""
    with pytest.raises(ValueError, match="p lies between 0 and 1"):
        gap_curve(p, LENGTHS, error, [fraction], summaries=summaries)
