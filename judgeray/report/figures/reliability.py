"""Stated confidence against how often it is right."""

from __future__ import annotations

import polars as pl

from judgeray.report.figures.figure import Figure, Names, Panel, Spec, chart, colours, record, shown, tip


def reliability_figure(table: pl.DataFrame, names: Names) -> Figure:
    """One panel a dataset and judge that state confidences."""
    panels = []
    for (dataset, judge), part in sorted(table.partition_by("dataset", "judge", as_dict=True).items()):
        panels.append(Panel(f"{dataset}: {judge}", _alt(part), _spec(part, names), str(dataset), str(judge)))
    return Figure(
        "reliability",
        "Stated confidence and accuracy",
        "Each point is a tenth of the scale of stated confidence, its area the number of rows. On the line, a "
        "judge is right as often as it says; below it, it is surer than it should be.",
        tuple(panels),
    )


def _spec(part: pl.DataFrame, names: Names) -> Spec:
    rows = [record(row, ("judge", "design", "bin"), ("rows", "confidence", "accuracy")) for row in part.to_dicts()]
    scale = {"domain": [0, 1]}
    x = {"field": "confidence", "type": "quantitative", "title": "stated confidence", "scale": scale}
    y = {"field": "accuracy", "type": "quantitative", "title": "accuracy", "scale": scale}
    corner: Spec = {"datum": 0, "type": "quantitative"}
    return chart(
        rows,
        ("judge", "design"),
        height=220,
        layer=[
            {"mark": {"type": "rule", "color": "var(--ink-2)", "strokeDash": [3, 3]},
             "encoding": {"x": {**corner, "scale": scale}, "y": corner, "x2": {"datum": 1}, "y2": {"datum": 1}}},
            {"mark": {"type": "line", "strokeWidth": 1, "opacity": 0.5},
             "encoding": {"x": x, "y": y, "color": {"field": "design", "type": "nominal",
                                                    "scale": colours(names.designs), "legend": None}}},
            {"mark": {"type": "point", "filled": True, "opacity": 0.9},
             "encoding": {
                 "x": x, "y": y,
                 "size": {"field": "rows", "type": "quantitative", "legend": None, "scale": {"range": [15, 160]}},
                 "color": {"field": "design", "type": "nominal", "scale": colours(names.designs), "legend": None},
                 "tooltip": [tip("design", "design"), tip("bin", "confidence"), tip("confidence", "mean", ".3f"),
                             tip("accuracy", "accuracy", ".3f"), tip("rows", "rows", ",")]}},
        ],
    )  # fmt: skip


def _alt(part: pl.DataFrame) -> str:
    whole = part.select(
        ((pl.col("confidence") * pl.col("rows")).sum() / pl.col("rows").sum()).alias("confidence"),
        ((pl.col("accuracy") * pl.col("rows")).sum() / pl.col("rows").sum()).alias("accuracy"),
    ).row(0, named=True)
    designs = ", ".join(sorted(set(map(shown, part["design"]))))
    return (
        f"Stated confidence against accuracy for designs {designs}: mean confidence {whole['confidence']:.2f}, "
        f"accuracy {whole['accuracy']:.2f} over the same rows."
    )
