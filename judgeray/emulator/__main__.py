"""`python -m judgeray.emulator`: serve simulated APIs on loopback."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from judgeray.core.errors import BadInputError
from judgeray.emulator.behaviour import Behaviour, load_behaviour
from judgeray.emulator.how import How, load_how
from judgeray.emulator.serve import HOST, serve

_BAD_INPUT = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Parse arguments and serve; returns 2 on bad input, with one line on stderr."""
    given = _parser().parse_args(arguments)
    try:
        behaviour = load_behaviour(given.behaviour) if given.behaviour else Behaviour()
        how = load_how(given.how) if given.how else How()
        serve(behaviour, given.port, given.host, how=how, stop_with_parent=given.stop_with_parent)
    except BadInputError as error:
        sys.stderr.write(f"{error}\n")
        return _BAD_INPUT
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m judgeray.emulator", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="port; 0 (default) takes a free one")
    parser.add_argument("--host", default=HOST, help=f"only {HOST} is allowed")
    parser.add_argument("--behaviour", type=Path, metavar="FILE", help="behaviour as JSON")
    parser.add_argument(
        "--how", type=Path, metavar="FILE", help="rate limits, faults and the pace of batches as JSON"
    )
    parser.add_argument(
        "--stop-with-parent", action="store_true", help="end when standard input does, as when a parent dies"
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
