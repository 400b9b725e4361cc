"""Which verdict rows are worth reading: failures, and rows on which designs disagree."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from judgeray.analysis.arms import CELL, design_order
from judgeray.core.status import UNSETTLED
from judgeray.report.evidence import CaseKey

CASES_PER_CELL = 5
"""Rows of a cell that a report shows."""

MOST_CASES = 1_500
"""Rows that a report shows in all; with more cells than that allows, each shows fewer."""

KINDS = (
    "not answered",
    "not read",
    "wrong where another design is right",
    "right where another design is wrong",
    "wrong under every design",
)
"""Kinds of cases, in the order shown."""

_ROW = ("dataset", "judge", "condition", "row_id", "replicate")
_IDENTITY = ("dataset", "row_id", "design", "judge", "condition", "replicate")
_SHOWN = ("question_id", "label", "status", "verdict", "parse_branch", "error")


@dataclass(frozen=True)
class Case:
    """One verdict row to read; `tokens` are (kind, count) pairs that are known."""

    key: CaseKey
    kind: str
    question_id: str
    label: str
    status: str
    verdict: str | None
    parse_branch: str | None
    error: str | None
    tokens: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class CellCases:
    """The cases of one cell: `counts` of all by kind, and those shown."""

    dataset: str
    design: str
    judge: str
    condition: str
    counts: tuple[tuple[str, int], ...]
    cases: tuple[Case, ...]

    @property
    def total(self) -> int:
        """All cases of the cell, shown or not."""
        return sum(count for _, count in self.counts)


def find_cases(log: pl.DataFrame, per_cell: int = CASES_PER_CELL, most: int = MOST_CASES) -> list[CellCases]:
    """List the cells of a log that have cases, sorted; each shows up to `per_cell`, from every kind in turn.

    A row is compared with the same row (and replicate) under the judge's other designs.
    """
    marked = _marked(log)
    cells = marked.select(CELL).n_unique()
    allowed = max(1, min(per_cell, most // max(cells, 1)))
    shown = marked.filter(pl.col("turn") < allowed)
    counts = marked.group_by(*CELL, "kind").len().rows()
    found: dict[tuple[str, ...], dict[str, int]] = {}
    for *cell, kind, count in counts:
        found.setdefault(tuple(cell), {})[kind] = count
    cases: dict[tuple[str, ...], list[Case]] = {}
    for row in shown.sort(*CELL, "kind_order", "question_id", "row_id", "replicate").to_dicts():
        cases.setdefault(tuple(row[name] for name in CELL), []).append(_case(row))
    ordered = sorted(found, key=lambda cell: (cell[0], cell[2], design_order(cell[1]), cell[3]))
    return [_cell(cell, found[cell], cases.get(cell, [])) for cell in ordered]


def _marked(log: pl.DataFrame) -> pl.DataFrame:
    """Keep the rows that are cases, with their kind and the `turn` in which each is shown."""
    settled = ~pl.col("status").is_in(UNSETTLED)
    correct = (pl.col("verdict") == pl.col("label")).fill_null(value=False)
    right, wrong = (settled & correct).any().over(_ROW), (settled & ~correct).any().over(_ROW)
    number = (
        pl.when(~settled).then(0)
        .when(pl.col("status") != "ok").then(1)
        .when(~correct & right).then(2)
        .when(correct & wrong).then(3)
        .when(~correct).then(4)
    )  # fmt: skip
    order = ("kind_order", "question_id", "row_id", "replicate")
    columns = [name for name in log.columns if name in {*_IDENTITY, *_SHOWN} or name.endswith("_tokens")]
    cases = log.select(*columns, number.alias("kind_order")).drop_nulls("kind_order").sort(*CELL, *order)
    names = pl.col("kind_order").replace_strict(list(range(len(KINDS))), list(KINDS), return_dtype=pl.String)
    within = pl.int_range(pl.len()).over(*CELL, "kind_order")
    ranked = cases.with_columns(names.alias("kind"), within.alias("within")).sort(*CELL, "within", "kind_order")
    return ranked.with_columns(pl.int_range(pl.len()).over(CELL).alias("turn"))


def _case(row: dict[str, object]) -> Case:
    tokens = ((name, row.get(f"{name}_tokens")) for name in ("input", "output", "reasoning", "cached", "total"))
    return Case(
        key=CaseKey(**{name: row[name] for name in _IDENTITY}),  # type: ignore[arg-type]
        kind=str(row["kind"]),
        tokens=tuple((name, count) for name, count in tokens if isinstance(count, int)),
        **{name: row.get(name) for name in _SHOWN},  # type: ignore[arg-type]
    )


def _cell(cell: tuple[str, ...], counts: dict[str, int], cases: list[Case]) -> CellCases:
    by_kind = tuple((kind, counts[kind]) for kind in KINDS if kind in counts)
    dataset, design, judge, condition = cell
    return CellCases(dataset, design, judge, condition, by_kind, tuple(cases))
