"""The main results on a screen, as Rich renderables."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl
from rich import box
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from judgeray.report.accuracy_views import accuracy_lists, status_view
from judgeray.report.caveats import SIMULATED, caveats
from judgeray.report.contrast_views import contrast_views
from judgeray.report.facts import RunFacts
from judgeray.report.further_views import agreement_views
from judgeray.report.text import visible
from judgeray.report.view import View

_CONTRAST = ("pair", "judge", "Δ accuracy", "wins", "p", "p Holm")
"""Columns that 80 characters hold; the report has all."""


def terminal_report(tables: Mapping[str, pl.DataFrame], facts: RunFacts) -> list[RenderableType]:
    """Show accuracy, contrasts, rows without a verdict, agreement and caveats; text from data does not act."""
    views = [
        *(("Accuracy", view) for view in accuracy_lists(tables["accuracy"])),
        *(("Contrasts", view.only(*_CONTRAST)) for view in contrast_views(tables["contrasts"])),
        ("Statuses", status_view(tables["accuracy"])),
        *(("Agreement between judges", view) for view in agreement_views(tables["agreement"])),
    ]
    return [
        *([Text(SIMULATED, style="bold red")] if facts.simulated else []),
        *(view_table(kind, view) for kind, view in views if view.rows),
        *(Text(f"- {visible(text)}") for text in [*caveats(facts, tables), *facts.notes]),
    ]


def view_table(kind: str, view: View) -> Table:
    """Lay a view out for a screen."""
    table = Table(title=Text(f"{kind}: {visible(view.title)}"), title_justify="left", box=box.SIMPLE)
    for name in view.header:
        table.add_column(Text(visible(name)), overflow="fold")
    for r, row in enumerate(view.rows):
        styles = ("bold" if (r, c) in view.strong else "" for c in range(len(row)))
        table.add_row(*(Text(visible(cell), style=style) for cell, style in zip(row, styles, strict=True)))
    return table
