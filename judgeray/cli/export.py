"""`judgeray export`: the verdicts of a run as one file."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from judgeray.cli.guard import guarded
from judgeray.run.say import say
from judgeray.run.verdict_log import FORMATS, export_verdicts


def export_command(arguments: Sequence[str]) -> int:
    """`judgeray export RUN --to FORMAT [--output FILE]`; returns the exit code."""
    parser = argparse.ArgumentParser(prog="judgeray export", description="All verdict rows of a run in one file.")
    parser.add_argument("run", type=Path, help="run directory")
    parser.add_argument("--to", required=True, choices=sorted(FORMATS), help="parquet and jsonl lose nothing")
    parser.add_argument("--output", type=Path, help="file to write (default: export/verdicts.FORMAT in the run)")
    given = parser.parse_args(arguments)

    def export(console: Console) -> int:
        say(console, f"written: {export_verdicts(given.run, given.to, given.output)}")
        return 0

    return guarded(export)
