"""Memory that is free but still held: allocators keep what a long step needed, by the hundred megabytes."""

from __future__ import annotations

import ctypes

import pyarrow as pa


def give_back() -> None:
    """Hand free memory back to the system, as far as the allocators here can."""
    pa.default_memory_pool().release_unused()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # glibc has it, others need none
    if trim is not None:
        trim(0)
