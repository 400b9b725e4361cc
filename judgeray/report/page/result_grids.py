"""The tables of a page: those of the analysis with readable columns, winners, costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import polars as pl

from judgeray.analysis.arms import design_order
from judgeray.core.status import STATUSES
from judgeray.report.extras import Extras
from judgeray.report.page.grids import Cell, Column, Grid, Line, Places, cell, grid
from judgeray.report.text import visible
from judgeray.report.winners import Rival, Winner, winners

PLACED = {"accuracy", "class_accuracy", "contrasts", "complexity", "parsing", "tokens"}
"""Tables of the analysis that have a place of their own on the page; all others follow after them."""

_ARM = (Column("dataset", "dataset"), Column("judge", "judge"), Column("design", "design"))
_CONDITION = Column("condition", "condition")
_SHARE = (
    Column("accuracy", "accuracy", 4), Column("accuracy_low", "95% from", 4), Column("accuracy_high", "95% to", 4),
)  # fmt: skip
_SIZE = (Column("rows", "rows", 0), Column("questions", "questions", 0))

COLUMNS: dict[str, tuple[Column, ...]] = {
    "accuracy": (*_ARM, _CONDITION, *_SHARE, *_SIZE, Column("mean_total_tokens", "tokens a row", 2)),
    "class_accuracy": (*_ARM, _CONDITION, Column("label", "label"), *_SHARE, *_SIZE),
    "contrasts": (
        Column("dataset", "dataset"), Column("judge", "judge"), _CONDITION, Column("a", "design"),
        Column("b", "minus"), Column("questions", "questions", 0),
        Column("delta_accuracy", "Δ accuracy", 4, "signed"), Column("delta_accuracy_low", "95% from", 4, "signed"),
        Column("delta_accuracy_high", "95% to", 4, "signed"),
        Column("delta_tokens", "Δ tokens", 2, "signed"), Column("wins_a", "won", 0), Column("wins_b", "lost", 0),
        Column("ties", "ties", 0), Column("p_sign", "p", 4, "p"), Column("p_holm", "p Holm", 4, "p"),
        Column("p_bh", "p BH", 4, "p"), Column("stability", "stability", 3),
    ),
    "complexity": (
        Column("dataset", "dataset"), Column("judge", "judge"), Column("a", "design"), Column("b", "minus"),
        Column("bin", "facts"), Column("rows", "rows", 0), Column("delta_accuracy", "Δ accuracy", 4, "signed"),
    ),
    "parsing": (
        Column("judge", "judge"), Column("design", "design"), Column("parse_branch", "branch or status"),
        Column("rows", "rows", 0),
    ),
    "tokens": (
        *_ARM, Column("kind", "kind"), Column("n", "rows", 0), Column("mean", "mean", 2),
        Column("p25", "25%", 2), Column("p50", "median", 2), Column("p75", "75%", 2),
    ),
    "output_tokens": (
        *_ARM, Column("rows", "rows", 0), Column("p05", "5%", 1), Column("p25", "25%", 1),
        Column("p50", "median", 1),
        Column("p75", "75%", 1), Column("p95", "95%", 1),
    ),
    "reliability": (
        *_ARM, Column("bin", "stated confidence"), Column("rows", "rows", 0), Column("confidence", "mean", 4),
        Column("accuracy", "accuracy", 4),
    ),
    "costs": (
        *_ARM, _CONDITION, Column("priced_rows", "rows with a known cost", 0), Column("cost_usd", "USD", 4),
        Column("usd_per_1000_rows", "USD / 1,000 rows", 4),
    ),
    "statuses": (*_ARM, _CONDITION, Column("rows", "rows", 0), *(Column(name, name, 0) for name in STATUSES)),
}  # fmt: skip

TITLES = {
    "accuracy": "Accuracy", "class_accuracy": "Accuracy by label", "contrasts": "Contrasts",
    "complexity": "Accuracy difference by complexity", "parsing": "Rows by parse branch or status",
    "tokens": "Tokens by kind", "output_tokens": "Output tokens a row", "costs": "Cost by cell",
    "reliability": "Stated confidence and accuracy",
    "statuses": "Cells with rows without a verdict", "winners": "Winners", "frontier": "Accuracy and price",
}  # fmt: skip


def result_grids(
    tables: Mapping[str, pl.DataFrame], extras: Extras, places: Places, several_conditions: bool
) -> dict[str, Grid]:
    """Lay out every table that has a place on the page, by name."""
    lacking = tables["accuracy"].filter(pl.col("ok") < pl.col("rows"))
    known = {
        **tables,
        "costs": extras.costs,
        "output_tokens": extras.spread,
        "reliability": extras.reliability,
        "statuses": lacking,
    }
    grids = {name: _placed(name, known[name], places, several_conditions) for name in COLUMNS if name in known}
    found = winners(tables["accuracy"], tables["contrasts"])
    grids["winners"] = _winners(found, extras.costs, places, several_conditions)
    joined = tables["accuracy"].join(extras.costs, on=["dataset", "design", "judge", "condition"], how="left")
    columns = (*COLUMNS["accuracy"], Column("usd_per_1000_rows", "USD / 1,000 rows", 4))
    grids["frontier"] = _laid("frontier", joined, columns, places, several_conditions)
    grids["classes"] = grids["class_accuracy"]
    return grids


def further_grids(tables: Mapping[str, pl.DataFrame], places: Places) -> list[Grid]:
    """Lay out all other tables, whatever their columns are."""
    names = [name for name in tables if name not in PLACED]
    return [grid(f"table-{n}", _titled(name), tables[name], places) for n, name in enumerate(names)]


def _titled(name: str) -> str:
    return visible(name.replace("_", " ")).capitalize()


def _placed(name: str, table: pl.DataFrame, places: Places, several: bool) -> Grid:
    return _laid(name, table, COLUMNS[name], places, several)


def _laid(name: str, table: pl.DataFrame, columns: Sequence[Column], places: Places, several: bool) -> Grid:
    there = [column for column in columns if column.name in table.columns and (several or column != _CONDITION)]
    return grid(name, TITLES[name], _ordered(table), places, there)


def _ordered(table: pl.DataFrame) -> pl.DataFrame:
    """Let designs stand as study 1 lists them, dataset by dataset and judge by judge; all else stays."""
    keys = [name for name in ("dataset", "condition", "judge") if name in table.columns]
    designs = [name for name in ("design", "a", "b") if name in table.columns]
    known = sorted({str(design) for name in designs for design in table[name]}, key=design_order)
    ranks = [pl.col(name).replace_strict(known, list(range(len(known))), return_dtype=pl.Int64) for name in designs]
    return table.sort(*keys, *ranks, maintain_order=True) if known else table


_PRICE = (Column("tokens", "tokens a row", 2), Column("usd", "USD / 1,000 rows", 4))
_WINNER = (
    Column("best", "best design"), *_SHARE, *_PRICE, Column("apart", "told apart from"),
    Column("near", "not told apart from"), Column("thrifty", "fewest tokens of those"),
)  # fmt: skip


def _winners(found: Sequence[Winner], costs: pl.DataFrame, places: Places, several: bool) -> Grid:
    prices = {
        (row["dataset"], row["judge"], row["condition"], row["design"]): row["usd_per_1000_rows"]
        for row in costs.to_dicts()
    }
    place = (Column("dataset", "dataset"), Column("judge", "judge"), *((_CONDITION,) if several else ()))
    lines = []
    for winner in found:
        where = {"dataset": winner.dataset, "judge": winner.judge, "condition": winner.condition}
        usd = prices.get((winner.dataset, winner.judge, winner.condition, winner.cell["design"]))
        values = {**where, **winner.cell, "tokens": winner.cell["mean_total_tokens"], "usd": usd}
        cells = [
            *(cell(values[column.name], column) for column in place),
            Cell(" = ".join(map(visible, winner.best))),
            *(cell(values[column.name], column) for column in (*_SHARE, *_PRICE)),
            *_rivals(winner),
        ]
        lines.append(Line(tuple(cells), places.of(where)))
    return Grid("winners", TITLES["winners"], (*place, *_WINNER), tuple(lines))


def _rivals(winner: Winner) -> list[Cell]:
    """Spell who is told apart, who is not, and who is cheapest of those."""
    apart = [rival for rival in winner.rivals if rival.told_apart]
    near = [rival for rival in winner.rivals if not rival.told_apart]
    return [
        Cell(", ".join(map(_rival, apart)) or "none"),
        Cell(", ".join(map(_rival, near)) or "none"),
        Cell(visible(winner.thrifty) if winner.thrifty else "not known"),
    ]


def _rival(rival: Rival) -> str:
    delta = "" if rival.delta is None else f" by {rival.delta:.3f}"
    return visible(rival.design) + delta
