"""Sections of the tables beyond study 1: what each is called, what it means in plain words, and its views."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import polars as pl

from judgeray.report.further_views import (
    agreement_views,
    bounds_views,
    calibration_views,
    cost_views,
    power_views,
    variance_views,
)
from judgeray.report.view import View


@dataclass(frozen=True)
class Section:
    """One section of a report: `meaning` is a sentence or two for who knows no statistics."""

    table: str
    title: str
    meaning: str
    views: Callable[[pl.DataFrame], list[View]]


SECTIONS = (
    Section(
        "power",
        "What so many questions can show",
        "The smallest difference in accuracy that the sign test shows in four of five studies; after the "
        "semicolon, how many questions the observed difference would need. Both take the observed share of "
        "questions that either side won for the true one.",
        power_views,
    ),
    Section(
        "cost",
        "Cost of a right verdict",
        "Total tokens and US dollars for each right verdict. A figure stands out where no other design of the "
        "judge is as accurate and as cheap.",
        cost_views,
    ),
    Section(
        "agreement",
        "Agreement between judges",
        "Krippendorff's alpha of verdicts: 1 is full agreement, 0 what chance gives. It falls where one verdict is "
        "rare. Judges that agree may be wrong together.",
        agreement_views,
    ),
    Section(
        "variance_components",
        "Where verdicts vary",
        "Which share of the variance of right and wrong lies with questions, designs, judges and their "
        "combinations. The residual holds what nothing else explains, noise between calls included.",
        variance_views,
    ),
    Section(
        "calibration",
        "Calibration of stated confidence",
        "Expected calibration error: how far stated confidence is from the share of right verdicts, on average. It "
        "is never below 0 and, with few rows, too large.",
        calibration_views,
    ),
    Section(
        "missing_bounds",
        "What rows without a verdict could change",
        "Whatever these rows would have said, accuracy lies between both columns. The cells that could move most.",
        bounds_views,
    ),
)


def further_sections(tables: Mapping[str, pl.DataFrame]) -> list[tuple[Section, list[View]]]:
    """List the sections that have something to show; tables that are lacking have nothing."""
    found = [(section, section.views(tables[section.table])) for section in SECTIONS if section.table in tables]
    return [(section, views) for section, views in found if any(view.rows for view in views)]
