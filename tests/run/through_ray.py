"""The public command where nothing is so small that it goes without Ray."""

from __future__ import annotations

import sys

from judgeray.cli.run import run_command
from judgeray.engine import here

if __name__ == "__main__":
    here.SMALL_CALLS = 0
    sys.exit(run_command(sys.argv[1:], program="through_ray.py"))
