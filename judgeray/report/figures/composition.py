"""What summaries are made of, as people and as judges see it (study 3, Figure 5)."""

from __future__ import annotations

from typing import Any

import polars as pl

from judgeray.report.figures.figure import Figure, Names, Panel, Spec, chart, shown, spelled, tip
from judgeray.report.figures.series import IN_CHART
from judgeray.report.numbers import fixed

_KINDS = ("all_unfaithful", "mixed", "all_faithful")
_TITLES = ("all unfaithful", "mixed", "all faithful")
_COLOURS = ("var(--outcome-2)", "var(--outcome-1)", "var(--outcome-0)")


def composition_figure(name: str, table: pl.DataFrame, names: Names) -> Figure:
    """One panel a dataset, from table `composition`: people, each judge, all judges."""
    size = "sentences" if "sentences" in table.columns else "summaries"
    known = table.filter(pl.col(size) > 0)
    panels = [
        Panel(str(dataset), _alt(part), _spec(part, names, size), str(dataset))
        for (dataset,), part in sorted(known.partition_by("dataset", as_dict=True).items())
    ]
    return Figure(
        name,
        f"What {size} are made of",
        f"Shares of {size} whose parts are all unfaithful, mixed, or all faithful. Only mixed ones tell the mean "
        "from the minimum: where they are few, the comparison has little power.",
        tuple(panels),
        colours=IN_CHART,
    )


def _spec(part: pl.DataFrame, names: Names, size: str) -> Spec:
    rows = [
        {"source": _source(row), "kind": title, "rank": rank, "share": row[f"{kind}_share"],
         "low": row[f"{kind}_share_low"], "high": row[f"{kind}_share_high"], "count": row[kind], "of": row[size]}
        for row in part.to_dicts()
        for rank, (kind, title) in enumerate(zip(_KINDS, _TITLES, strict=True))
    ]  # fmt: skip
    order = ["people", *spelled(names.judges), "all judges"]
    return chart(
        rows,
        (),
        height={"step": 24},
        mark={"type": "bar", "stroke": "var(--paper)", "strokeWidth": 1},
        encoding={
            "y": {"field": "source", "type": "nominal", "title": None, "sort": order},
            "x": {"field": "share", "type": "quantitative", "title": f"share of {size}", "axis": {"format": "%"},
                  "scale": {"domain": [0, 1]}},
            "color": {"field": "kind", "type": "nominal",
                      "scale": {"domain": list(_TITLES), "range": list(_COLOURS)},
                      "legend": {"title": None, "orient": "bottom"}},
            "order": {"field": "rank"},
            "tooltip": [tip("source", "by"), tip("kind", size), tip("share", "share", ".4f"),
                        tip("low", "95% from", ".4f"), tip("high", "95% to", ".4f"), tip("count", "count", ","),
                        tip("of", "of", ",")],
        },
    )  # fmt: skip


def _source(row: dict[str, Any]) -> str:
    """Name who sees it so."""
    if row["source"] != "judge":
        return str(row["source"])
    return shown(row["judge"])


def _alt(part: pl.DataFrame) -> str:
    told = "; ".join(f"{_source(row)} {fixed(row['mixed_share'], 4)}" for row in part.to_dicts())
    return f"Share of mixed ones: {told}."
