"""Kappas and alpha against statsmodels, a published example and closed forms."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from statsmodels.stats.inter_rater import aggregate_raters, cohens_kappa
from statsmodels.stats.inter_rater import fleiss_kappa as statsmodels_fleiss

from judgeray.stats.agreement import (
    Ratings,
    cohen_kappa,
    fleiss_kappa,
    group_sums,
    krippendorff_alpha,
    pair_sums,
)
from judgeray.stats.functions_of_sums import Statistic, clustered_statistics
from judgeray.stats.question_means import Matrix

CATEGORIES = 3
table_of_ratings = st.lists(st.tuples(*[st.integers(0, 2)] * 3), min_size=2, max_size=40).filter(
    lambda rows: len({category for row in rows for category in row}) > 1
)


def _whole(sums: Matrix, statistic: Statistic) -> float:
    """Compute a statistic from question sums, without an interval."""
    return float(statistic(sums.sum(axis=1)[None, :, None])[0, 0])


def _index(items: int) -> NDArray[np.intp]:
    return np.arange(items) // 2


@settings(max_examples=80, deadline=None)
@given(rows=table_of_ratings)
def test_cohen_is_that_of_statsmodels(rows: list[tuple[int, ...]]) -> None:
    """Joint counts give kappa, however they are split among questions; without chance to err, none."""
    ratings = np.array(rows, dtype=np.int16)
    found = _whole(pair_sums(ratings[:, 0], ratings[:, 1], CATEGORIES, _index(len(rows))), cohen_kappa)
    joint = np.zeros((CATEGORIES, CATEGORIES))
    np.add.at(joint, (ratings[:, 0], ratings[:, 1]), 1)
    if (joint.sum(axis=0) @ joint.sum(axis=1)) == joint.sum() ** 2:
        assert np.isnan(found)
    else:
        assert found == pytest.approx(cohens_kappa(joint, return_results=False), abs=1e-9)


@settings(max_examples=80, deadline=None)
@given(rows=table_of_ratings)
def test_fleiss_is_that_of_statsmodels(rows: list[tuple[int, ...]]) -> None:
    """Items rated by all raters give Fleiss' kappa; an item with a rating missing takes no part."""
    ratings = np.array([*rows, (0, 1, -1)], dtype=np.int16)
    found = _whole(group_sums(ratings, CATEGORIES, _index(len(ratings)), complete=True), fleiss_kappa)
    assert found == pytest.approx(statsmodels_fleiss(aggregate_raters(np.array(rows))[0]), abs=1e-9)


def krippendorffs_example() -> Ratings:
    """Four observers, twelve units, five categories, values missing (Krippendorff 2011, example C)."""
    rows = ("123321412...", "123322412 5.3".replace(" ", ""), ".3332342251.", "1233244125 1.".replace(" ", ""))
    return np.array([[-1 if cell == "." else int(cell) - 1 for cell in row] for row in rows], dtype=np.int16).T


def test_alpha_is_that_of_krippendorffs_example() -> None:
    """Nominal alpha of the published reliability data with missing values is .743."""
    ratings = krippendorffs_example()
    assert _whole(group_sums(ratings, 5, _index(12), complete=False), krippendorff_alpha) == pytest.approx(
        0.743, abs=5e-4
    )


@settings(max_examples=80, deadline=None)
@given(rows=table_of_ratings)
def test_without_missing_values_alpha_is_fleiss_for_a_small_sample(rows: list[tuple[int, ...]]) -> None:
    """1 - alpha is 1 - kappa times (n - 1) / n, with n ratings in all."""
    sums = group_sums(np.array(rows, dtype=np.int16), CATEGORIES, _index(len(rows)), complete=True)
    n = 3 * len(rows)
    alpha, kappa = _whole(sums, krippendorff_alpha), _whole(sums, fleiss_kappa)
    assert 1 - alpha == pytest.approx((1 - kappa) * (n - 1) / n)


def test_one_category_alone_leaves_agreement_undefined() -> None:
    """If nobody ever says anything else, chance would agree as well: not known, neither 0 nor 1."""
    same = np.zeros((6, 2), dtype=np.int16)
    sums = group_sums(same, CATEGORIES, _index(6), complete=False)[None]
    (estimate,) = clustered_statistics(sums, krippendorff_alpha, "agreement", np.array([3]), 100)
    assert (estimate.value, estimate.low, estimate.high, estimate.n) == (None, None, None, 3)


def test_many_questions_do_not_overflow_their_codes() -> None:
    """Codes are small integers, places among 50,000 questions are not."""
    codes = np.tile(np.array([0, 1, 2, 2], dtype=np.int16), 25_000)
    sums = pair_sums(codes, codes, CATEGORIES, _index(codes.size))
    assert sums.shape == (9, 50_000)
    assert sums.sum(axis=1).tolist() == [25_000, 0, 0, 0, 25_000, 0, 0, 0, 50_000]


def _judged(questions: int, rng: np.random.Generator) -> NDArray[np.int16]:
    """Two judges on two rows a question, wrong more often on hard questions."""
    labels = rng.integers(0, 2, (questions, 2, 1))
    wrong = rng.random((questions, 2, 2)) < rng.beta(0.8, 3.2, (questions, 1, 1))
    return np.where(wrong, (labels + 1) % CATEGORIES, labels).reshape(-1, 2).astype(np.int16)


def test_intervals_cover_the_truth_as_often_as_they_claim() -> None:
    """Over 300 studies of 200 questions, 95 % intervals of kappa cover 92 to 98 %."""
    rng = np.random.default_rng(6)

    def sums(questions: int) -> Matrix:
        ratings = _judged(questions, rng)
        return pair_sums(ratings[:, 0], ratings[:, 1], CATEGORIES, _index(2 * questions))

    truth = _whole(sums(300_000), cohen_kappa)
    stack = np.stack([sums(200) for _ in range(300)])
    estimates = clustered_statistics(stack, cohen_kappa, "agreement", np.full(300, 200), 500)
    covered = [e.low <= truth <= e.high for e in estimates if e.low is not None and e.high is not None]
    assert len(covered) == 300
    assert 0.92 <= np.mean(covered) <= 0.98
