"""The tally counts exactly."""

from __future__ import annotations

from collections import Counter

from hypothesis import example, given, settings
from hypothesis import strategies as st

from judgeray.datasets.tally import Tally


@settings(max_examples=100, deadline=None)
@given(st.lists(st.text(st.characters(exclude_categories=()), max_size=2)))
@example(["\ud800", "?", "\ud801", "\0", ""])
def test_counts_like_a_counter(keys: list[str]) -> None:
    """Each call gives how often that very text was counted, lone surrogates and NUL included."""
    seen: Counter[str] = Counter()
    with Tally() as tally:
        for key in keys:
            seen[key] += 1
            assert tally.count(key) == seen[key]


def test_tallies_are_apart() -> None:
    """Two tallies know nothing of each other."""
    with Tally() as first, Tally() as second:
        assert (first.count("a"), first.count("a"), second.count("a")) == (1, 2, 1)
