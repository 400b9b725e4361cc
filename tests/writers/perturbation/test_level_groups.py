"""Laws of keeping and grouping: the top share, less what is protected, dealt evenly and shuffled by seed."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import ceil

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgeray.writers.perturbation.grouping import kept, level_groups, zigzag
from judgeray.writers.perturbation.shuffle import shuffled


@pytest.mark.parametrize(
    ("terms", "share", "expected"),
    [(5, 0.8, 4), (6, 0.8, 5), (100, 0.07, 7), (30, 0.1, 3), (3, 1.0, 3), (0, 0.8, 0)],
)
def test_top_share_is_kept(terms: int, share: float, expected: int) -> None:
    """Of n terms the first ceil(k n) are kept, with k as it is written."""
    assert kept(range(terms), (), share) == tuple(range(expected))


def test_protected_spans_are_taken_out_afterwards() -> None:
    """Protected spans take up places of the top share; those behind them do not move up."""
    assert kept((4, 2, 0, 3, 1), (2, 1), 0.6) == (4, 0)


@given(st.permutations(range(12)), st.sets(st.integers(0, 11)), st.integers(1, 100))
def test_kept_spans_stand_in_the_rankings_order(ranking: list[int], protected: set[int], percent: int) -> None:
    """What is kept is the top of the ranking in its order, and nothing of it is protected."""
    found = kept(ranking, protected, percent / 100)
    top = ranking[: ceil(Fraction(percent * 12, 100))]
    assert list(found) == [index for index in top if index not in protected]


def test_dealing_goes_there_and_back() -> None:
    """The most important term shares a group with the least important of the second round."""
    assert zigzag("abcdefghij", 4) == (("a", "h", "i"), ("b", "g", "j"), ("c", "f"), ("d", "e"))
    assert zigzag("abc", 1) == (("a", "b", "c"),)


@given(st.lists(st.integers(), unique=True, max_size=60), st.integers(1, 8))
def test_groups_are_disjoint_even_and_whole(order: list[int], levels: int) -> None:
    """Every term is in one group, sizes differ by one at most, and each group has one term of each full round."""
    groups = zigzag(order, levels)
    assert len(groups) == levels
    assert sorted(index for group in groups for index in group) == sorted(order)
    assert max(map(len, groups)) - min(map(len, groups)) <= 1
    for start in range(0, len(order) - levels + 1, levels):
        assert all(len(set(group) & set(order[start : start + levels])) == 1 for group in groups)


@given(st.lists(st.integers(), unique=True, max_size=40), st.integers(0, 99), st.text(max_size=8))
def test_shuffling_only_changes_which_level_comes_when(order: list[int], seed: int, question_id: str) -> None:
    """The groups of a question are those that were dealt, and the same whenever they are asked for."""
    groups = level_groups(order, 4, seed, question_id)
    assert Counter(groups) == Counter(zigzag(order, 4))
    assert groups == level_groups(order, 4, seed, question_id)


def test_every_order_of_groups_comes_up() -> None:
    """Over questions, each group is first about equally often; another seed gives another order."""
    firsts = Counter(level_groups(range(4), 4, 42, str(n))[0] for n in range(2000))
    assert len(firsts) == 4
    assert min(firsts.values()) > 420
    assert [level_groups(range(4), 4, 1, str(n)) for n in range(9)] != [
        level_groups(range(4), 4, 2, str(n)) for n in range(9)
    ]


def test_shuffles_are_pinned() -> None:
    """Seed, purpose and id decide a shuffle for ever: it is part of what later calls ask."""
    assert shuffled("abcdef", 42, "groups", "7") == ["a", "e", "d", "b", "c", "f"]
    assert shuffled("abcdef", 42, "reordered", "7") != shuffled("abcdef", 42, "groups", "7")
    assert shuffled("", 42, "groups", "7") == []
