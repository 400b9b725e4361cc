"""Correlations with a label of two classes: those of the textbooks, and again in every resample of documents."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from judgeray.stats import ordered_items as module
from judgeray.stats.draws import bootstrap_weights
from judgeray.stats.label_correlations import Resampled, resampled_correlations
from judgeray.stats.ordered_items import Items
from judgeray.stats.rank_correlations import MEASURES

Floats = NDArray[np.float64]


def items(labels: list[int], scores: list[float], clusters: list[int] | None = None) -> Items:
    """Items as arrays; each its own cluster unless told."""
    numbers = range(len(labels)) if clusters is None else clusters
    return Items(np.array(labels, dtype=np.intp), np.array(scores, dtype=float), np.array(numbers, dtype=np.intp))


def drawn(size: int, clusters: int, digits: int, seed: int = 3) -> Items:
    """Items with scores rounded to so many digits: the fewer, the more ties."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 2, size)
    scores = np.round(rng.normal(labels * 0.5, 1), digits)
    return Items(labels, scores, np.unique(rng.integers(0, clusters, size), return_inverse=True)[1])


def only(cell: Items, resamples: int = 300) -> Resampled:
    """Resample one cell."""
    return resampled_correlations([cell], resamples)[0]


def textbook(labels: NDArray[np.intp], scores: Floats) -> list[float]:
    """SciPy's three, and the AUC by comparing all pairs."""
    wins = scores[labels == 1][:, None] - scores[labels == 0][None, :]
    return [
        float(stats.pearsonr(scores, labels)[0]),
        float(stats.spearmanr(scores, labels)[0]),
        float(stats.kendalltau(scores, labels)[0]),
        float(((wins > 0) + (wins == 0) / 2).mean()),
    ]


@settings(max_examples=100, deadline=None)
@given(rows=st.lists(st.tuples(st.integers(0, 1), st.integers(-4, 4)), min_size=4, max_size=40))
def test_values_are_those_of_the_textbooks(rows: list[tuple[int, int]]) -> None:
    """Whatever is tied: Pearson, Spearman, tau-b and AUC, if labels and scores vary."""
    labels, scores = [label for label, _ in rows], [score / 3 for _, score in rows]
    if len(set(labels)) < 2 or len(set(scores)) < 2:
        return
    cell = items(labels, scores)
    assert only(cell, 1).values.tolist() == pytest.approx(textbook(cell.labels, cell.scores), abs=1e-12)


@pytest.mark.parametrize("digits", [0, 1, 9])
def test_every_resample_is_what_its_documents_give(digits: int) -> None:
    """Items written out as often as their document is drawn: many ties, some, none but those of drawing twice."""
    cell = drawn(60, 25, digits)
    (weights,) = bootstrap_weights(cell.cluster_count, 300)
    resampled = only(cell).draws
    assert resampled is not None
    for number in range(40):
        places = np.repeat(np.arange(60), weights[number][cell.clusters].astype(int))
        expected = textbook(cell.labels[places], cell.scores[places])
        assert resampled[:, number].tolist() == pytest.approx(expected, abs=1e-12)


def test_the_order_of_items_has_no_effect() -> None:
    """Not on a single bit, for any measure."""
    cell = drawn(500, 100, 1)
    order = np.random.default_rng(0).permutation(500)
    mixed = Items(cell.labels[order], cell.scores[order], cell.clusters[order])
    a, b = only(cell), only(mixed)
    assert a.draws is not None
    assert b.draws is not None
    assert np.array_equal(a.values, b.values)
    assert np.array_equal(a.draws, b.draws)


def test_company_has_no_effect() -> None:
    """A cell among others has the numbers that it has alone."""
    cells = [drawn(80, 30, 1, seed) for seed in range(5)]
    together = resampled_correlations(cells, 200)
    for cell, found in zip(cells, together, strict=True):
        assert found.estimates() == only(cell, 200).estimates()


def test_ranks_see_order_alone_and_pearson_any_unit() -> None:
    """A rising map keeps three measures to the bit; another unit keeps the fourth."""
    cell = drawn(200, 60, 1)
    curved = only(Items(cell.labels, np.exp(cell.scores), cell.clusters))
    scaled = only(Items(cell.labels, 1e6 + 3 * cell.scores, cell.clusters))
    plain = only(cell)
    assert np.array_equal(curved.values[1:], plain.values[1:])
    assert scaled.values[0] == pytest.approx(plain.values[0], abs=1e-9)
    assert np.array_equal(only(Items(1 - cell.labels, cell.scores, cell.clusters)).values[1:3], -plain.values[1:3])


def test_one_label_leaves_all_undefined() -> None:
    """Nothing is known, and nothing is zero."""
    found = only(items([1, 1, 1], [0.1, 0.5, 0.9])).estimates()
    assert {(e.value, e.low, e.high) for e in found.values()} == {(None, None, None)}


def test_one_score_leaves_the_auc_at_a_half() -> None:
    """Correlations are undefined where scores do not vary; the AUC counts ties as half."""
    found = only(items([1, 0, 1, 0, 1, 0] * 20, [0.7] * 120)).estimates()
    assert [found[name].value for name in MEASURES] == [None, None, None, 0.5]
    assert (found["roc_auc"].low, found["roc_auc"].high) == (0.5, 0.5)
    assert found["kendall"].low is None


def test_a_resample_without_both_labels_takes_the_interval() -> None:
    """One item of label 0 among ten is missing from a third of the resamples: the value stands alone."""
    found = only(items([0] + [1] * 9, [float(n) for n in range(10)])).estimates()
    assert found["pearson"].value is not None
    assert (found["pearson"].low, found["pearson"].high) == (None, None)


def test_one_document_shows_no_spread() -> None:
    """Two summaries of one document: a value without interval; no items at all: not even that."""
    single = only(items([0, 1], [0.0, 1.0], [0, 0]))
    assert single.draws is None
    assert [(e.value, e.low) for e in single.estimates().values()] == [(1.0, None)] * 4
    nothing = only(items([], []))
    assert (nothing.clusters, nothing.draws, nothing.estimates()["pearson"].value) == (0, None, None)


def test_differences_are_paired() -> None:
    """Resample by resample; scores that are the same in other units differ by exactly nothing."""
    cell = drawn(300, 100, 1)
    other = Items(cell.labels, np.abs(cell.scores), cell.clusters)
    units = Items(cell.labels, 0.1 + cell.scores / 7, cell.clusters)
    plain, changed, same = resampled_correlations([cell, other, units], 300)
    assert plain.draws is not None
    assert changed.draws is not None
    difference = plain.minus(changed)
    assert difference.draws is not None
    assert difference.draws == pytest.approx(plain.draws - changed.draws, abs=1e-9)
    estimate = difference.estimates()["pearson"]
    assert estimate.low == pytest.approx(np.quantile(plain.draws[0] - changed.draws[0], 0.025), abs=1e-9)
    nothing = plain.minus(same).estimates()["pearson"]
    assert (nothing.value, nothing.low, nothing.high) == (0, 0, 0)


def test_wide_counts_give_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """64-bit counts, which very many items need, agree with 32-bit ones."""
    cell = drawn(200, 50, 1)
    narrow = only(cell).draws
    monkeypatch.setattr(module, "_SMALL", 0)
    wide = only(cell).draws
    assert narrow is not None
    assert wide is not None
    assert np.array_equal(narrow, wide)


def test_intervals_hold_the_truth() -> None:
    """In 300 studies of 80 documents with two like summaries, 95 % intervals of the AUC cover it in 91 to 98 %."""
    rng = np.random.default_rng(8)
    cells = []
    for _ in range(300):
        labels = rng.integers(0, 2, 160)
        shared = np.repeat(rng.normal(size=80), 2)
        cells.append(Items(labels, labels + shared + rng.normal(size=160), np.repeat(np.arange(80), 2)))
    truth = float(stats.norm.cdf(1 / 2))
    found = [resampled.estimates()["roc_auc"] for resampled in resampled_correlations(cells, 400)]
    held = [e.low is not None and e.high is not None and e.low <= truth <= e.high for e in found]
    assert 0.91 <= np.mean(held) <= 0.98
