"""Accuracy with its interval: judges down, designs beside each other."""

from __future__ import annotations

from typing import Any

import polars as pl

from judgeray.report.figures.figure import (
    Figure,
    Names,
    Panel,
    Spec,
    axis_floor,
    chart,
    colours,
    record,
    shown,
    spelled,
    tip,
)
from judgeray.report.numbers import fixed

_TEXTS = ("judge", "design", "condition")
_NUMBERS = ("accuracy", "accuracy_low", "accuracy_high", "rows", "questions")


def accuracy_figure(table: pl.DataFrame, names: Names) -> Figure:
    """One panel a dataset."""
    floor = axis_floor([*table["accuracy_low"], *table["accuracy"]])
    panels = []
    for dataset in names.datasets:
        part = table.filter(pl.col("dataset") == dataset).drop_nulls("accuracy")
        if not part.is_empty():
            panels.append(Panel(dataset, _alt(part), _spec(part, names, floor), dataset))
    return Figure(
        "accuracy",
        "Accuracy with 95% intervals",
        "Share of settled rows whose verdict is the label. Bars are 95% percentile bootstrap intervals over "
        "source questions. Intervals of two designs may overlap while the designs differ: the contrasts below "
        "are paired, these are not.",
        tuple(panels),
    )


def _spec(part: pl.DataFrame, names: Names, floor: float) -> Spec:
    rows = [record(row, _TEXTS, _NUMBERS) for row in part.to_dicts()]
    order = spelled(names.designs)
    x: Spec = {"field": "accuracy", "type": "quantitative", "title": "accuracy"}
    scale = {"domain": [floor, 1], "nice": False}
    tips = [
        tip("design", "design"), tip("judge", "judge"), tip("accuracy", "accuracy", ".4f"),
        tip("accuracy_low", "95% from", ".4f"), tip("accuracy_high", "95% to", ".4f"),
        tip("rows", "rows", ","), tip("questions", "questions", ","),
    ]  # fmt: skip
    return chart(
        rows,
        ("judge", "design", "condition"),
        height={"step": 15, "for": "offset"},
        encoding={
            "y": {"field": "judge", "type": "nominal", "title": None, "scale": {"paddingInner": 0.25}},
            "yOffset": {"field": "design", "type": "nominal", "sort": order},
            "color": {"field": "design", "type": "nominal", "scale": colours(names.designs), "legend": None},
            "tooltip": tips,
        },
        layer=[
            {
                "mark": {"type": "rule", "strokeWidth": 2, "opacity": 0.65},
                "encoding": {
                    "x": {"field": "accuracy_low", "type": "quantitative", "scale": scale, "title": "accuracy"},
                    "x2": {"field": "accuracy_high"},
                },
            },
            {"mark": {"type": "point", "filled": True, "size": 55, "opacity": 1}, "encoding": {"x": x}},
            {
                "mark": {"type": "text", "align": "right", "dx": -8, "fontSize": 10, "fontWeight": 600},
                "encoding": {
                    "x": {"field": "left", "type": "quantitative"},
                    "text": {"field": "design"},
                },
                "transform": [{"calculate": "isValid(datum.accuracy_low) ? datum.accuracy_low : datum.accuracy",
                               "as": "left"}],
            },
        ],
    )  # fmt: skip


def _alt(part: pl.DataFrame) -> str:
    ordered = part.sort("accuracy", "judge", "design")
    low, high = ordered.row(0, named=True), ordered.row(-1, named=True)
    return (
        f"Accuracy of {part['design'].n_unique()} designs under {part['judge'].n_unique()} judges, from "
        f"{_named(low)} to {_named(high)}."
    )


def _named(row: dict[str, Any]) -> str:
    return f"{fixed(row['accuracy'], 4)} ({shown(row['design'])}, {shown(row['judge'])})"
