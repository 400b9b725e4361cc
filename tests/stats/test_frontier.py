"""The frontier of accuracy against cost."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from judgeray.stats.frontier import dominators

points = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=12)


def test_what_is_better_or_cheaper_dominates() -> None:
    """(.9, 1) beats (.8, 2) on both, (.9, 2) on cost; (.95, 3) stands beside it; equals do not beat each other."""
    assert dominators([(0.9, 1.0), (0.8, 2.0), (0.9, 2.0), (0.95, 3.0), (0.9, 1.0)]) == [
        [],
        [0, 2, 4],
        [0, 4],
        [],
        [],
    ]


def test_what_is_not_known_is_compared_with_nothing() -> None:
    """A point without a cost is neither on the frontier nor off it, and pushes nobody off."""
    assert dominators([(0.9, None), (0.5, 1.0), (None, 1.0)]) == [None, [], None]


@settings(max_examples=100, deadline=None)
@given(points=points)
def test_somebody_is_on_the_frontier_and_beats_everybody_off_it(points: list[tuple[float, float]]) -> None:
    """The frontier is never empty, and whoever is off it is beaten by a point on it."""
    found = dominators(points)
    on = {place for place, others in enumerate(found) if others == []}
    assert on
    assert all(others == [] or set(others or ()) & on for others in found)
