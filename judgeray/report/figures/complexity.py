"""Differences between designs by how much a reference holds."""

from __future__ import annotations

from typing import Any

import polars as pl

from judgeray.analysis.arms import design_order
from judgeray.report.figures.classes import shades
from judgeray.report.figures.figure import MINUS, Figure, Names, Panel, Spec, chart, record, shown, tip

STEPS = (-0.2, -0.1, -0.02, 0.02, 0.1, 0.2)
"""Shades of differences; the middle one is next to none."""


def complexity_figure(table: pl.DataFrame, names: Names) -> Figure:
    """One panel a dataset with known complexities."""
    panels = []
    for dataset in names.datasets:
        part = table.filter(pl.col("dataset") == dataset).drop_nulls("delta_accuracy")
        if not part.is_empty():
            panels.append(Panel(dataset, _alt(part), _spec(part), dataset))
    return Figure(
        "complexity",
        "Differences by complexity",
        "Difference in accuracy (first design minus second) for questions with few to many facts in the reference, "
        "under the main condition. Bins are small: read the number of rows in the table before the shade.",
        tuple(panels),
        colours="differences",
    )


def _spec(part: pl.DataFrame) -> Spec:
    ordered = sorted(
        part.to_dicts(), key=lambda row: (design_order(row["a"]), design_order(row["b"]), row["judge"], _edge(row))
    )
    rows = [_row(row) for row in ordered]
    bins = [shown(name) for name in sorted(set(part["bin"]), key=lambda name: _edge({"bin": name}))]
    strong = {"test": f"abs(datum.delta_accuracy) >= {STEPS[5]}", "value": "var(--on-deep)"}
    return chart(
        rows,
        ("judge", "a", "b"),
        height={"step": 20},
        encoding={
            "x": {"field": "bin", "type": "nominal", "sort": bins, "title": "facts in the reference",
                  "axis": {"orient": "top", "labelAngle": 0, "domain": False, "ticks": False}},
            "y": {"field": "line", "type": "nominal", "sort": None, "title": None,
                  "axis": {"domain": False, "ticks": False}},
            "tooltip": [tip("pair", "contrast"), tip("judge", "judge"), tip("bin", "facts in the reference"),
                        tip("delta_accuracy", "difference", "+.4f"), tip("rows", "rows", ",")],
        },
        layer=[
            {"mark": {"type": "rect", "stroke": "var(--paper)", "strokeWidth": 2},
             "encoding": {"color": {"field": "delta_accuracy", "type": "quantitative", "legend": None,
                                    "scale": shades(STEPS, "delta")}}},
            {"mark": {"type": "text", "fontSize": 10.5},
             "encoding": {"text": {"field": "delta_accuracy", "type": "quantitative", "format": "+.2f"},
                          "color": {"condition": strong, "value": "var(--on-pale)"}}},
        ],
    )  # fmt: skip


def _row(row: dict[str, Any]) -> dict[str, Any]:
    texts = record(row, ("judge", "a", "b", "bin"), ("rows", "delta_accuracy"))
    pair = f"{texts['a']} {MINUS} {texts['b']}"
    return {**texts, "pair": pair, "line": f"{pair}  {texts['judge']}"}


def _edge(row: dict[str, Any]) -> int:
    return int(str(row["bin"]).rstrip("+").split("-")[0])


def _alt(part: pl.DataFrame) -> str:
    low, high = float(part["delta_accuracy"].min()), float(part["delta_accuracy"].max())  # type: ignore[arg-type]
    return (
        f"Differences in accuracy between designs by number of facts in the reference, {part['bin'].n_unique()} "
        f"bins, from {low:+.2f} to {high:+.2f}."
    )
