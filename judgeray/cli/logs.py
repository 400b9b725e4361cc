"""`judgeray analyze`: tables and report of what runs left."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from functools import partial
from io import TextIOWrapper
from pathlib import Path

from rich.console import Console
from rich.text import Text

from judgeray.cli.guard import guarded
from judgeray.report.study_report import write_study
from judgeray.report.study_terminal import study_terminal
from judgeray.report.text import visible
from judgeray.report.write import analyze_to, default_folder
from judgeray.run.chapters import chapters_of
from judgeray.run.evidence import run_evidence
from judgeray.run.finish import REPORTS
from judgeray.run.kinds import kind_of


def analyze_command(arguments: Sequence[str], program: str = "judgeray analyze") -> int:
    """`judgeray analyze SOURCE`, the same as `python jobs/analyze.py SOURCE`; returns the exit code."""
    parser = argparse.ArgumentParser(prog=program, description="Tables and report from a verdict log.")
    parser.add_argument("source", type=Path, help="run directory, or a Parquet, CSV or JSONL verdict log")
    parser.add_argument("--output", type=Path, help="folder for tables/, report.md and report.html")
    parser.add_argument(
        "--labels", type=Path, help="other people's labels: row_id, label and, with several, annotator"
    )
    given = parser.parse_args(arguments)
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a narrow encoding must not end a finished analysis

    def analyze(console: Console) -> int:
        kind = kind_of(given.source)
        if kind in REPORTS:
            folder = given.output or default_folder(given.source)
            report = REPORTS[kind](given.source, _name(given.source), ())
            write_study(report, folder)
            console.print(*study_terminal(report), sep="\n")
            return _say_written(console, folder)
        chapters = partial(chapters_of, given.source, labels=given.labels)
        folder = analyze_to(given.source, given.output, console, run_evidence(given.source), chapters)
        return _say_written(console, folder)

    return guarded(analyze)


def _name(source: Path) -> str:
    """Name a report: a directory by its whole name, a file without its ending."""
    whole = source.resolve()
    return whole.name if whole.is_dir() else whole.stem


def _say_written(console: Console, folder: Path) -> int:
    told = f"written: {folder / 'report.html'}, {folder / 'report.md'} and {folder / 'tables'}"
    console.print(Text(visible(told)), soft_wrap=True)
    return 0
