"""Accuracy against its price in tokens and in dollars, with the designs that nothing beats on both."""

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

_PRICES = (("mean_total_tokens", "tokens a row", ",.1f"), ("usd_per_1000_rows", "dollars per 1,000 rows", ",.4f"))


def frontier_figure(accuracy: pl.DataFrame, costs: pl.DataFrame, names: Names) -> Figure:
    """Two panels a dataset, tokens and dollars, where they are known."""
    joined = accuracy.join(costs, on=["dataset", "design", "judge", "condition"], how="left").drop_nulls("accuracy")
    floor = axis_floor(list(joined["accuracy"]))
    panels = []
    for dataset in names.datasets:
        for field, title, form in _PRICES:
            part = joined.filter(pl.col("dataset") == dataset).drop_nulls(field)
            if not part.is_empty():
                spec = _spec(_rows(part, field), title, form, names, floor)
                panels.append(Panel(f"{dataset}: {title}", _alt(part, field, title), spec, dataset))
    return Figure(
        "frontier",
        "What accuracy costs",
        "The line is the frontier: no other arm shown is at least as accurate for less. Tokens of different models "
        "are counted by different tokenisers; dollars compare across judges.",
        tuple(panels),
        paired=True,
    )


def _rows(part: pl.DataFrame, field: str) -> list[dict[str, Any]]:
    texts = ("judge", "design", "condition")
    return [{**record(row, texts, ("accuracy",)), "price": row[field]} for row in part.to_dicts()]


def _spec(rows: list[dict[str, Any]], title: str, form: str, names: Names, floor: float) -> Spec:
    x = {"field": "price", "type": "quantitative", "title": title, "scale": {"zero": False, "nice": True}}
    y = {"field": "accuracy", "type": "quantitative", "title": "accuracy", "scale": {"domain": [floor, 1]}}
    cheaper_first = [{"field": "price"}, {"field": "accuracy", "order": "descending"}]
    frontier = [
        {
            "window": [{"op": "max", "field": "accuracy", "as": "so_far"}],
            "sort": cheaper_first,
            "ignorePeers": True,
        },
        {"window": [{"op": "lag", "field": "so_far", "as": "best"}], "sort": cheaper_first},
        {"filter": "!isValid(datum.best) || datum.accuracy > datum.best"},
    ]
    shape = {"field": "judge", "type": "nominal", "title": None, "scale": {"domain": spelled(names.judges)},
             "legend": {"orient": "bottom", "symbolFillColor": "var(--ink-2)", "symbolStrokeColor": "var(--ink-2)",
                        "columns": 3}}  # fmt: skip
    return chart(
        rows,
        ("judge", "design", "condition"),
        height=230,
        encoding={"x": x, "y": y},
        layer=[
            {"transform": frontier,
             "mark": {"type": "line", "interpolate": "step-after", "color": "var(--ink-2)", "strokeWidth": 1.5,
                      "strokeDash": [4, 3]}},
            {"mark": {"type": "point", "filled": True, "size": 90, "opacity": 0.9},
             "encoding": {
                 "color": {"field": "design", "type": "nominal", "scale": colours(names.designs), "legend": None},
                 "shape": shape,
                 "tooltip": [tip("design", "design"), tip("judge", "judge"), tip("accuracy", "accuracy", ".4f"),
                             tip("price", title, form)]}},
            {"transform": frontier, "mark": {"type": "text", "dy": -11, "fontSize": 10, "fontWeight": 600},
             "encoding": {"text": {"field": "design"},
                          "color": {"field": "design", "type": "nominal", "scale": colours(names.designs),
                                    "legend": None}}},
        ],
    )  # fmt: skip


def _alt(part: pl.DataFrame, field: str, title: str) -> str:
    ordered = part.sort(field, pl.col("accuracy").neg())
    best, names = -1.0, []
    for row in ordered.to_dicts():
        if row["accuracy"] > best:
            best = row["accuracy"]
            names.append(
                f"{shown(row['design'])} with {shown(row['judge'])} ({best:.4f} at {row[field]:.4g} {title})"
            )
    return f"Accuracy against {title}. On the frontier: {'; '.join(names)}."
