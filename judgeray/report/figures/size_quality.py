"""How closely a metric follows degradation, against the size of its model (study 2, Figure 3(b))."""

from __future__ import annotations

import polars as pl

from judgeray.report.figures.figure import Figure, Names, Panel, Spec, chart, record, shown, tip
from judgeray.report.figures.series import IN_CHART, series
from judgeray.report.numbers import fixed

_MEASURES = (("pearson", "Pearson's correlation"), ("kendall", "Kendall's tau-b"))


def size_quality_figure(name: str, table: pl.DataFrame, names: Names) -> Figure:
    """Two panels a dataset, from table `size_quality`; colours are metrics, and models of no known size are out."""
    metrics = table["metric"].unique().sort().to_list()
    panels = []
    for dataset in names.datasets:
        for measure, title in _MEASURES:
            known = table.filter(pl.col("dataset") == dataset).drop_nulls(["size_billions", measure])
            if not known.is_empty():
                spec = _spec(known, measure, title, metrics)
                panels.append(Panel(f"{dataset}: {title}", _alt(known, measure, title), spec, dataset))
    return Figure(
        name,
        "Size of the model and how closely scores follow degradation",
        "Each point is a metric with one judge; lower is better, and -1 is a perfect order. Bars are 95% "
        "percentile bootstrap intervals over source questions. Models whose names tell no size are not shown.",
        tuple(panels),
        colours=IN_CHART,
        paired=True,
    )


def _spec(part: pl.DataFrame, measure: str, title: str, metrics: list[str]) -> Spec:
    ends = measure, f"{measure}_low", f"{measure}_high"
    rows = [record(row, ("metric", "judge"), ("size_billions", *ends)) for row in part.to_dicts()]
    x = {"field": "size_billions", "type": "quantitative", "title": "billions of parameters",
         "scale": {"type": "log"}, "axis": {"grid": False, "format": "~g"}}  # fmt: skip
    y = {"field": measure, "type": "quantitative", "title": title, "scale": {"zero": False}}
    look = series("metric", metrics, set(part["metric"]), lines=False)
    tips = [tip("metric", "metric"), tip("judge", "judge"), tip("size_billions", "billions of parameters", ",.4~g"),
            tip(measure, title, ".4f"), tip(ends[1], "95% from", ".4f"), tip(ends[2], "95% to", ".4f")]  # fmt: skip
    return chart(
        rows,
        ("judge",),
        height=240,
        encoding={"x": x, "tooltip": tips},
        layer=[
            {"mark": {"type": "rule", "strokeWidth": 2, "opacity": 0.65},
             "encoding": {"y": {**y, "field": ends[1]}, "y2": {"field": ends[2]}, "color": look["color"]}},
            {"mark": {"type": "point", "filled": True, "size": 80, "opacity": 1},
             "encoding": {"y": y, **look}},
            {"mark": {"type": "text", "align": "left", "dx": 7, "fontSize": 10},
             "encoding": {"y": y, "text": {"field": "judge"}}},
        ],
    )  # fmt: skip


def _alt(part: pl.DataFrame, measure: str, title: str) -> str:
    told = [
        f"{shown(row['metric'])} with {shown(row['judge'])} {fixed(row[measure], 4)}"
        for row in part.sort("size_billions", "metric", "judge").to_dicts()
    ]
    return f"{title} from the smallest model to the largest: {'; '.join(told)}."
