"""A set of call keys in little memory, of which none is ever taken out."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

LATE_KEYS = 10_000
KEY_DIGITS = 16
"""Hexadecimal digits of a key that are told apart. Of half a million keys, two are alike in one run of a hundred
million; what is kept back for that is asked in the next round."""


class KeySet:
    """Holds eight bytes of each key, sorted; the latest ones as Python's numbers, which take ten times as much."""

    def __init__(self) -> None:
        self._sorted: NDArray[np.uint64] = np.empty(0, dtype=np.uint64)
        self._late: set[int] = set()

    def add(self, key: str) -> bool:
        """Take a key in; False where it was there."""
        if key in self:
            return False
        self._late.add(int(key[:KEY_DIGITS], 16))
        if len(self._late) >= max(LATE_KEYS, self._sorted.size // 8):
            late = np.fromiter(self._late, dtype=np.uint64, count=len(self._late))
            self._sorted = np.sort(np.concatenate([self._sorted, late]))
            self._late.clear()
        return True

    def __contains__(self, key: str) -> bool:
        number = int(key[:KEY_DIGITS], 16)
        if number in self._late:
            return True
        place = int(np.searchsorted(self._sorted, np.uint64(number)))
        return place < self._sorted.size and int(self._sorted[place]) == number

    def __len__(self) -> int:
        return self._sorted.size + len(self._late)
