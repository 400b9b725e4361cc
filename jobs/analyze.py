"""Analyse a run directory or any verdict log: `python jobs/analyze.py SOURCE`."""

from __future__ import annotations

import sys

from judgeray.cli.logs import analyze_command

if __name__ == "__main__":
    sys.exit(analyze_command(sys.argv[1:], program="python jobs/analyze.py"))
