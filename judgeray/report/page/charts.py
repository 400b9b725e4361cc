"""All figures of a page, numbered, with the data that its scripts need."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import polars as pl

from judgeray.report.extras import Extras
from judgeray.report.figures.accuracy import accuracy_figure
from judgeray.report.figures.classes import STEPS as SHARE_STEPS
from judgeray.report.figures.classes import class_figure
from judgeray.report.figures.complexity import STEPS as DELTA_STEPS
from judgeray.report.figures.complexity import complexity_figure
from judgeray.report.figures.conditions import condition_figure
from judgeray.report.figures.contrasts import OUTCOMES, contrast_figure
from judgeray.report.figures.figure import Figure, Names, colour, shown
from judgeray.report.figures.frontier import frontier_figure
from judgeray.report.figures.parsing import BRANCHES, UNTOLD, parsing_figure
from judgeray.report.figures.reliability import reliability_figure
from judgeray.report.figures.series import IN_CHART
from judgeray.report.figures.spread import spread_figure
from judgeray.report.figures.theme import CONFIG
from judgeray.report.page.embed import compiled
from judgeray.report.page.grids import Places


@dataclass(frozen=True)
class PanelView:
    """A panel and its number in the page's data."""

    number: int
    title: str
    alt: str
    wide: bool
    parts: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class FigureView:
    """A figure as the template draws it."""

    name: str
    title: str
    caption: str
    colours: str
    paired: bool
    panels: tuple[PanelView, ...]


class Charts:
    """Collects figures; `specs` holds the charts by their numbers."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self.specs: list[dict[str, Any]] = []

    def add(self, figure: Figure) -> FigureView:
        """Number the panels of a figure."""
        panels = []
        for panel in figure.panels:
            of = {"dataset": panel.dataset, "judge": panel.judge}
            parts = self._places.of({part: name for part, name in of.items() if name is not None})
            panels.append(PanelView(len(self.specs), panel.title, panel.alt, panel.wide, parts))
            self.specs.append(panel.spec)
        return FigureView(figure.name, figure.title, figure.caption, figure.colours, figure.paired, tuple(panels))

    def data(self, names: Names) -> dict[str, Any]:
        """Give what the scripts read."""
        parts = {"judge": names.judges, "design": names.designs, "condition": names.conditions}
        return {
            "charts": [compiled(spec, CONFIG) for spec in self.specs],
            "names": {part: [shown(name) for name in of_part] for part, of_part in parts.items()},
        }


def figure_views(
    tables: Mapping[str, pl.DataFrame], extras: Extras, names: Names, charts: Charts
) -> dict[str, FigureView]:
    """Draw every figure, by name; one without data has no panels."""
    figures = [
        accuracy_figure(tables["accuracy"], names),
        contrast_figure(tables["contrasts"], names),
        frontier_figure(tables["accuracy"], extras.costs, names),
        condition_figure(tables["accuracy"], names),
        spread_figure(extras.spread, names),
        reliability_figure(extras.reliability, names),
        *(draw(tables[name], names) for name, draw in _OPTIONAL.items() if name in tables),
    ]
    return {figure.name: charts.add(figure) for figure in figures}


_OPTIONAL = {"class_accuracy": class_figure, "complexity": complexity_figure, "parsing": parsing_figure}
"""Figures of one table each, left out where the table is absent."""


def legends(names: Names, branches: Collection[str | None]) -> dict[str, list[tuple[str, str]]]:
    """Say what colours mean, for each kind of figure; of reading branches, those that occur."""
    told = {name or UNTOLD for name in branches}
    return {
        IN_CHART: [],
        "designs": [(shown(name), colour(n)) for n, name in enumerate(names.designs)],
        "outcomes": [(name, f"var(--outcome-{n})") for n, name in enumerate(OUTCOMES)],
        "branches": [(name, f"var(--branch-{n})") for n, name in enumerate(BRANCHES) if name in told],
        "shares": _ranges(SHARE_STEPS, "share", "{:.2f}"),
        "differences": _ranges(DELTA_STEPS, "delta", "{:+.2f}"),
    }


def _ranges(steps: tuple[float, ...], family: str, form: str) -> list[tuple[str, str]]:
    spelled = [form.format(step) for step in steps]
    between = [f"{low} to {high}" for low, high in pairwise(spelled)]
    names = [f"below {spelled[0]}", *between, f"{spelled[-1]} and above"]
    return [(name, f"var(--{family}-{n})") for n, name in enumerate(names)]
