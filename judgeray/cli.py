"""The command line: thin; every command is a function elsewhere."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from rich.console import Console

from judgeray.core.errors import BadInputError
from judgeray.core.replay import NondeterministicProcedureError
from judgeray.run.grid import RunOptions, run_grid

EXIT_BAD_INPUT = 2


def run_command(arguments: Sequence[str], program: str = "judgeray run") -> int:
    """`judgeray run MANIFEST` and `python jobs/run_grid.py MANIFEST`."""
    parser = argparse.ArgumentParser(
        prog=program, description="Judge a grid: rows x designs x judges x conditions."
    )
    parser.add_argument("manifest", type=Path, help="YAML manifest of the experiment")
    parser.add_argument("--output", type=Path, help="run directory (default: runs/NAME)")
    parser.add_argument("--dry-run", action="store_true", help="print calls, tokens and cost; send nothing")
    parser.add_argument("--limit", type=_positive, metavar="QUESTIONS", help="first N questions per dataset")
    parser.add_argument("--reanalyze", action="store_true", help="read kept replies again; send nothing")
    parser.add_argument(
        "--emulate", action="store_true", help="let the emulator answer (simulated verdicts)"
    )
    given = parser.parse_args(arguments)
    return guarded(lambda console: run_grid(RunOptions(**vars(given)), console))


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError(text)
    return number


def guarded(command: Callable[[Console], int]) -> int:
    """Run a command; what the user must mend is printed without a traceback, and exits with 2."""
    try:
        return command(Console())
    except (BadInputError, NondeterministicProcedureError) as error:
        print(error, file=sys.stderr)
        return EXIT_BAD_INPUT
