"""A diagnostic: the arms it asks for, and the chapter that it adds to the report."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import polars as pl

from judgeray.analysis.grid import Grid, grid_of
from judgeray.report.chapter import Chapter
from judgeray.studies.arm import Arm
from judgeray.studies.cast import Cast
from judgeray.studies.spec import Spec


@dataclass(frozen=True, eq=False)
class StudyLog:
    """What diagnostics read: verdicts as `read_log` gives them, winners of pairs, written texts, label standards.

    `models` and `families` map the names of judges and generators; they are empty for a plain log. `asked` holds
    what the manifest says of each diagnostic by name; the others read what they find.
    """

    verdicts: pl.DataFrame
    pairs: pl.DataFrame | None = None
    texts: pl.DataFrame | None = None
    standards: pl.DataFrame | None = None
    models: Mapping[str, str] = field(default_factory=dict)
    families: Mapping[str, str] = field(default_factory=dict)
    asked: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def grid(self) -> Grid:
        """The verdicts laid out for computing."""
        return grid_of(self.verdicts)


@dataclass(frozen=True)
class Diagnostic:
    """One diagnostic of study 1, or one of the same kind.

    `name` is its key under `diagnostics:` in a manifest, `spec` what stands there. `arms` makes its arms from that
    (the unperturbed ones included, so that they are bought once, whoever needs them). `chapter` computes tables
    and views from a log, or None where the log holds nothing of it.
    """

    name: str
    spec: type[Spec]
    arms: Callable[[str, Any, Cast], Iterable[Arm]]
    chapter: Callable[[StudyLog], Chapter | None]


def no_arms(_where: str, _spec: Any, _cast: Cast) -> Iterable[Arm]:  # noqa: ANN401 -- any diagnostic's own spec
    """Ask for nothing: the diagnostic reads what is there."""
    return ()
