"""Mean score by level of degradation (study 2, Figure 3(a))."""

from __future__ import annotations

import polars as pl

from judgeray.report.figures.figure import Figure, Names, Panel, Spec, chart, record, shown, tip
from judgeray.report.figures.series import IN_CHART, series
from judgeray.report.numbers import fixed

_NUMBERS = ("level", "mean", "mean_low", "mean_high", "questions")


def degradation_figure(name: str, table: pl.DataFrame, names: Names) -> Figure:
    """One panel a dataset and metric, on the metric's own scale, from table `level_means`; colours are judges."""
    known = table.drop_nulls("mean")
    panels = [
        Panel(f"{dataset}: {metric}", _alt(part), _spec(part, names), str(dataset))
        for (dataset, metric), part in sorted(known.partition_by("dataset", "metric", as_dict=True).items())
    ]
    return Figure(
        name,
        "Mean score by level of degradation",
        "A0 says what the reference says; each further level makes more of it wrong. Scores should fall, step by "
        "step. Bands are 95% percentile bootstrap intervals over source questions.",
        tuple(panels),
        colours=IN_CHART,
    )


def _spec(part: pl.DataFrame, names: Names) -> Spec:
    rows = [record(row, ("judge",), _NUMBERS) | {"name": f"A{row['level']}"} for row in part.to_dicts()]
    axis = {"values": sorted(set(part["level"])), "labelExpr": "'A' + datum.value", "grid": False}
    x = {"field": "level", "type": "quantitative", "title": "level", "axis": axis}
    y = {"field": "mean", "type": "quantitative", "title": "mean score", "scale": {"zero": True}}
    look = series("judge", names.judges, set(part["judge"]), lines=True)
    tips = [tip("judge", "judge"), tip("name", "level"), tip("mean", "mean score", ".4f"),
            tip("mean_low", "95% from", ".4f"), tip("mean_high", "95% to", ".4f"),
            tip("questions", "questions", ",")]  # fmt: skip
    return chart(
        rows,
        ("judge",),
        height=240,
        encoding={"x": x, "tooltip": tips},
        layer=[
            {"mark": {"type": "area", "opacity": 0.15},
             "encoding": {"y": {**y, "field": "mean_low"}, "y2": {"field": "mean_high"}, "color": look["color"]}},
            {"mark": {"type": "line", "strokeWidth": 2},
             "encoding": {"y": y, "color": look["color"], "strokeDash": look["strokeDash"]}},
            {"mark": {"type": "point", "filled": True, "size": 50, "opacity": 1},
             "encoding": {"y": y, "color": look["color"], "shape": look["shape"]}},
        ],
    )  # fmt: skip


def _alt(part: pl.DataFrame) -> str:
    """Tell each judge's mean at its first and last level."""
    told = []
    for (judge,), curve in sorted(part.partition_by("judge", as_dict=True).items()):
        first, last = curve.sort("level").rows(named=True)[0], curve.sort("level").rows(named=True)[-1]
        ends = f"{fixed(first['mean'], 4)} at A{first['level']} to {fixed(last['mean'], 4)} at A{last['level']}"
        told.append(f"{shown(judge)} from {ends}")
    return f"Mean score by level: {'; '.join(told)}."
