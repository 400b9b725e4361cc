"""Resampling plans: the published stream, in any block size."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest

from judgeray.stats import draws
from judgeray.stats.draws import Weights, bootstrap_weights, half_sample_weights
from judgeray.stats.parallel import side_by_side


def _stacked(blocks: Iterable[Weights]) -> Weights:
    return np.concatenate(list(blocks))


def test_weights_count_the_draws_of_a_fresh_generator() -> None:
    """Row r counts how often each question is in row r of PCG64(42)'s (resamples, questions) integers."""
    drawn = np.random.Generator(np.random.PCG64(42)).integers(0, 37, (500, 37))
    weights = _stacked(bootstrap_weights(37, 500))
    assert (weights == [np.bincount(row, minlength=37) for row in drawn]).all()


def test_the_first_draws_are_pinned() -> None:
    """Another generator, seed or integer type would change every published interval; this one must not."""
    drawn = np.random.Generator(np.random.PCG64(42)).integers(0, 200, 8)
    assert drawn.tolist() == [17, 154, 130, 87, 86, 171, 17, 139]
    first = next(iter(bootstrap_weights(8, 1)))[0]
    assert first.tolist() == [2.0, 0.0, 0.0, 2.0, 0.0, 2.0, 2.0, 0.0]


@pytest.mark.parametrize("block_cells", [1, 37, 1_000])
def test_block_size_changes_no_draw(block_cells: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Drawing in blocks, as memory asks, continues one stream."""
    whole = _stacked(list(bootstrap_weights(37, 101))), _stacked(list(half_sample_weights(37, 101)))
    monkeypatch.setattr(draws, "BLOCK_CELLS", block_cells)
    blocks = list(bootstrap_weights(37, 101)), list(half_sample_weights(37, 101))
    assert all(block.size <= max(block_cells, 37) for block in blocks[0])
    assert (_stacked(blocks[0]) == whole[0]).all()
    assert (_stacked(blocks[1]) == whole[1]).all()


@pytest.mark.parametrize(("questions", "half"), [(2, 1), (7, 3), (200, 100)])
def test_half_samples_hold_half_of_the_questions_once(questions: int, half: int) -> None:
    """Each subset holds half of the questions, rounded down, none of them twice."""
    subsets = _stacked(list(half_sample_weights(questions, 50)))
    assert set(np.unique(subsets)) <= {0.0, 1.0}
    assert (subsets.sum(axis=1) == half).all()


def test_half_samples_are_choices_of_a_fresh_generator() -> None:
    """Subset k is the k-th `choice` of PCG64(42)."""
    generator = np.random.Generator(np.random.PCG64(42))
    for subset in _stacked(list(half_sample_weights(40, 20))):
        assert set(np.flatnonzero(subset)) == set(generator.choice(40, 20, replace=False).tolist())


def test_plans_are_kept_within_a_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    """A plan that is asked for again is the same memory; older ones make room; too large a one is not kept."""
    draws.forget_plans()
    monkeypatch.setattr(draws, "KEPT_BYTES", 8_000)
    first = next(bootstrap_weights(10, 100))
    assert np.shares_memory(next(bootstrap_weights(10, 100)), first)
    assert not np.shares_memory(next(bootstrap_weights(15, 100)), first)
    assert not np.shares_memory(next(bootstrap_weights(10, 100)), first)
    assert (next(bootstrap_weights(10, 100)) == first).all()
    assert (_stacked(bootstrap_weights(10, 300))[:100] == first).all()
    assert not np.shares_memory(next(bootstrap_weights(10, 300)), next(bootstrap_weights(10, 300)))


def test_threads_that_want_one_plan_share_it() -> None:
    """It is drawn once, by whoever comes first."""
    draws.forget_plans()
    first, *others = side_by_side(lambda _: next(bootstrap_weights(300, 1_000)), range(8))
    assert all(np.shares_memory(other, first) for other in others)
