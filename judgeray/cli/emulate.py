"""`judgeray emulate`: the loopback stand-in for the providers, on its own."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from judgeray.cli.guard import guarded
from judgeray.emulator.behaviour import Behaviour
from judgeray.emulator.how import load_how
from judgeray.emulator.serve import serve
from judgeray.manifest.read import read_manifest


def emulate_command(arguments: Sequence[str]) -> int:
    """Serve until interrupted; prints one JSON line with the base URLs once ready."""
    parser = argparse.ArgumentParser(prog="judgeray emulate", description="Serve simulated provider APIs.")
    parser.add_argument("--port", type=int, default=0, help="port on 127.0.0.1 (default: a free one)")
    parser.add_argument("--manifest", type=Path, help="take the behaviour from this manifest's emulator:")
    parser.add_argument("--how", type=Path, help="JSON file of limits, faults and the pace of batches")
    given = parser.parse_args(arguments)

    def emulate(_: Console) -> int:
        behaviour = read_manifest(given.manifest).emulator if given.manifest else None
        how = load_how(given.how) if given.how else None
        serve(behaviour or Behaviour(), given.port, how=how)
        return 0

    return guarded(emulate)
