"""The closed form for very many questions against the bootstrap that it stands for."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judgeray.stats import bootstrap
from judgeray.stats.bootstrap import clustered_means, clustered_ratios
from judgeray.stats.ideal_bootstrap import IDEAL_METHOD, ideal_interval


@pytest.mark.parametrize("chance", [0.5, 0.97])
def test_its_ends_are_those_of_the_bootstrap_within_its_noise(chance: float) -> None:
    """On 3,000 questions both ends lie within a tenth of a standard error of those of 10,000 resamples."""
    rng = np.random.default_rng(1)
    rows = rng.integers(1, 4, 3_000)
    right = rng.binomial(rows, chance)
    (drawn,) = clustered_ratios(right, rows, "rows")
    ends = ideal_interval(right[None].astype(float), rows[None].astype(float), 0.95)[:, 0]
    error = float(ends[1] - ends[0]) / 4
    assert ends.tolist() == pytest.approx([drawn.low, drawn.high], abs=error / 10)


def test_skewness_bends_it_as_it_bends_the_bootstrap() -> None:
    """Strongly skewed token counts: a normal interval would be off by more than a tenth of a standard error."""
    tokens = np.random.default_rng(3).lognormal(0.0, 1.2, 2_000)
    (drawn,) = clustered_means(tokens, np.ones(2_000), "tokens")
    ends = ideal_interval(tokens[None], np.ones((1, 2_000)), 0.95)[:, 0]
    error = tokens.std() / np.sqrt(2_000)
    assert ends.tolist() == pytest.approx([drawn.low, drawn.high], abs=error / 10)
    normal = [tokens.mean() - 1.96 * error, tokens.mean() + 1.96 * error]
    assert np.abs(ends - normal).min() > error / 10


def test_it_takes_over_beyond_the_limit_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """Value and counts stay what they are; the method names the closed form."""
    differences = np.random.default_rng(2).integers(-2, 3, (3, 500))
    counts = np.full(differences.shape, 2)
    drawn = clustered_means(differences, counts, "rows", 500)
    monkeypatch.setattr(bootstrap, "DRAWN_QUESTIONS", 499)
    for closed, other in zip(clustered_means(differences, counts, "rows", 500), drawn, strict=True):
        assert closed.method == IDEAL_METHOD
        assert (closed.value, closed.n, closed.missing) == (other.value, other.n, other.missing)
        assert (closed.low, closed.high) == pytest.approx((other.low, other.high), abs=0.02)


@settings(max_examples=80, deadline=None)
@given(values=st.lists(st.integers(-3, 3), min_size=2, max_size=40))
def test_swapping_sides_mirrors_the_interval(values: list[int]) -> None:
    """Skewness bends both ends, and the other way for the mirrored values."""
    top, bottom = np.array([values], dtype=float), np.ones((1, len(values)))
    low, high = ideal_interval(top, bottom, 0.95)[:, 0]
    assert ideal_interval(-top, bottom, 0.95)[:, 0] == pytest.approx([-high, -low])


def test_missing_questions_take_no_part_and_one_has_no_interval() -> None:
    """Zero over zero is a question that is not there."""
    top, bottom = np.array([[1.0, 0.0, 2.0, 0.0]]), np.array([[2.0, 0.0, 2.0, 2.0]])
    kept = [0, 2, 3]
    assert (ideal_interval(top, bottom, 0.95) == ideal_interval(top[:, kept], bottom[:, kept], 0.95)).all()
    assert np.isnan(ideal_interval(top[:, :2], bottom[:, :2], 0.95)).all()
