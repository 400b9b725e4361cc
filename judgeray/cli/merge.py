"""`judgeray merge`: the replies of one run for another."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from judgeray.cli.guard import guarded
from judgeray.cli.places import place
from judgeray.run.merge import Merged, merge
from judgeray.run.say import say


def merge_command(arguments: Sequence[str]) -> int:
    """`judgeray merge A B`: take the replies of run B into run A; returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="judgeray merge",
        description="Take the replies of run B into run A. Of two replies to one call the first received is kept.",
    )
    parser.add_argument("run", type=place, metavar="A", help="run directory that takes the replies in")
    parser.add_argument("other", type=place, metavar="B", help="run directory that has them; it is left as it is")
    given = parser.parse_args(arguments)

    def command(console: Console) -> int:
        _say(given.run, given.other, merge(given.run, given.other), console)
        return 0

    return guarded(command)


def _say(run: Path, other: Path, merged: Merged, console: Console) -> None:
    say(console, f"{run}: {merged.fresh:,} replies of {other} are new, {merged.same:,} were there already")
    say(console, f"conflicts (two replies to one call, the first received is kept): {merged.conflicts:,}")
    for found in merged.first:
        times = f"A's came {found['received_at_a']}, B's {found['received_at_b']}"
        who = f"{found['model']} at {found['provider']}"
        say(console, f"  {found['key'][:12]} {who}: kept from {found['kept_from']}; {times}")
    if merged.path:
        say(console, f"all of them: {merged.path}")
    say(
        console,
        f"Now run A's manifest, or one that names both halves, with --output {run}: with --reanalyze it reads what "
        "is there, without it buys what is still missing.",
    )
