"""A report made of chapters: what a study of its own tells, beside or without verdicts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from judgeray.analysis.write import write_tables, write_whole
from judgeray.core.errors import BadInputError
from judgeray.report.caveats import SIMULATED
from judgeray.report.chapter import Chapter
from judgeray.report.markdown import chapter_blocks, items
from judgeray.report.page.study_page import study_page
from judgeray.report.text import markdown


@dataclass(frozen=True)
class StudyReport:
    """`facts` say what was run, `methods` how numbers are made, `claims` what to bear in mind.

    `simulated` counts rows that the emulator answered, of `rows`. `on_screen` are the columns of the first view
    that a narrow screen shows.
    """

    name: str
    rows: int
    simulated: int
    facts: Sequence[tuple[str, str]]
    datasets: Sequence[str]
    judges: Sequence[str]
    chapters: Sequence[Chapter]
    methods: Sequence[str]
    claims: Sequence[str] = ()
    provenance: Mapping[str, Any] | None = None
    on_screen: Sequence[str] = ()

    @property
    def warning(self) -> str:
        """What to say before all else where an emulator answered; empty otherwise."""
        return f"{self.simulated:,} of {self.rows:,} rows are {SIMULATED}." if self.simulated else ""


def write_study(report: StudyReport, folder: Path) -> None:
    """Write `tables/NAME.csv`, `report.md` and `report.html` below `folder`, each file whole or not at all.

    Raises BadInputError for a folder that cannot be written.
    """
    tables = {name: table for chapter in report.chapters for name, table in chapter.tables.items()}
    text, page = study_markdown(report), _page(report)
    try:
        write_tables(tables, folder)
        write_whole(folder / "report.md", text)
        write_whole(folder / "report.html", page)
    except OSError as error:
        raise BadInputError(f"{folder}: cannot be written: {error.strerror or error}") from error


def _page(report: StudyReport) -> str:
    return study_page(
        name=report.name,
        warning=report.warning,
        facts=report.facts,
        datasets=report.datasets,
        judges=report.judges,
        chapters=report.chapters,
        methods=report.methods,
        claims=report.claims,
        provenance=report.provenance,
    )


def study_markdown(report: StudyReport) -> str:
    """Write the report as Markdown; text from data is escaped for Markdown and HTML."""
    blocks = [
        *([f"**{report.warning}**"] if report.warning else []),
        f"# {markdown(report.name)}",
        "## What was run",
        items(f"{name}: {value}" for name, value in report.facts),
        *(block for chapter in report.chapters for block in chapter_blocks(chapter)),
        "## How these numbers were made",
        items(report.methods),
        *(["## Read with care", items(report.claims)] if report.claims else []),
    ]
    return "\n\n".join(blocks) + "\n"
