"""Functions of question sums: the bootstrap they share, and the jackknife beyond it."""

from __future__ import annotations

import numpy as np
import pytest

from judgeray.stats import functions_of_sums
from judgeray.stats.bootstrap import clustered_ratios
from judgeray.stats.functions_of_sums import JACKKNIFE_METHOD, clustered_statistics
from judgeray.stats.question_means import Matrix


def _ratio(sums: Matrix) -> Matrix:
    with np.errstate(invalid="ignore"):
        ratio: Matrix = sums[:, 0] / sums[:, 1]
    return ratio


def _study(questions: int) -> Matrix:
    rng = np.random.default_rng(7)
    rows = rng.integers(1, 4, questions)
    return np.stack([rng.binomial(rows, 0.7), rows]).astype(float)


def test_a_ratio_of_sums_has_the_interval_of_the_clustered_bootstrap() -> None:
    """The same resamples, bit for bit."""
    sums = _study(60)
    (estimate,) = clustered_statistics(sums[None], _ratio, "share", np.array([60]), 500)
    assert estimate == clustered_ratios(sums[0], sums[1], "share", 500)[0]


def test_very_many_questions_are_left_to_the_jackknife(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its interval is that of the linearised ratio, near the bootstrap's, and says what it is."""
    sums = _study(3_000)
    (drawn,) = clustered_statistics(sums[None], _ratio, "share", np.array([3_000]), 2_000)
    monkeypatch.setattr(functions_of_sums, "DRAWN_QUESTIONS", 100)
    (left_out,) = clustered_statistics(sums[None], _ratio, "share", np.array([3_000]), 2_000)
    assert left_out.method == JACKKNIFE_METHOD
    assert left_out.value == drawn.value
    assert (left_out.low, left_out.high) == pytest.approx((drawn.low, drawn.high), abs=2e-3)
    residuals = sums[0] - sums[0].sum() / sums[1].sum() * sums[1]
    error = np.sqrt((residuals**2).sum()) / sums[1].sum()
    assert left_out.high is not None
    assert left_out.value is not None
    assert left_out.high - left_out.value == pytest.approx(1.96 * error, rel=1e-2)


def test_few_questions_have_no_interval() -> None:
    """One question that carries a value shows no spread, however many others there are."""
    sums = np.array([[[1.0, 0.0, 0.0], [2.0, 0.0, 0.0]]])
    (estimate,) = clustered_statistics(sums, _ratio, "share", np.array([1]), 50)
    assert (estimate.value, estimate.low, estimate.high, estimate.n, estimate.missing) == (0.5, None, None, 1, 2)
    (single,) = clustered_statistics(sums[:, :, :1], _ratio, "share", np.array([1]), 50)
    assert (single.value, single.low) == (0.5, None)
