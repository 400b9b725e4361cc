"""Laws of cost estimates."""

from __future__ import annotations

import numpy as np
import pytest

from judgeray.run.estimate import PILOT_REPLIES, CostEstimate, estimate_cost, together


def test_without_a_pilot_the_guess_stands_alone() -> None:
    """No interval is made up where nothing is known."""
    assert estimate_cost([0.1] * (PILOT_REPLIES - 1), 100, 7.0) == CostEstimate(7.0)
    assert estimate_cost([0.1] * 20 + [None], 100, 7.0) == CostEstimate(7.0)
    assert estimate_cost([], 100, None) == CostEstimate(None)
    assert estimate_cost([0.1] * 50, 0, None) == CostEstimate(0.0)


def test_interval_covers_new_sums_as_often_as_it_says() -> None:
    """Over many pilots, about 95% of the sums that follow lie within."""
    draw = np.random.Generator(np.random.PCG64(7))
    inside = 0
    for _ in range(2_000):
        pilot, rest = draw.gamma(4.0, 0.001, 60), draw.gamma(4.0, 0.001, 300)
        estimate = estimate_cost(list(pilot), 300, None)
        assert estimate.low_usd is not None
        assert estimate.high_usd is not None
        inside += estimate.low_usd <= rest.sum() <= estimate.high_usd
    assert 0.93 <= inside / 2_000 <= 0.965


def test_sums_add_values_and_squares_of_halves() -> None:
    """Two arms' intervals together are narrower than their sum; an unknown arm makes all unknown."""
    arm = CostEstimate(10.0, 7.0, 13.0)
    assert together([arm, arm]).value_usd == 20.0
    assert together([arm, arm]).high_usd == pytest.approx(20.0 + 3.0 * 2**0.5)
    assert together([arm, CostEstimate(None)]) == CostEstimate(None)
    assert together([arm, CostEstimate(5.0)]) == CostEstimate(15.0)
    assert together([arm, CostEstimate(0.0)]).high_usd == pytest.approx(13.0)
