"""The tally counts exactly."""

from __future__ import annotations

from collections import Counter

from hypothesis import example, given, settings
from hypothesis import strategies as st

from judgeray.datasets.tally import LastTally, Tally


@settings(max_examples=100, deadline=None)
@given(st.lists(st.text(st.characters(exclude_categories=()), max_size=2)), st.sampled_from([0, 1, 3, 1_000]))
@example(["\ud800", "?", "\ud801", "\0", ""], 2)
def test_counts_like_a_counter(keys: list[str], in_memory: int) -> None:
    """Each call gives how often that very text was counted, wherever its count is kept, lone surrogates and NUL
    included."""
    seen: Counter[str] = Counter()
    with Tally(in_memory) as tally:
        for key in keys:
            seen[key] += 1
            assert tally.count(key) == seen[key]


def test_tallies_are_apart() -> None:
    """Two tallies know nothing of each other."""
    with Tally() as first, Tally() as second:
        assert (first.count("a"), first.count("a"), second.count("a")) == (1, 2, 1)


@given(st.lists(st.tuples(st.text(max_size=2), st.integers(1, 4)), unique_by=lambda run: run[0]))
def test_the_last_key_is_enough_where_keys_stand_together(runs: list[tuple[str, int]]) -> None:
    """Keys that never come back after another are counted as if all were kept."""
    keys = [key for key, times in runs for _ in range(times)]
    last = LastTally()
    with Tally() as tally:
        assert [last.count(key) for key in keys] == [tally.count(key) for key in keys]
