"""Seeded shuffles that belong to one question each."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import TypeVar

import numpy as np

from judgeray.core.canonical import canonical_json

T = TypeVar("T")


def shuffled(items: Sequence[T], seed: int, *names: str) -> list[T]:
    """Shuffle by PCG64, seeded from the SHA-256 of `seed` and `names`: what it is for, and the question's id."""
    digest = sha256(canonical_json([seed, *names]).encode("ascii")).digest()
    generator = np.random.Generator(np.random.PCG64(int.from_bytes(digest[:16], "big")))
    return [items[place] for place in generator.permutation(len(items))]
