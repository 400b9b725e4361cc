"""Variance components against a closed form, statsmodels and simulation."""

from __future__ import annotations

import numpy as np
import pytest
import statsmodels.api as sm
from numpy.typing import NDArray

from judgeray.stats.variance_components import Component, variance_components


def _found(responses: NDArray[np.float64]) -> dict[str, Component]:
    return {component.source: component for component in variance_components(responses, "squared")}


def test_one_way_components_are_those_of_the_textbook() -> None:
    """Three questions, two replicates: components from the mean squares within and between, by hand."""
    responses = np.array([[1.0, 3.0], [4.0, 6.0], [8.0, 8.0]]).reshape(3, 1, 1, 2)
    within = (2 * 1**2 + 2 * 1**2 + 0) / 3
    between = 2 * ((2 - 5) ** 2 + (5 - 5) ** 2 + (8 - 5) ** 2) / 2
    found = _found(responses)
    assert list(found) == ["question", "replicate"]
    assert found["replicate"].estimate.value == pytest.approx(within)
    assert found["question"].estimate.value == pytest.approx((between - within) / 2)


def test_a_crossed_table_without_replicates_has_a_residual() -> None:
    """Questions by judges, one response each: components from the two-way mean squares by hand."""
    table = np.array([[1.0, 2.0], [3.0, 5.0], [4.0, 4.0], [8.0, 9.0]])
    grand, rows, columns = table.mean(), table.mean(axis=1), table.mean(axis=0)
    residual = ((table - rows[:, None] - columns + grand) ** 2).sum() / 3
    question = 2 * ((rows - grand) ** 2).sum() / 3
    judge = 4 * ((columns - grand) ** 2).sum() / 1
    found = _found(table.reshape(4, 1, 2, 1))
    assert list(found) == ["question", "judge", "residual"]
    assert found["residual"].estimate.value == pytest.approx(residual)
    assert found["question"].estimate.value == pytest.approx((question - residual) / 2)
    assert found["judge"].estimate.value == pytest.approx((judge - residual) / 4)


def test_balanced_data_give_what_restricted_likelihood_gives() -> None:
    """For a balanced one-way layout with positive components, statsmodels' MixedLM (REML) agrees."""
    rng = np.random.default_rng(1)
    responses = rng.normal(0, 0.8, (60, 1, 1, 1)) + rng.normal(0, 0.5, (60, 1, 1, 3))
    flat = responses.reshape(-1)
    fit = sm.MixedLM(flat, np.ones_like(flat), groups=np.repeat(np.arange(60), 3)).fit(reml=True)
    found = _found(responses)
    assert found["question"].estimate.value == pytest.approx(float(fit.cov_re[0, 0]), rel=1e-3)
    assert found["replicate"].estimate.value == pytest.approx(float(fit.scale), rel=1e-3)


TRUE = {
    "question": 0.25,
    "design": 0.09,
    "judge": 0.04,
    "question x design": 0.0625,
    "question x judge": 0.16,
    "design x judge": 0.01,
    "question x design x judge": 0.04,
    "replicate": 0.16,
}
_AXES = {"question": 0, "design": 1, "judge": 2, "replicate": 3}


def _simulated(sizes: tuple[int, int, int, int], rng: np.random.Generator) -> NDArray[np.float64]:
    responses = np.zeros(sizes)
    for source, variance in TRUE.items():
        axes = range(4) if source == "replicate" else [_AXES[name] for name in source.split(" x ")]
        shape = [size if axis in axes else 1 for axis, size in enumerate(sizes)]
        responses += rng.normal(0, np.sqrt(variance), shape)
    return responses


def test_components_are_right_on_average() -> None:
    """Over 150 crossed layouts, components that are never cut at zero average to the truth within 4 errors."""
    rng = np.random.default_rng(2)
    runs = [_found(_simulated((30, 4, 3, 2), rng)) for _ in range(150)]
    uncut = [source for source in TRUE if not any(run[source].negative for run in runs)]
    assert set(uncut) >= {"question", "question x design", "question x judge", "replicate"}
    for source in uncut:
        values = np.array([run[source].estimate.value for run in runs], dtype=float)
        error = np.std(values) / np.sqrt(values.size)
        assert np.mean(values) == pytest.approx(TRUE[source], abs=4 * error)


def test_a_negative_solution_is_zero_and_flagged() -> None:
    """Replicates that differ more than questions: the question component would be below zero."""
    found = _found(np.array([[0.0, 10.0], [10.0, 0.0], [1.0, 9.0]]).reshape(3, 1, 1, 2))
    assert (found["question"].estimate.value, found["question"].negative) == (0.0, True)
    assert found["question"].estimate.low == 0.0
    assert not found["replicate"].negative


def test_the_interval_of_the_question_component_covers_the_truth() -> None:
    """Over 150 studies of 100 questions under 2 designs and 3 judges, 95 % intervals cover 88 to 99 %."""
    rng = np.random.default_rng(3)
    covered = []
    for _ in range(150):
        estimate = variance_components(_simulated((100, 2, 3, 1), rng), "squared")[0].estimate
        assert estimate.low is not None
        assert estimate.high is not None
        covered.append(estimate.low <= TRUE["question"] <= estimate.high)
    assert 0.88 <= np.mean(covered) <= 0.99
