"""The command line: thin; every command is a function elsewhere.

A command settles first how its memory is allocated, before anything large is imported: by the system's allocator,
in one arena. Arrow's own one, and an arena for each thread, keep what a long step has freed: a tenth of a gigabyte
more with every few rounds of a run.
"""

import ctypes
import os

_ARENA_MAX = -8
"""The number that glibc's malloc.h has for `mallopt`."""

os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")
if "MALLOC_ARENA_MAX" not in os.environ:
    _mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if _mallopt is not None:
        _mallopt(_ARENA_MAX, 1)
