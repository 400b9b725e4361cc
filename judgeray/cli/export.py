"""`judgeray export`: the verdicts of a run for other programs."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from shlex import quote

from rich.console import Console

from judgeray.cli.guard import guarded
from judgeray.cli.places import local_path, place
from judgeray.run.inspect_log.export import export_inspect
from judgeray.run.mirror import shown, work_on
from judgeray.run.say import say
from judgeray.run.verdict_log import FORMATS, export_verdicts

INSPECT = "inspect"


def export_command(arguments: Sequence[str]) -> int:
    """`judgeray export RUN --to FORMAT [--output PATH]`; returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="judgeray export", description="All verdict rows of a run in one file, or as logs of Inspect."
    )
    parser.add_argument("run", type=place, help="run directory or its URL")
    parser.add_argument(
        "--to",
        required=True,
        choices=sorted([*FORMATS, INSPECT]),
        help="parquet and jsonl lose nothing; inspect writes a folder of eval logs",
    )
    parser.add_argument(
        "--output", type=local_path, help="file or folder to write (default: in export/ of the run)"
    )
    given = parser.parse_args(arguments)

    def export(console: Console) -> int:
        with work_on(given.run, send=True) as run:
            if given.to == INSPECT:
                _export_inspect(run, given.output, console)
            else:
                say(console, f"written: {shown(export_verdicts(run, given.to, given.output))}")
        return 0

    return guarded(export)


def _export_inspect(run: Path, output: Path | None, console: Console) -> None:
    done = export_inspect(run, output)
    say(
        console,
        f"written: {done.logs} Inspect log{'s' * (done.logs != 1)} with {done.rows} rows in {shown(done.folder)}",
    )
    if done.rows_without_prompts:
        say(console, f"{done.rows_without_prompts} rows have no input text: {done.lacking}")
    if done.others:
        lie = "log lies" if done.others == 1 else "logs lie"
        say(console, f"{done.others} other {lie} in the same folder")
    say(console, f"open with: inspect view --log-dir {quote(shown(done.folder))}")
