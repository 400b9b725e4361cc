"""What a chart of the report is, and the parts that all specifications share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from judgeray.report.text import visible

Spec = dict[str, Any]

SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"
"""Names the language; nothing is fetched from there."""

LONGEST_NAME = 80

MINUS = "\N{MINUS SIGN}"


@dataclass(frozen=True)
class Panel:
    """One chart: of one dataset and judge (None: of all), with the words for those who cannot see it."""

    title: str
    alt: str
    spec: Spec
    dataset: str | None = None
    judge: str | None = None
    wide: bool = False


@dataclass(frozen=True)
class Figure:
    """Panels under one heading; `table` names the table that holds the numbers."""

    name: str
    title: str
    caption: str
    panels: tuple[Panel, ...]
    colours: str = "designs"
    """What colours mean: `designs`, or one of the legends of the page."""
    paired: bool = False
    """Whether panels stand two in a row because they belong together."""


@dataclass(frozen=True)
class Names:
    """All names of a report in their order, so that a colour means the same everywhere."""

    datasets: tuple[str, ...]
    judges: tuple[str, ...]
    designs: tuple[str, ...]
    conditions: tuple[str, ...]


def shown(name: object) -> str:
    """Spell a name from data inside a chart: inert, and short enough for an axis."""
    text = visible(str(name))
    return text if len(text) <= LONGEST_NAME else text[: LONGEST_NAME - 1] + "…"


def spelled(names: Iterable[object]) -> list[str]:
    """Spell several names."""
    return [shown(name) for name in names]


def record(row: Mapping[str, Any], texts: Iterable[str], numbers: Iterable[str]) -> dict[str, Any]:
    """Take columns of a row into a chart: texts spelled, numbers as they are."""
    return {**{name: shown(row[name]) for name in texts}, **{name: row[name] for name in numbers}}


def colour(index: int) -> str:
    """The colour of the design with this index, as the style sheet defines it for light, dark and paper."""
    return f"var(--series-{index % 8})"


def colours(designs: Sequence[str]) -> Spec:
    """A scale that gives each design its colour."""
    return {"domain": spelled(designs), "range": [colour(n) for n in range(len(designs))]}


def chart(rows: Sequence[Mapping[str, Any]], filters: Sequence[str], **parts: Any) -> Spec:  # noqa: ANN401 - JSON
    """Build a specification over `rows`.

    `filters` name fields (judge, design, a, b, condition) that the page's controls restrict: each has a
    parameter `FIELD_shown`, null for all.
    """
    restricted = dict.fromkeys({"a": "design", "b": "design"}.get(name, name) for name in filters)
    tests = [
        {"filter": f"{_parameter(name)} === null || indexof({_parameter(name)}, datum.{name}) >= 0"}
        for name in filters
    ]
    transform = [*tests, *parts.pop("transform", [])]
    return {
        "$schema": SCHEMA,
        "width": "container",
        "params": [{"name": f"{name}_shown", "value": None} for name in restricted],
        "data": {"values": list(rows)},
        "transform": transform,
        **parts,
    }


def _parameter(name: str) -> str:
    return f"{'design' if name in ('a', 'b') else name}_shown"


def tip(field: str, title: str, form: str | None = None) -> Spec:
    """One line of a tooltip."""
    base: Spec = {"field": field, "title": title}
    return {**base, "type": "quantitative", "format": form} if form else {**base, "type": "nominal"}


def axis_floor(values: Sequence[float | None]) -> float:
    """The tenth below the lowest of some shares, so that panels of a figure share one axis."""
    known = [value for value in values if value is not None]
    return max(0.0, int(min(known, default=0.0) * 10 - 1e-9) / 10)
