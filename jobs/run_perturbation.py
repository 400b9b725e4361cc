"""Make answers wrong step by step and score them: `python jobs/run_perturbation.py MANIFEST`."""

from __future__ import annotations

import sys

from judgeray.cli.run import run_command

if __name__ == "__main__":
    sys.exit(run_command(sys.argv[1:], program="python jobs/run_perturbation.py", study="perturbation"))
