"""Chapters on a page: their views as tables that sort, filter and copy, and all their columns folded away."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from judgeray.report.chapter import Chapter
from judgeray.report.figures.figure import Names
from judgeray.report.numbers import UNKNOWN
from judgeray.report.page.charts import Charts, FigureView
from judgeray.report.page.grids import MOST_ROWS, Cell, Column, Grid, Line, Places, grid
from judgeray.report.text import visible
from judgeray.report.view import View

_LEADING_NUMBER = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?(?= \[| ±|$)")


@dataclass(frozen=True)
class ChapterPage:
    """A chapter as the template draws it; `details` are its whole tables."""

    anchor: str
    chapter: Chapter
    figures: tuple[FigureView, ...]
    grids: tuple[Grid, ...]
    details: tuple[Grid, ...]


def chapter_pages(chapters: Sequence[Chapter], places: Places, names: Names, charts: Charts) -> list[ChapterPage]:
    """Lay chapters out; views without a row are left out, and figures join the page's."""
    return [_page(number, chapter, places, names, charts) for number, chapter in enumerate(chapters)]


def _page(number: int, chapter: Chapter, places: Places, names: Names, charts: Charts) -> ChapterPage:
    anchor = f"chapter-{number}"
    shown = [view for view in chapter.views if view.rows]
    grids = tuple(_grid(f"{anchor}-view-{n}", view, places) for n, view in enumerate(shown))
    titles = [visible(name.replace("_", " ")).capitalize() for name in chapter.tables]
    whole = zip(titles, chapter.tables.values(), strict=True)
    details = (grid(f"{anchor}-table-{n}", title, table, places) for n, (title, table) in enumerate(whole))
    figures = tuple(charts.add(draw(names)) for draw in chapter.figures)
    return ChapterPage(
        anchor, chapter, figures, tuple(map(_all_conditions, grids)), tuple(map(_all_conditions, details))
    )


def _all_conditions(table: Grid) -> Grid:
    """Show a chapter's rows whatever condition the page is set to: conditions are what it compares."""
    lines = (replace(line, parts=tuple(part for part in line.parts if part[0] != "c")) for line in table.lines)
    return replace(table, lines=tuple(lines))


def _grid(name: str, view: View, places: Places) -> Grid:
    """Turn a view into a table whose columns of numbers sort as numbers."""
    numeric = [all(map(_is_number, column)) for column in zip(*view.rows, strict=True)]
    columns = tuple(
        Column(title, visible(title), 0 if number else None)
        for title, number in zip(view.header, numeric, strict=True)
    )
    lines = tuple(
        Line(tuple(map(_cell, row, numeric)), places.of(dict(zip(view.header, row, strict=True))))
        for row in view.rows[:MOST_ROWS]
    )
    return Grid(name, view.title, columns, lines, max(0, len(view.rows) - MOST_ROWS))


def _cell(text: str, number: bool) -> Cell:
    if not number:
        return Cell(visible(text))
    found = _LEADING_NUMBER.match(text)
    return Cell(visible(text), found.group() if found else "")


def _is_number(text: str) -> bool:
    return text == UNKNOWN or _LEADING_NUMBER.match(text) is not None
