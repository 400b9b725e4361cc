"""The frontier of accuracy against cost: what nothing else beats on both."""

from __future__ import annotations

from collections.abc import Sequence

Point = tuple[float | None, float | None]


def dominators(points: Sequence[Point]) -> list[list[int] | None]:
    """List, for each (accuracy, cost), the points that are at least as accurate and as cheap, and better in one.

    An empty list marks a point on the frontier. None marks a point whose accuracy or cost is not known: it is
    compared with nothing.
    """
    return [
        None if None in point else [i for i, other in enumerate(points) if _dominates(other, point)]
        for point in points
    ]


def _dominates(other: Point, point: Point) -> bool:
    (accuracy, cost), (least, most) = other, point
    if accuracy is None or cost is None or least is None or most is None:
        return False
    return accuracy >= least and cost <= most and (accuracy > least or cost < most)
