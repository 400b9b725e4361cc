"""Draws of wrong labels: how many, which, and that no hidden setting decides."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from judgeray.stats import label_flips as module
from judgeray.stats.label_flips import label_flips


def drawn(rows: int, others: int, rate: float, draws: int, seed: int = 42) -> NDArray[np.uint8]:
    """All draws: (draws, rows, others)."""
    return np.concatenate(list(label_flips(rows, others, rate, draws, seed))).reshape(draws, rows, others)


def test_a_row_gets_at_most_one_other_label() -> None:
    """Zeros and ones, and no row with two ones."""
    flips = drawn(30, 3, 0.7, 50)
    assert flips.shape == (50, 30, 3)
    assert set(np.unique(flips)) == {0, 1}
    assert flips.sum(axis=2).max() == 1


@pytest.mark.parametrize("others", [1, 2, 4])
def test_labels_are_wrong_at_the_rate_and_evenly(others: int) -> None:
    """Of 100,000 rows a share `rate / others` gets each other label, within four standard errors."""
    rate = 0.3
    shares = drawn(100, others, rate, 1_000).mean(axis=(0, 1))
    share = rate / others
    assert shares == pytest.approx([share] * others, abs=4 * (share * (1 - share) / 100_000) ** 0.5)


def test_rate_0_flips_nothing_and_rate_1_everything() -> None:
    """The ends are exact."""
    assert drawn(20, 2, 0.0, 20).sum() == 0
    assert (drawn(20, 2, 1.0, 20).sum(axis=2) == 1).all()


def test_more_noise_holds_the_lesser_noise() -> None:
    """With one seed, a row that is wrong at 0.1 is wrong at 0.2."""
    low, high = (drawn(40, 2, rate, 100).any(axis=2) for rate in (0.1, 0.2))
    assert low.any()
    assert (high | ~low).all()
    assert high.sum() > low.sum()


def test_the_seed_alone_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of any size give the same draws; another seed gives others."""
    whole = drawn(7, 2, 0.5, 23)
    assert np.array_equal(whole, drawn(7, 2, 0.5, 23))
    assert not np.array_equal(whole, drawn(7, 2, 0.5, 23, seed=1))
    monkeypatch.setattr(module, "_WEIGHTS_AT_ONCE", 60)
    blocks = list(label_flips(7, 2, 0.5, 23))
    assert [len(block) for block in blocks] == [4, 4, 4, 4, 4, 3]
    assert np.array_equal(whole, np.concatenate(blocks).reshape(whole.shape))
