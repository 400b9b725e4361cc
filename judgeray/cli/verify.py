"""`judgeray verify`: whether everything in a run directory follows from its replies."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from rich.console import Console

from judgeray.cli.guard import guarded
from judgeray.cli.places import place
from judgeray.run.say import say
from judgeray.run.verify.verify import verify

EXIT_AGREES, EXIT_DIFFERS = 0, 1


def verify_command(arguments: Sequence[str]) -> int:
    """`judgeray verify RUN`: make everything again and compare; returns the exit code, 1 where it differs."""
    parser = argparse.ArgumentParser(
        prog="judgeray verify",
        description="Make records, tables and reports again from the kept replies and compare. Sends and writes "
        "nothing. Ends with 0 where all agrees, 1 where something differs, 2 where it cannot be told.",
    )
    parser.add_argument("run", type=place, help="run directory or its URL")
    given = parser.parse_args(arguments)

    def command(console: Console) -> int:
        checks = differ = 0
        for check in verify(given.run):
            checks, differ = checks + 1, differ + check.differs
            style = "bold red" if check.differs else "green"
            lead = "DIFFERS" if check.differs else "agrees "
            say(console, f" {check.name}: {check.told}", lead=lead, lead_style=style)
            for detail in check.details:
                say(console, f"          {detail}")
        if differ:
            say(console, "Records, tables and reports are made again by the run's command with --reanalyze.")
        say(console, f"{checks} checks, {differ} differ")
        return EXIT_DIFFERS if differ else EXIT_AGREES

    return guarded(command)
