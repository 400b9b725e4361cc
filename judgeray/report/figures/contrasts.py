"""The forest plot: every design against every other, with intervals and what the tests say."""

from __future__ import annotations

from typing import Any

import polars as pl

from judgeray.analysis.arms import design_order
from judgeray.report.figures.figure import MINUS, Figure, Names, Panel, Spec, chart, record, tip

ALPHA = 0.05

OUTCOMES = ("holds after Holm", "p < 0.05 before adjustment only", "not told apart")
"""What the sign test says of a contrast; each has its colour and its shape."""

_NUMBERS = ("questions", "delta_accuracy", "delta_accuracy_low", "delta_accuracy_high", "p_sign", "p_holm")


def contrast_figure(table: pl.DataFrame, names: Names) -> Figure:
    """One panel a dataset."""
    panels = []
    for dataset in names.datasets:
        part = table.filter(pl.col("dataset") == dataset).drop_nulls("delta_accuracy")
        if not part.is_empty():
            rows = [_row(row) for row in sorted(part.to_dicts(), key=_order)]
            panels.append(Panel(dataset, _alt(rows), _spec(rows), dataset))
    return Figure(
        "contrasts",
        "Contrasts: how much more accurate is one design than another?",
        "Differences in accuracy (first design minus second) on the same rows, with 95% intervals from resampled "
        "source questions. Right of zero the first design is better. Colours and shapes follow the exact sign "
        "test, whose p is adjusted by Holm over all contrasts of this report.",
        tuple(panels),
        colours="outcomes",
    )


def outcome(row: dict[str, Any]) -> str:
    """Say what the sign test makes of a contrast."""
    if row["p_holm"] is not None and row["p_holm"] < ALPHA:
        return OUTCOMES[0]
    return OUTCOMES[1] if row["p_sign"] is not None and row["p_sign"] < ALPHA else OUTCOMES[2]


def _row(row: dict[str, Any]) -> dict[str, Any]:
    texts = record(row, ("judge", "condition", "a", "b"), _NUMBERS)
    return {
        **texts,
        "pair": f"{texts['a']} {MINUS} {texts['b']}",
        "wins": f"{row['wins_a']} : {row['wins_b']} ({row['ties']} ties)",
        "outcome": outcome(row),
    }


def _order(row: dict[str, Any]) -> tuple[Any, ...]:
    return design_order(row["a"]), design_order(row["b"]), row["judge"]


def _spec(rows: list[dict[str, Any]]) -> Spec:
    scale = {"domain": list(OUTCOMES), "range": [f"var(--outcome-{n})" for n in range(len(OUTCOMES))]}
    shapes = {"domain": list(OUTCOMES), "range": ["circle", "diamond", "square"]}
    title = "difference in accuracy"
    tips = [
        tip("pair", "contrast"), tip("judge", "judge"), tip("delta_accuracy", "difference", "+.4f"),
        tip("delta_accuracy_low", "95% from", "+.4f"), tip("delta_accuracy_high", "95% to", "+.4f"),
        tip("questions", "questions", ","), tip("wins", "questions won"), tip("p_sign", "p", ".3~g"),
        tip("p_holm", "p Holm", ".3~g"), tip("outcome", "sign test"),
    ]  # fmt: skip
    return chart(
        rows,
        ("judge", "condition", "a", "b"),
        height={"step": 15, "for": "offset"},
        encoding={
            "y": {"field": "pair", "type": "nominal", "title": None, "sort": None, "scale": {"paddingInner": 0.3}},
            "yOffset": {"field": "judge", "type": "nominal"},
            "color": {"field": "outcome", "type": "nominal", "scale": scale, "legend": None},
            "tooltip": tips,
        },
        layer=[
            {"mark": {"type": "rule", "color": "var(--ink-2)", "strokeDash": [3, 3], "tooltip": None},
             "encoding": {"x": {"datum": 0}, "y": None, "yOffset": None, "color": None, "tooltip": None}},
            {"mark": {"type": "rule", "strokeWidth": 2},
             "encoding": {"x": {"field": "delta_accuracy_low", "type": "quantitative", "title": title},
                          "x2": {"field": "delta_accuracy_high"}}},
            {"mark": {"type": "point", "filled": True, "size": 50, "opacity": 1},
             "encoding": {"x": {"field": "delta_accuracy", "type": "quantitative"},
                          "shape": {"field": "outcome", "type": "nominal", "legend": None,
                                    "scale": shapes}}},
            {"mark": {"type": "text", "align": "left", "dx": 6, "fontSize": 10},
             "encoding": {"x": {"value": "width"}, "text": {"field": "judge"},
                          "color": {"value": "var(--ink-2)"}}},
        ],
    )  # fmt: skip


def _alt(rows: list[dict[str, Any]]) -> str:
    counts = [sum(row["outcome"] == name for row in rows) for name in OUTCOMES]
    return (
        f"{len(rows)} contrasts with intervals: {counts[0]} hold after Holm's adjustment, {counts[1]} have p below "
        f"0.05 before it only, {counts[2]} do not tell the designs apart."
    )
