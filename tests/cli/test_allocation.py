"""Laws of how a command's memory is allocated: in one place, from which what is free can be given back."""

from __future__ import annotations

import os
import platform
import subprocess
import sys

import pytest

ARENA = "MALLOC_ARENA_MAX"
ARENAS = """
import ctypes, sys, threading
import judgeray.cli

def fill():
    kept.append([bytes(2_000) for _ in range(200)])

kept = []
threads = [threading.Thread(target=fill) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
libc = ctypes.CDLL(None)
libc.fdopen.restype = ctypes.c_void_p
out = ctypes.c_void_p(libc.fdopen(1, b"w"))
libc.malloc_info(0, out)
libc.fflush(out)
"""
POOL = "import judgeray.cli, pyarrow; print(pyarrow.default_memory_pool().backend_name)"


def said(code: str, **environment: str) -> str:
    """What a fresh interpreter prints that begins as a command does."""
    clean = {name: value for name, value in os.environ.items() if name not in ("ARROW_DEFAULT_MEMORY_POOL", ARENA)}
    found = subprocess.run(
        [sys.executable, "-c", code], env={**clean, **environment}, capture_output=True, text=True, check=True
    )
    return found.stdout


def test_arrow_uses_the_systems_allocator() -> None:
    """Arrow's own one keeps what it once had; who names another gets that."""
    assert said(POOL).strip() == "system"
    assert said(POOL, ARROW_DEFAULT_MEMORY_POOL="mimalloc").strip() == "mimalloc"


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc has arenas")
def test_threads_share_one_arena() -> None:
    """What a thread has freed can be used by any other; who sets a number of arenas gets that many."""
    assert said(ARENAS).count("<heap nr=") == 1
    assert 1 < said(ARENAS, **{ARENA: "3"}).count("<heap nr=") <= 3
