"""A verdict log in, a folder with tables and report out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import polars as pl
from rich.console import Console

from judgeray.analysis import analyze, read_log, write_tables
from judgeray.analysis.write import write_whole
from judgeray.core.errors import BadInputError
from judgeray.report.chapter import Chapter
from judgeray.report.evidence import EvidenceSource
from judgeray.report.extras import Extras, extras_of, read_provenance
from judgeray.report.facts import RunFacts, facts_of
from judgeray.report.markdown import markdown_report
from judgeray.report.page.build import html_report
from judgeray.report.terminal import terminal_report


def no_chapters(_log: pl.DataFrame) -> Sequence[Chapter]:
    """Leave diagnostics out."""
    return ()


def analyze_to(
    source: Path,
    output: Path | None = None,
    console: Console | None = None,
    evidence: EvidenceSource | None = None,
    chapters: Callable[[pl.DataFrame], Sequence[Chapter]] = no_chapters,
) -> Path:
    """Analyse a run directory or verdict log, write `tables/`, `report.md` and `report.html`, return their folder.

    Without `output` that is the directory itself, or `NAME-analysis/` beside a file. With `console`, the main
    results are printed there. `evidence` gives the texts behind verdicts, `chapters` what diagnostics make of the
    log. Raises BadInputError for a log that
    cannot be analysed or a folder that cannot be written.
    """
    log = read_log(source)
    tables, facts = analyze(log), facts_of(log, _name(source))
    extras = extras_of(log, evidence, read_provenance(source))
    folder = output or default_folder(source)
    try:
        write_report(tables, facts, folder, extras, chapters(log))
    except OSError as error:
        raise BadInputError(f"{folder}: cannot be written: {error.strerror or error}") from error
    if console:
        console.print(*terminal_report(tables, facts), sep="\n")
    return folder


def write_report(
    tables: Mapping[str, pl.DataFrame],
    facts: RunFacts,
    folder: Path,
    extras: Extras,
    chapters: Sequence[Chapter] = (),
) -> None:
    """Write `tables/NAME.csv`, `report.md` and `report.html` below `folder`, each file whole or not at all."""
    write_tables(
        {**tables, **{name: table for chapter in chapters for name, table in chapter.tables.items()}}, folder
    )
    write_whole(folder / "report.md", markdown_report(tables, facts, chapters))
    write_whole(folder / "report.html", html_report(tables, facts, extras, chapters))


def default_folder(source: Path) -> Path:
    """Name the folder for results: the directory itself, or one beside the file (or glob)."""
    if source.is_dir():
        return source
    fixed = next(path for path in (source, *source.parents) if not set(str(path)) & set("*?["))
    return (
        source.with_name(f"{source.stem}-analysis") if fixed == source or source.is_file() else fixed / "analysis"
    )


def _name(source: Path) -> str:
    return source.resolve().name if source.is_dir() else source.stem
