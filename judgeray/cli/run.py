"""`judgeray run` and `judgeray plan`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from judgeray.cli.guard import guarded
from judgeray.cli.places import place
from judgeray.run.grid import RunOptions, run_grid


def run_command(arguments: Sequence[str], program: str = "judgeray run", study: str | None = None) -> int:
    """`judgeray run MANIFEST`, the same as `python jobs/run_grid.py MANIFEST`; returns the exit code.

    `study` names the one kind of study that the command takes; None takes any.
    """
    parser = argparse.ArgumentParser(prog=program, description="Judge rows x designs x judges.")
    _add_common(parser)
    parser.add_argument("--dry-run", action="store_true", help="print calls, tokens and cost; send nothing")
    parser.add_argument("--reanalyze", action="store_true", help="read kept replies again; send nothing")
    given = parser.parse_args(arguments)
    return guarded(lambda console: run_grid(RunOptions(**vars(given), study=study), console))


def plan_command(arguments: Sequence[str]) -> int:
    """`judgeray plan MANIFEST`, the same as `judgeray run MANIFEST --dry-run`; returns the exit code.

    With `--scale ROWS` it says what a run of so many rows of the manifest's mix would take.
    """
    parser = argparse.ArgumentParser(prog="judgeray plan", description="What a run would still buy; sends nothing.")
    _add_common(parser)
    parser.add_argument("--scale", type=positive, metavar="ROWS", help="what so many rows of this mix would take")
    given = parser.parse_args(arguments)
    return guarded(lambda console: run_grid(RunOptions(**vars(given), dry_run=True), console))


def _add_common(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("manifest", type=Path, help="YAML manifest of the experiment")
    parser.add_argument(
        "--output", type=place, help="run directory or its URL, such as s3://bucket/runs/x (default: runs/NAME)"
    )
    parser.add_argument("--limit", type=positive, metavar="QUESTIONS", help="first N questions per dataset")
    parser.add_argument("--emulate", action="store_true", help="let the emulator answer (simulated verdicts)")
    parser.add_argument("--samples", action="store_true", help="judge packaged samples in place of data files")


def positive(text: str) -> int:
    """A whole number above zero, for argparse."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"found {number}, expected a whole number above zero")
    return number
