"""The heat map: accuracy within each label, for accuracy alone hides a class."""

from __future__ import annotations

import polars as pl

from judgeray.report.figures.figure import Figure, Names, Panel, Spec, chart, record, spelled, tip
from judgeray.report.numbers import fixed

STEPS = (0.3, 0.5, 0.7, 0.8, 0.9, 0.95)
"""Where one shade ends and the next begins."""


def class_figure(table: pl.DataFrame, names: Names) -> Figure:
    """One panel a dataset and label."""
    panels = []
    for dataset in names.datasets:
        known = table.filter(pl.col("dataset") == dataset).drop_nulls("accuracy")
        for label in sorted(set(known["label"])):
            part = known.filter(pl.col("label") == label)
            panels.append(Panel(f"{dataset}: {label}", _alt(part), _spec(part, names), dataset))
    return Figure(
        "classes",
        "Accuracy within each label",
        "Judges down, designs across. A design that looks good overall may fail on one class of answers.",
        tuple(panels),
        colours="shares",
        paired=True,
    )


def shades(steps: tuple[float, ...], name: str) -> Spec:
    """A scale of as many shades as there are parts between steps."""
    return {
        "type": "threshold",
        "domain": list(steps),
        "range": [f"var(--{name}-{n})" for n in range(len(steps) + 1)],
    }


def _spec(part: pl.DataFrame, names: Names) -> Spec:
    numbers = ("accuracy", "accuracy_low", "accuracy_high", "rows")
    rows = [record(row, ("judge", "design", "condition"), numbers) for row in part.to_dicts()]
    order = spelled(names.designs)
    dark_text = {"test": f"datum.accuracy < {STEPS[4]}", "value": "var(--on-pale)"}
    return chart(
        rows,
        ("judge", "design", "condition"),
        height={"step": 28},
        encoding={
            "x": {"field": "design", "type": "nominal", "sort": order, "title": None,
                  "axis": {"orient": "top", "labelAngle": 0, "domain": False, "ticks": False}},
            "y": {"field": "judge", "type": "nominal", "title": None, "axis": {"domain": False, "ticks": False}},
            "tooltip": [tip("design", "design"), tip("judge", "judge"), tip("accuracy", "accuracy", ".4f"),
                        tip("accuracy_low", "95% from", ".4f"), tip("accuracy_high", "95% to", ".4f"),
                        tip("rows", "rows", ",")],
        },
        layer=[
            {"mark": {"type": "rect", "stroke": "var(--paper)", "strokeWidth": 2},
             "encoding": {"color": {"field": "accuracy", "type": "quantitative", "legend": None,
                                    "scale": shades(STEPS, "share")}}},
            {"mark": {"type": "text", "fontSize": 12},
             "encoding": {"text": {"field": "accuracy", "type": "quantitative", "format": ".2f"},
                          "color": {"condition": dark_text, "value": "var(--on-deep)"}}},
        ],
    )  # fmt: skip


def _alt(part: pl.DataFrame) -> str:
    low, high = fixed(float(part["accuracy"].min()), 2), fixed(float(part["accuracy"].max()), 2)  # type: ignore[arg-type]
    return f"Accuracy of each design under each judge on rows with this label, from {low} to {high}."
