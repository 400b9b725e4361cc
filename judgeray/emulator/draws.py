"""Draws: uniform numbers that depend on texts alone, so that the same question meets the same luck."""

from __future__ import annotations

import struct
from hashlib import blake2b

_EIGHT_WORDS = struct.Struct(">8Q")
_STEP = 2.0**-53


def joined(*parts: str) -> bytes:
    """Join texts so that no two lists of texts give the same bytes; lone surrogates are kept."""
    return "".join([f"{len(part)}:{part}" for part in parts]).encode("utf-8", "surrogatepass")


def uniforms(*parts: str) -> list[float]:
    """Eight independent numbers in [0, 1), a pure function of `parts`."""
    digest = blake2b(joined(*parts), digest_size=_EIGHT_WORDS.size).digest()
    return [(word >> 11) * _STEP for word in _EIGHT_WORDS.unpack(digest)]


def uniform(*parts: str) -> float:
    """One number in [0, 1), a pure function of `parts`."""
    word = int.from_bytes(blake2b(joined(*parts), digest_size=8).digest(), "big")
    return (word >> 11) * _STEP
