"""A kind of study: what its datasets hold, and what stands together in them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from judgeray.datasets.registry import load
from judgeray.datasets.source import DatasetSource


@dataclass(frozen=True)
class Study:
    """`load` yields what a dataset holds, and a Skip for what was left out; `unit` names what statistics take as
    one: slices never cut it. `inside` counts what is found inside one thing that a dataset holds: units, and those
    of them that people have labelled; `words` are what people call what a dataset counts, `skips` what was left
    out. `may_be_empty` lets a dataset be left out whole, counted, where another has something."""

    name: str
    load: Callable[[DatasetSource], Iterable[Any]]
    unit: Callable[[Any], str]
    words: tuple[str, str] = ("questions", "rows")
    skips: str = "questions"
    may_be_empty: bool = False
    inside: Callable[[Any], tuple[int, int]] = lambda _: (1, 0)


GRID = Study("grid", load, attrgetter("question_id"))
"""Rows of candidate answers, by source question (study 1)."""
