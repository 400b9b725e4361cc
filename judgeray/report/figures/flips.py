"""Share of verdicts that a condition changes, against the same rows unchanged (study 1, Table 5)."""

from __future__ import annotations

import polars as pl

from judgeray.report.figures.figure import (
    Figure,
    Names,
    Panel,
    Spec,
    chart,
    colours,
    record,
    shown,
    spelled,
    tip,
)
from judgeray.report.numbers import fixed

_NUMBERS = ("flip_rate", "flip_rate_low", "flip_rate_high", "flips", "rows")


def flip_figure(name: str, table: pl.DataFrame, names: Names) -> Figure:
    """One panel a dataset and judge; all share the axis from 0 to 1."""
    known = table.drop_nulls("flip_rate")
    panels = [
        Panel(f"{dataset}: {judge}", _alt(part), _spec(part, names), str(dataset), str(judge))
        for (dataset, judge), part in sorted(known.partition_by("dataset", "judge", as_dict=True).items())
    ]
    return Figure(
        name, "Share of verdicts that change", "Against the same rows unchanged, with 95% intervals.", tuple(panels)
    )


def _spec(part: pl.DataFrame, names: Names) -> Spec:
    rows = [record(row, ("judge", "design", "condition"), _NUMBERS) for row in part.to_dicts()]
    x = {"field": "flip_rate", "type": "quantitative", "title": "share of verdicts", "scale": {"domain": [0, 1]}}
    return chart(
        rows,
        ("judge", "design"),
        height={"step": 14, "for": "offset"},
        encoding={
            "y": {"field": "condition", "type": "nominal", "title": None, "sort": None,
                  "scale": {"paddingInner": 0.25}},
            "yOffset": {"field": "design", "type": "nominal", "sort": spelled(names.designs)},
            "color": {"field": "design", "type": "nominal", "scale": colours(names.designs), "legend": None},
            "tooltip": [tip("design", "design"), tip("condition", "condition"), tip("flip_rate", "share", ".4f"),
                        tip("flip_rate_low", "95% from", ".4f"), tip("flip_rate_high", "95% to", ".4f"),
                        tip("flips", "changed", ","), tip("rows", "of rows", ",")],
        },
        layer=[
            {"mark": {"type": "rule", "strokeWidth": 2, "opacity": 0.65},
             "encoding": {"x": {**x, "field": "flip_rate_low"}, "x2": {"field": "flip_rate_high"}}},
            {"mark": {"type": "point", "filled": True, "size": 50, "opacity": 1}, "encoding": {"x": x}},
        ],
    )  # fmt: skip


def _alt(part: pl.DataFrame) -> str:
    rates = part.group_by("condition").agg(pl.col("flip_rate").mean()).sort("condition").rows()
    told = "; ".join(f"{shown(name)} {fixed(rate, 4)}" for name, rate in rates)
    return f"Mean share over designs: {told}."
