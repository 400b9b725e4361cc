"""The gap between mean and minimum by the share of raters who average (study 3, section 6)."""

from __future__ import annotations

import polars as pl

from judgeray.report.figures.figure import Figure, Names, Panel, Spec, chart, record, tip
from judgeray.report.figures.series import IN_CHART, series
from judgeray.report.numbers import fixed, signed

_NUMBERS = ("fraction", "gap", "simulated_gap", "simulated_error", "pearson_min", "pearson_mean", "eps")
_JUDGES = ("perfect", "measured")


def gap_figure(name: str, table: pl.DataFrame, names: Names) -> Figure:
    """One panel a dataset, from table `gap_simulation`; no name of the report has a part in it."""
    panels = [
        Panel(str(dataset), _alt(part), _spec(part), str(dataset))
        for (dataset,), part in sorted(table.partition_by("dataset", as_dict=True).items())
        if dataset in names.datasets
    ]
    return Figure(
        name,
        "What averaging raters would do to the gap",
        "Pearson's correlation of the mean with the raters' label, minus that of the minimum, when a share of the "
        "raters calls a summary faithful where at least half of its sentences are. Lines are exact, points are "
        "drawn summaries. Perfect: a judge without errors; measured: one with the judges' mean error rate. A gap "
        "near 0 or below does not mean that nobody averages.",
        tuple(panels),
        colours=IN_CHART,
    )


def _spec(part: pl.DataFrame) -> Spec:
    rows = [record(row, ("judge_kind",), _NUMBERS) for row in part.to_dicts()]
    look = series("judge_kind", _JUDGES, set(part["judge_kind"]), lines=True)
    x = {"field": "fraction", "type": "quantitative", "title": "share of raters who average",
         "scale": {"domain": [0, 1]}, "axis": {"format": "%", "grid": False}}  # fmt: skip
    y = {"field": "gap", "type": "quantitative", "title": "mean minus minimum", "scale": {"zero": True}}
    tips = [tip("judge_kind", "judge"), tip("fraction", "who average", ".0%"), tip("gap", "gap", "+.4f"),
            tip("simulated_gap", "drawn", "+.4f"), tip("simulated_error", "standard error", ".4f"),
            tip("pearson_min", "minimum", ".4f"), tip("pearson_mean", "mean", ".4f"),
            tip("eps", "error rate", ".4f")]  # fmt: skip
    return chart(
        rows,
        (),
        height=240,
        encoding={"tooltip": tips},
        layer=[
            {"mark": {"type": "rule", "color": "var(--ink-2)", "strokeDash": [3, 3]},
             "encoding": {"y": {"datum": 0, "type": "quantitative"}, "tooltip": {"value": None}}},
            {"mark": {"type": "line", "strokeWidth": 2},
             "encoding": {"x": x, "y": y, "color": look["color"], "strokeDash": look["strokeDash"]}},
            {"mark": {"type": "point", "filled": True, "size": 45, "opacity": 1},
             "encoding": {"x": x, "y": {**y, "field": "simulated_gap"}, "color": look["color"],
                          "shape": look["shape"]}},
        ],
    )  # fmt: skip


def _alt(part: pl.DataFrame) -> str:
    told = []
    for (kind,), curve in part.partition_by("judge_kind", as_dict=True, maintain_order=True).items():
        points = ", ".join(f"{signed(row['gap'], 3)} at {fixed(row['fraction'], 1)}" for row in curve.to_dicts())
        told.append(f"{kind} judge: {points}")
    return f"Gap by share of raters who average. {'; '.join(told)}."
