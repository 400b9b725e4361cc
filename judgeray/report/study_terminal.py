"""The first chapter of a study on a screen, as Rich renderables."""

from __future__ import annotations

from rich.console import RenderableType
from rich.text import Text

from judgeray.report.study_report import StudyReport
from judgeray.report.terminal import view_table
from judgeray.report.text import visible


def study_terminal(report: StudyReport) -> list[RenderableType]:
    """Show the views of the first chapter and the claims; text from data does not act."""
    first = report.chapters[0]
    return [
        *([Text(report.warning, style="bold red")] if report.warning else []),
        *(view_table(first.title, view.only(*report.on_screen)) for view in first.views[:1] if view.rows),
        *(Text(f"- {visible(text)}") for text in [*first.cautions, *report.claims]),
    ]
