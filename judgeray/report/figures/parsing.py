"""How verdicts were read, and what could not be read."""

from __future__ import annotations

import polars as pl

from judgeray.core.status import STATUSES
from judgeray.report.figures.figure import Figure, Names, Panel, Spec, chart, shown, spelled, tip

UNTOLD = "branch not recorded"
BRANCHES = ("whole", "embedded", "regex", UNTOLD, *(status for status in STATUSES if status != "ok"))
"""Reading branches from strict to lenient, then the statuses of rows without a verdict."""


def parsing_figure(table: pl.DataFrame, names: Names) -> Figure:
    """One wide panel: a bar an arm, over all datasets."""
    known = table.with_columns(pl.col("parse_branch").fill_null(UNTOLD))
    panel = Panel("All datasets", _alt(known), _spec(known, names), wide=True)
    return Figure(
        "parsing",
        "How verdicts were read",
        "Rows by reading branch: the whole reply was JSON, JSON stood inside other text, or the verdict was stated "
        "in prose. The rest is what gave no verdict, by status.",
        (panel,) if table.height else (),
        colours="branches",
    )


def _spec(table: pl.DataFrame, names: Names) -> Spec:
    rank = {name: number for number, name in enumerate(BRANCHES)}
    rows = [
        {"judge": shown(row["judge"]), "design": shown(row["design"]), "branch": shown(row["parse_branch"]),
         "rank": rank.get(row["parse_branch"], len(BRANCHES)), "rows": row["rows"]}
        for row in table.to_dicts()
    ]  # fmt: skip
    scale = {"domain": list(BRANCHES), "range": [f"var(--branch-{n})" for n in range(len(BRANCHES))]}
    return chart(
        rows,
        ("judge", "design"),
        height={"step": 16, "for": "offset"},
        encoding={
            "y": {"field": "judge", "type": "nominal", "title": None, "scale": {"paddingInner": 0.25}},
            "yOffset": {"field": "design", "type": "nominal", "sort": spelled(names.designs)},
        },
        layer=[
            {"mark": {"type": "bar", "stroke": "var(--paper)", "strokeWidth": 1},
             "encoding": {
                 "x": {"field": "rows", "type": "quantitative", "stack": "normalize", "title": "share of rows",
                       "axis": {"format": "%"}},
                 "color": {"field": "branch", "type": "nominal", "scale": scale, "legend": None},
                 "order": {"field": "rank"},
                 "tooltip": [tip("design", "design"), tip("judge", "judge"), tip("branch", "read as"),
                             tip("rows", "rows", ",")]}},
            {"transform": [{"aggregate": [{"op": "count", "as": "branches"}], "groupby": ["judge", "design"]}],
             "mark": {"type": "text", "align": "left", "dx": 5, "fontSize": 10, "fontWeight": 600},
             "encoding": {"x": {"value": "width"}, "text": {"field": "design"},
                          "color": {"value": "var(--ink-2)"}}},
        ],
    )  # fmt: skip


def _alt(table: pl.DataFrame) -> str:
    counts = dict(table.group_by("parse_branch").agg(pl.col("rows").sum()).rows())
    told = ", ".join(f"{counts[name]:,} {name}" for name in BRANCHES if counts.get(name))
    return f"Rows by how their verdict was read, for each judge and design; in all {told}."
