"""Each judge's error rate against the threshold below which it can tell averaging raters (study 3, Figure 3)."""

from __future__ import annotations

from typing import Any

import polars as pl

from judgeray.report.figures.figure import Figure, Names, Panel, Spec, chart, record, shown, spelled, tip
from judgeray.report.figures.series import IN_CHART
from judgeray.report.numbers import fixed

_NUMBERS = ("eps", "eps_low", "eps_high", "compared")
_STATES = ("below the threshold", "not below it", "without interval")
_GUESSING = 0.5


def error_threshold_figure(name: str, table: pl.DataFrame, names: Names) -> Figure:
    """One panel a dataset, from table `diagnostic`; datasets without annotations have none."""
    known = table.drop_nulls(["eps", "unconditional"])
    end = max([_GUESSING, *known["eps"], *known["eps_high"].drop_nulls()])
    panels = [
        Panel(str(dataset), _alt(part), _spec(part, names, end), str(dataset))
        for (dataset,), part in sorted(known.partition_by("dataset", as_dict=True).items())
    ]
    return Figure(
        name,
        "Judges' error rates and the threshold",
        "Share of annotated sentences on which a judge disagrees with the annotator, with 95% intervals over "
        "documents. The dashed line is the threshold; where there is none it stands at one half, where guessing "
        "begins. A judge whose interval reaches it cannot tell averaging raters from its own mistakes.",
        tuple(panels),
        colours=IN_CHART,
    )


def _spec(part: pl.DataFrame, names: Names, end: float) -> Spec:
    rows = [record(row, ("judge",), _NUMBERS) | {"state": _state(row)} for row in part.to_dicts()]
    x = {"field": "eps", "type": "quantitative", "title": "error rate",
         "scale": {"domain": [0, end], "nice": False}}  # fmt: skip
    colours = {"domain": list(_STATES), "range": ["var(--series-0)", "var(--series-1)", "var(--series-7)"]}
    limit = {"datum": _limit(part), "type": "quantitative"}
    return chart(
        rows,
        ("judge",),
        height={"step": 26},
        encoding={
            "y": {"field": "judge", "type": "nominal", "title": None, "sort": spelled(names.judges)},
            "color": {"field": "state", "type": "nominal", "scale": colours,
                      "legend": {"title": None, "orient": "bottom"}},
            "tooltip": [tip("judge", "judge"), tip("eps", "error rate", ".4f"), tip("eps_low", "95% from", ".4f"),
                        tip("eps_high", "95% to", ".4f"), tip("compared", "sentences", ",")],
        },
        layer=[
            {"mark": {"type": "rule", "color": "var(--ink)", "strokeDash": [5, 3], "strokeWidth": 1.5},
             "encoding": {"x": limit, "y": {"value": 0}, "y2": {"value": "height"},
                          "color": {"value": "var(--ink)"}}},
            {"mark": {"type": "rule", "strokeWidth": 2, "opacity": 0.65},
             "encoding": {"x": {**x, "field": "eps_low"}, "x2": {"field": "eps_high"}}},
            {"mark": {"type": "point", "filled": True, "size": 60, "opacity": 1}, "encoding": {"x": x}},
        ],
    )  # fmt: skip


def _state(row: dict[str, Any]) -> str:
    return _STATES[2] if row["valid"] is None else _STATES[0 if row["valid"] else 1]


def _limit(part: pl.DataFrame) -> float:
    row = part.row(0, named=True)
    return _GUESSING if row["unconditional"] else float(row["epsilon_0"])


def _alt(part: pl.DataFrame) -> str:
    first = part.row(0, named=True)
    limit = "none below one half" if first["unconditional"] else fixed(first["epsilon_0"], 4)
    told = "; ".join(
        f"{shown(row['judge'])} {fixed(row['eps'], 4)}, {_state(row)}" for row in part.sort("judge").to_dicts()
    )
    return f"Threshold: {limit}. Error rates: {told}."
