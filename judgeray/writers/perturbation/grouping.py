"""Which spans are made wrong, and at which level.

Study 2 (arXiv 2609.15561), appendix A, "Selective Retention of Factual Content" and "Grouping Factual Elements".
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from fractions import Fraction
from typing import TypeVar

from judgeray.writers.perturbation.shuffle import shuffled

T = TypeVar("T")


def kept(ranking: Sequence[int], protected: Collection[int], share: float) -> tuple[int, ...]:
    """Give the first ceil(`share` * n) of a ranking of n, in its order, less the protected ones."""
    # A share such as 0.07 is meant as written: as a binary float it would keep 8 of 100.
    count = math.ceil(Fraction(str(share)) * len(ranking))
    return tuple(index for index in ranking[:count] if index not in protected)


def zigzag(order: Sequence[T], groups: int) -> tuple[tuple[T, ...], ...]:
    """Deal `order` into groups there and back (0, 1, 2, 2, 1, 0, 0, ...).

    Each group mixes early and late items; sizes differ by one at most.
    """
    dealt: list[list[T]] = [[] for _ in range(groups)]
    for place, item in enumerate(order):
        turn, step = divmod(place, groups)
        dealt[step if turn % 2 == 0 else groups - 1 - step].append(item)
    return tuple(map(tuple, dealt))


def level_groups(order: Sequence[int], levels: int, seed: int, question_id: str) -> tuple[tuple[int, ...], ...]:
    """Deal the kept spans, most important first, into one group a level, and shuffle the groups by seed and id."""
    return tuple(shuffled(zigzag(order, levels), seed, "groups", question_id))
