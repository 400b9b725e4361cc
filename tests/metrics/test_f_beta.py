"""Laws of the numbers: counts, F-beta, and what is not defined."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgeray.metrics.f_beta import Counts, count, f_beta, precision_of, recall_of, rounded, value_of
from judgeray.metrics.settings import Mode, Recall, Settings

verdicts = st.lists(st.integers(0, 1), min_size=1, max_size=12)
shares = st.floats(0, 1)


@pytest.mark.parametrize(
    ("precision", "recall", "beta", "expected"),
    [
        (1.0, 1.0, 1.0, 1.0),
        (0.5, 1.0, 1.0, 2 / 3),
        (0.5, 1.0, 2.0, 5 / 6),
        (0.5, 1.0, 0.5, 5 / 9),
        (0.0, 1.0, 1.0, 0.0),
        (0.0, 0.0, 1.0, 0.0),
    ],
)
def test_f_beta_in_closed_form(precision: float, recall: float, beta: float, expected: float) -> None:
    """F-beta is (1 + b^2) P R / (b^2 P + R), and 0 where either is 0."""
    assert f_beta(precision, recall, beta) == pytest.approx(expected, abs=1e-15)


@given(verdicts, verdicts, st.sampled_from([0.5, 1.0, 2.0]))
def test_f_beta_of_counts_in_closed_form(said: list[int], should: list[int], beta: float) -> None:
    """By RAGAS's counts F-beta is (1 + b^2) tp / ((1 + b^2) tp + b^2 fn + fp), to two digits."""
    counts = count(said, should)
    tp, fp, fn = sum(said), len(said) - sum(said), len(should) - sum(should)
    square = Fraction(beta) ** 2
    exact = (1 + square) * tp / ((1 + square) * tp + square * fn + fp) if tp else Fraction(0)
    value = value_of(counts, Settings(beta=beta))
    assert value is not None
    assert abs(Fraction(value) - exact) <= Fraction(5_000_001, 10**9)


@given(shares, shares, st.sampled_from([0.25, 1.0, 4.0]))
def test_f_beta_lies_between_its_parts(precision: float, recall: float, beta: float) -> None:
    """A mean lies between what it is the mean of; the larger beta, the nearer to recall."""
    low, high = sorted((precision, recall))
    assert low - 1e-12 <= f_beta(precision, recall, beta) <= high + 1e-12
    steps = [f_beta(precision, recall, weight) for weight in (0.5, 1.0, 2.0)]
    assert steps == sorted(steps, reverse=recall < precision) or max(steps) - min(steps) < 1e-12


@pytest.mark.parametrize(
    ("value", "expected"), [(0.125, 0.12), (0.375, 0.38), (0.075, 0.08), (0.285, 0.28), (2 / 3, 0.67), (1.0, 1.0)]
)
def test_rounding_is_numpys(value: float, expected: float) -> None:
    """Two digits, halves to the even digit after multiplying: 0.075 goes up, though its double lies below."""
    assert rounded(value) == expected
    assert type(rounded(value)) is float


@pytest.mark.parametrize(
    ("mode", "recall", "expected"),
    [
        ("precision", "ragas", 0.75),
        ("recall", "ragas", 0.6),
        ("f1", "ragas", 0.67),
        ("precision", "covered", 0.75),
        ("recall", "covered", 0.33),
        ("f1", "covered", 0.46),
    ],
)
def test_modes_and_the_two_recalls(mode: Mode, recall: Recall, expected: float) -> None:
    """Three of four claims are true, and one of three covered: RAGAS's recall is 3 / (3 + 2), the share 1 / 3."""
    counts = count([1, 1, 1, 0], [1, 0, 0])
    assert counts == Counts(tp=3, fp=1, fn=2, covered=1)
    assert value_of(counts, Settings(mode=mode, recall=recall)) == expected


def test_single_modes_settle_ties_as_ragas_does() -> None:
    """RAGAS adds 1e-8 to the denominators of its single modes, so that 3 of 8 is .37 there, and .38 as F-beta."""
    counts = count([1] * 3 + [0] * 5, [1] * 3 + [0] * 5)
    assert value_of(counts, Settings(mode="precision")) == value_of(counts, Settings(mode="recall")) == 0.37
    assert value_of(counts, Settings()) == value_of(counts, Settings(mode="recall", recall="covered")) == 0.38


@pytest.mark.parametrize("recall", ["ragas", "covered"])
def test_shares_of_nothing_are_unknown(recall: Recall) -> None:
    """Without claims there is no share, and no value in a mode that needs one; never zero."""
    settings = Settings(recall=recall)
    assert precision_of(count([], [1])) is None
    assert recall_of(count([1], []), settings) is None
    assert recall_of(count([1]), settings) is None
    assert value_of(count([], [1]), settings) is value_of(count([1], []), settings) is None
    assert value_of(count([1]), Settings(mode="precision", recall=recall)) == 1.0
    assert value_of(count([1], []), Settings(mode="recall", recall=recall)) is None


def test_nothing_true_is_zero() -> None:
    """Claims that are all wrong have a share, and it is 0, also where the reference is covered."""
    counts = count([0, 0], [1])
    assert [value_of(counts, Settings(mode=mode)) for mode in ("precision", "recall", "f1")] == [0.0] * 3
    assert value_of(counts, Settings(mode="recall", recall="covered")) == 1.0


@given(verdicts, verdicts, st.sampled_from(["precision", "recall", "f1"]), st.sampled_from(["ragas", "covered"]))
def test_values_lie_in_range_and_grow_with_truth(
    said: list[int], should: list[int], mode: Mode, recall: Recall
) -> None:
    """A value lies from 0 to 1, and no claim that turns out entailed lowers it."""
    settings = Settings(mode=mode, recall=recall)
    value = value_of(count(said, should), settings)
    assert value is not None
    assert 0 <= value <= 1
    for better in (count([1, *said[1:]], should), count(said, [1, *should[1:]])):
        mended = value_of(better, settings)
        assert mended is not None
        assert mended >= value
