"""How much each design writes: the spread of output tokens."""

from __future__ import annotations

import polars as pl

from judgeray.report.figures.figure import Figure, Names, Panel, Spec, chart, colours, record, shown, spelled, tip

_NUMBERS = ("rows", "p05", "p25", "p50", "p75", "p95")


def spread_figure(table: pl.DataFrame, names: Names) -> Figure:
    """One panel a dataset, from the table of `spending.output_spread`."""
    panels = []
    for dataset in names.datasets:
        part = table.filter(pl.col("dataset") == dataset)
        if not part.is_empty():
            panels.append(Panel(dataset, _alt(part), _spec(part, names), dataset))
    return Figure(
        "output_tokens",
        "Output tokens a row",
        "The tick is the median, the bar holds the middle half, the line the middle 90% of rows. Output tokens "
        "include reasoning.",
        tuple(panels),
    )


def _spec(part: pl.DataFrame, names: Names) -> Spec:
    rows = [record(row, ("judge", "design"), _NUMBERS) for row in part.to_dicts()]
    tips = [tip("design", "design"), tip("judge", "judge"), tip("p50", "median", ",.1f"),
            tip("p25", "lower quartile", ",.1f"), tip("p75", "upper quartile", ",.1f"),
            tip("p05", "5% below", ",.1f"), tip("p95", "5% above", ",.1f"), tip("rows", "rows", ",")]  # fmt: skip
    return chart(
        rows,
        ("judge", "design"),
        height={"step": 15, "for": "offset"},
        encoding={
            "y": {"field": "judge", "type": "nominal", "title": None, "scale": {"paddingInner": 0.25}},
            "yOffset": {"field": "design", "type": "nominal", "sort": spelled(names.designs)},
            "color": {"field": "design", "type": "nominal", "scale": colours(names.designs), "legend": None},
            "tooltip": tips,
        },
        layer=[
            _span("p05", "p95", {"type": "rule", "strokeWidth": 1.5}),
            _span("p25", "p75", {"type": "bar", "height": 8, "opacity": 0.55}),
            {"mark": {"type": "tick", "thickness": 2.5, "height": 12, "color": "var(--ink)"},
             "encoding": {"x": {"field": "p50", "type": "quantitative"}, "color": {"value": "var(--ink)"}}},
            {"mark": {"type": "text", "align": "left", "dx": 6, "fontSize": 10, "fontWeight": 600},
             "encoding": {"x": {"field": "p95", "type": "quantitative"}, "text": {"field": "design"}}},
        ],
    )  # fmt: skip


def _span(low: str, high: str, mark: Spec) -> Spec:
    x = {"field": low, "type": "quantitative", "title": "output tokens a row", "scale": {"zero": True}}
    return {"mark": mark, "encoding": {"x": x, "x2": {"field": high}}}


def _alt(part: pl.DataFrame) -> str:
    ordered = part.sort("p50", "judge", "design")
    low, high = ordered.row(0, named=True), ordered.row(-1, named=True)
    return (
        f"Median output tokens a row go from {low['p50']:.4g} ({shown(low['design'])}, {shown(low['judge'])}) to "
        f"{high['p50']:.4g} ({shown(high['design'])}, {shown(high['judge'])})."
    )
