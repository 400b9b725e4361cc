"""Analyse a run directory or verdict log: write tables and a report, print the main results."""

from __future__ import annotations

import argparse
import sys
from io import TextIOWrapper
from pathlib import Path

from rich.console import Console
from rich.text import Text

from judgeray.core.errors import BadInputError
from judgeray.report.text import visible
from judgeray.report.write import analyze_to


def main(arguments: list[str] | None = None) -> int:
    """Run the command; 0 when done, 2 on bad input (one line on stderr)."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", type=Path, help="run directory, or a Parquet, CSV or JSONL verdict log")
    parser.add_argument("--output", type=Path, help="folder for tables/ and report.md")
    given = parser.parse_args(arguments)
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a narrow encoding must not end a finished analysis
    console = Console()
    try:
        folder = analyze_to(given.source, given.output, console)
    except BadInputError as error:
        print(error, file=sys.stderr)
        return 2
    console.print(Text(visible(f"written: {folder / 'report.md'} and {folder / 'tables'}")), soft_wrap=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
