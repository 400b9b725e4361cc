"""A chapter: what one diagnostic adds to a report."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import polars as pl

from judgeray.report.figures.figure import Figure, Names
from judgeray.report.view import View

Draw = Callable[[Names], Figure]


@dataclass(frozen=True)
class Chapter:
    """`tables` become files beside the others; `views` are what a reader sees, `cautions` what to bear in mind.

    `meaning` says in a sentence or two what was done and how to read it, `source` where it comes from. `figures`
    draw with the names of the report, so that colours mean the same everywhere.
    """

    name: str
    title: str
    source: str
    meaning: str
    tables: Mapping[str, pl.DataFrame]
    views: tuple[View, ...]
    cautions: tuple[str, ...] = ()
    figures: tuple[Draw, ...] = ()
