"""`judgeray COMMAND ...`"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

from judgeray import __version__
from judgeray.cli.batches import cancel_command
from judgeray.cli.data import dashboard_command, fetch_command, schema_command
from judgeray.cli.emulate import emulate_command
from judgeray.cli.export import export_command
from judgeray.cli.logs import analyze_command
from judgeray.cli.merge import merge_command
from judgeray.cli.run import plan_command, run_command
from judgeray.cli.show import show_command
from judgeray.cli.status import status_command
from judgeray.cli.verify import verify_command
from judgeray.cli.view import view_command
from judgeray.core.errors import bad_value

Command = Callable[[Sequence[str]], int]

COMMANDS: dict[str, tuple[Command, str]] = {
    "run": (run_command, "judge what a manifest names; run again to continue"),
    "plan": (plan_command, "calls, tokens and cost that a run would still buy"),
    "status": (status_command, "how a live or dead run is, how far, its batches and costs"),
    "cancel": (cancel_command, "end a run's open batches at their providers"),
    "verify": (verify_command, "make everything again from the kept replies and compare"),
    "merge": (merge_command, "take the replies of another run in"),
    "analyze": (analyze_command, "tables and report from a run or any verdict log"),
    "show": (show_command, "one row: what was asked, what came back, how it was read"),
    "view": (view_command, "page through verdicts in a browser on this machine"),
    "export": (export_command, "all verdict rows in one file, or as Inspect eval logs"),
    "emulate": (emulate_command, "serve simulated provider APIs on loopback"),
    "fetch": (fetch_command, "download public benchmark files"),
    "schema": (schema_command, "print the manifest's JSON Schema"),
    "dashboard": (dashboard_command, "print the Grafana dashboard of runs' metrics"),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code.

    0 done, 1 a verified run differs, 2 bad input, 3 rows unsettled, 130 interrupted.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    if not given or given[0] in ("-h", "--help"):
        print(_help())
        return 0
    if given[0] == "--version":
        print(f"judgeray {__version__}")
        return 0
    if given[0] not in COMMANDS:
        print(bad_value("judgeray", "command", given[0], COMMANDS), file=sys.stderr)
        return 2
    command, _ = COMMANDS[given[0]]
    return command(given[1:])


def _help() -> str:
    lines = [f"  {name:<9} {about}" for name, (_, about) in COMMANDS.items()]
    return "usage: judgeray COMMAND ...   (each has --help)\n\n" + "\n".join(lines)
