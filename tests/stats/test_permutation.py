"""The sign-flip test against enumeration, SciPy, the sign test and simulation."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.stats import permutation_test

from judgeray.stats import permutation
from judgeray.stats.permutation import DRAWN_METHOD, EXACT_METHOD, sign_flip_test
from judgeray.stats.sign_test import sign_test
from tests.benchmarks.clustered_draws import Study

few = st.lists(st.integers(-2, 2), min_size=1, max_size=11)


def _p(differences: list[int] | NDArray[np.int64], rows: int = 2) -> float:
    test = sign_flip_test(differences, np.full(len(differences), rows))
    assert test.p is not None
    return test.p


@settings(max_examples=60, deadline=None)
@given(differences=few)
def test_p_is_the_share_of_all_sign_flips(differences: list[int]) -> None:
    """It is what going through all flips one by one counts."""
    observed = abs(sum(differences))
    flips = product((-1, 1), repeat=len(differences))
    extreme = [abs(sum(s * d for s, d in zip(signs, differences, strict=True))) >= observed for signs in flips]
    assert _p(differences) == pytest.approx(np.mean(extreme), rel=1e-9)


def test_p_is_that_of_scipy() -> None:
    """SciPy's exact permutation test of paired samples agrees."""
    differences = np.array([1, 0, 2, -1, 1, 1, 0, 2, 1, -2, 1])
    expected = permutation_test((differences,), np.mean, permutation_type="samples", n_resamples=2**11)
    assert _p(differences) == pytest.approx(expected.pvalue)


@settings(max_examples=60, deadline=None)
@given(signs=st.lists(st.sampled_from([-1, 0, 1]), min_size=1, max_size=300))
def test_equal_sizes_make_it_the_sign_test(signs: list[int]) -> None:
    """If no question differs by more than another, only signs count."""
    assert _p(signs) == pytest.approx(sign_test(signs).p, rel=1e-9)


def test_questions_of_unequal_rows_are_compared_by_their_means() -> None:
    """One of one row weighs what three of three weigh: all flips are extreme, or half of them."""
    test = sign_flip_test([1, 3, -2], [1, 3, 4])
    assert (test.discordant, test.p, test.method) == (3, 0.25 + 0.25, EXACT_METHOD)


def test_drawn_flips_come_near_all_flips(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where adding up is too long, seeded draws give p within three standard errors, and say so."""
    a, b = Study(150, 0.9, 0.83).rows(1, np.random.default_rng(3))
    differences = (a.sum(axis=2) - b.sum(axis=2))[0]
    exact = _p(differences)
    monkeypatch.setattr(permutation, "_MOST_STEPS", 0)
    test = sign_flip_test(differences, np.full(150, 2))
    assert test.method == DRAWN_METHOD
    assert test.p == pytest.approx(exact, abs=3 * np.sqrt(exact * (1 - exact) / 10_000))
    assert test == sign_flip_test(differences, np.full(150, 2))


def test_no_draw_gives_a_p_of_zero(monkeypatch: pytest.MonkeyPatch) -> None:
    """The observed flip is one of those counted."""
    monkeypatch.setattr(permutation, "_MOST_STEPS", 0)
    assert _p(np.full(60, 1)) == 1 / 10_001


def test_means_that_are_no_whole_numbers_are_drawn() -> None:
    """Questions of very many different sizes have no small common denominator."""
    counts = [101, 103, 107, 109, 113, 127]
    test = sign_flip_test([1, 2, 3, 4, 5, 6], counts)
    assert test.method == DRAWN_METHOD
    assert test.p == pytest.approx(2 / 64, abs=0.01)


@pytest.mark.parametrize(("differences", "p"), [([], None), ([0, 0], 1.0)])
def test_without_discordant_questions_there_is_no_evidence(differences: list[int], p: float | None) -> None:
    """Ties alone give p = 1, no questions none."""
    assert sign_flip_test(differences, [2] * len(differences)).p == p


def test_it_keeps_its_level() -> None:
    """Over 1,500 studies of 100 questions without a difference, 5 % tests reject at most 5.7 %."""
    a, b = Study(100, 0.8, 0.8, shared=0.3).rows(1_500, np.random.default_rng(8))
    rejected = [_p(d) <= 0.05 for d in a.sum(axis=2) - b.sum(axis=2)]
    assert 0.02 <= np.mean(rejected) <= 0.057
