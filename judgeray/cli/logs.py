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
from judgeray.cli.places import local_path, place
from judgeray.report.study_report import write_study
from judgeray.report.study_terminal import study_terminal
from judgeray.report.text import visible
from judgeray.report.write import analyze_to, default_folder
from judgeray.run.chapters import chapters_of
from judgeray.run.evidence import run_evidence
from judgeray.run.finish import REPORTS
from judgeray.run.kinds import kind_of
from judgeray.run.mirror import shown, work_on_log


def analyze_command(arguments: Sequence[str], program: str = "judgeray analyze") -> int:
    """`judgeray analyze SOURCE`, the same as `python jobs/analyze.py SOURCE`; returns the exit code."""
    parser = argparse.ArgumentParser(prog=program, description="Tables and report from a verdict log.")
    parser.add_argument("source", type=place, help="run directory, or a Parquet, CSV or JSONL verdict log")
    parser.add_argument("--output", type=local_path, help="folder for tables/, report.md and report.html")
    parser.add_argument(
        "--labels", type=Path, help="other people's labels: row_id, label and, with several, annotator"
    )
    given = parser.parse_args(arguments)
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a narrow encoding must not end a finished analysis

    def analyze(console: Console) -> int:
        with work_on_log(given.source) as source:
            return _analyze(source, given.output, given.labels, console)

    return guarded(analyze)


def _analyze(source: Path, output: Path | None, labels: Path | None, console: Console) -> int:
    kind = kind_of(source)
    if kind in REPORTS:
        folder = output or default_folder(source)
        report = REPORTS[kind](source, _name(source), ())
        write_study(report, folder)
        console.print(*study_terminal(report), sep="\n")
    else:
        chapters = partial(chapters_of, source, labels=labels)
        folder = analyze_to(source, output, console, run_evidence(source), chapters)
    return _say_written(console, folder)


def _name(source: Path) -> str:
    """Name a report: a directory by its whole name, a file without its ending."""
    whole = source.resolve()
    return whole.name if whole.is_dir() else whole.stem


def _say_written(console: Console, folder: Path) -> int:
    page, text, tables = (shown(folder / name) for name in ("report.html", "report.md", "tables"))
    told = f"written: {page}, {text} and {tables}"
    console.print(Text(visible(told)), soft_wrap=True)
    return 0
