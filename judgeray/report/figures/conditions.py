"""Accuracy under each condition, where several were run."""

from __future__ import annotations

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

_NUMBERS = ("accuracy", "accuracy_low", "accuracy_high", "rows")


def condition_figure(table: pl.DataFrame, names: Names) -> Figure:
    """One panel a dataset and judge; none with a single condition."""
    known = table.drop_nulls("accuracy")
    floor = axis_floor([*known["accuracy_low"], *known["accuracy"]])
    panels = []
    for (dataset, judge), part in sorted(known.partition_by("dataset", "judge", as_dict=True).items()):
        if part["condition"].n_unique() > 1:
            panels.append(
                Panel(f"{dataset}: {judge}", _alt(part), _spec(part, names, floor), str(dataset), str(judge))
            )
    return Figure(
        "conditions",
        "Accuracy by condition",
        "The same rows under changed references, candidates or orders, with 95% intervals.",
        tuple(panels),
    )


def _spec(part: pl.DataFrame, names: Names, floor: float) -> Spec:
    rows = [record(row, ("judge", "design", "condition"), _NUMBERS) for row in part.to_dicts()]
    scale = {"domain": [floor, 1], "nice": False}
    x = {"field": "accuracy", "type": "quantitative", "title": "accuracy", "scale": scale}
    return chart(
        rows,
        ("judge", "design"),
        height={"step": 14, "for": "offset"},
        encoding={
            "y": {"field": "condition", "type": "nominal", "title": None, "sort": spelled(names.conditions),
                  "scale": {"paddingInner": 0.25}},
            "yOffset": {"field": "design", "type": "nominal", "sort": spelled(names.designs)},
            "color": {"field": "design", "type": "nominal", "scale": colours(names.designs), "legend": None},
            "tooltip": [tip("design", "design"), tip("condition", "condition"), tip("accuracy", "accuracy", ".4f"),
                        tip("accuracy_low", "95% from", ".4f"), tip("accuracy_high", "95% to", ".4f"),
                        tip("rows", "rows", ",")],
        },
        layer=[
            {"mark": {"type": "rule", "strokeWidth": 2, "opacity": 0.65},
             "encoding": {"x": {**x, "field": "accuracy_low"}, "x2": {"field": "accuracy_high"}}},
            {"mark": {"type": "point", "filled": True, "size": 50, "opacity": 1}, "encoding": {"x": x}},
        ],
    )  # fmt: skip


def _alt(part: pl.DataFrame) -> str:
    means = part.group_by("condition").agg(pl.col("accuracy").mean()).sort("condition").rows()
    return (
        "Mean accuracy over designs: " + "; ".join(f"{shown(name)} {fixed(mean, 4)}" for name, mean in means) + "."
    )
