"""Table `cost`: what a right verdict costs, and which designs nothing beats on accuracy and cost."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import polars as pl

from judgeray.analysis.cell import Cell, Numbers
from judgeray.analysis.grid import Grid
from judgeray.analysis.schema import ESTIMATE, counts, fields, flags, numbers, texts
from judgeray.analysis.stacks import per_cell
from judgeray.stats.bootstrap import clustered_ratios
from judgeray.stats.estimate import Estimate
from judgeray.stats.frontier import dominators

CURRENCIES = {"tokens": "total_tokens", "usd": "cost_usd"}

_KEY = ("dataset", "judge", "condition", "design", "currency")
_SCHEMA = (
    texts(*_KEY)
    | counts("rows", "priced_rows")
    | numbers("accuracy", "mean_cost")
    | ESTIMATE
    | flags("on_frontier")
    | texts("dominated_by")
)


@dataclass(frozen=True, eq=False)
class _Spending:
    """Question sums of a cell's settled rows whose cost is known: their cost, right rows, and rows."""

    cell: Cell
    costs: Numbers
    correct: Numbers
    priced: Numbers

    @property
    def accuracy(self) -> float | None:
        """Right rows of settled rows."""
        settled = int(self.cell.settled.sum())
        return int(self.cell.correct.sum()) / settled if settled else None

    @property
    def mean_cost(self) -> float | None:
        """Cost a priced row; None without any."""
        rows = float(self.priced.sum())
        return float(self.costs.sum()) / rows if rows else None

    def key(self, currency: str) -> tuple[str, ...]:
        """The values of `_KEY`."""
        return self.cell.dataset, self.cell.judge, self.cell.condition, self.cell.design, currency

    def estimated(self, estimate: Estimate) -> tuple[object, ...]:
        """List the columns from `rows` to the estimate's, whose questions are those with a known cost."""
        known = int((self.priced > 0).sum())
        told = replace(estimate, n=known, missing=self.priced.size - known)
        rows = int(self.cell.settled.sum()), int(self.priced.sum())
        return (*rows, self.accuracy, self.mean_cost, *fields(told))


def costs(grid: Grid) -> pl.DataFrame:
    """Tabulate dataset, judge, condition, design, currency, rows, priced_rows, accuracy, mean_cost, the estimate.

    The estimate is the cost of a right verdict in `currency` (total tokens or US dollars): cost of the settled
    rows whose cost is known over the right ones among them, null where no cost is known or none is right.
    `accuracy` is that of table `accuracy`, `mean_cost` the cost of a priced row. `on_frontier` says that no other
    design of the judge on that dataset is as accurate and as cheap and better in one; designs that are stand in
    `dominated_by`. Both are null where a cost is not known.
    """
    tables = [row for currency, column in CURRENCIES.items() for row in _rows(grid, currency, column)]
    return pl.DataFrame(tables, schema=_SCHEMA, orient="row").sort(*_KEY)


def _rows(grid: Grid, currency: str, column: str) -> Iterator[tuple[object, ...]]:
    places = [[_spending(cell, column) for cell in arms.values()] for arms in grid.places]
    spent = [spending for place in places for spending in place]
    columns = [s.costs for s in spent], [s.correct for s in spent]
    estimates = iter(per_cell(columns, partial(clustered_ratios, unit=f"{currency} a right verdict")))
    for place in places:
        beaten = dominators([(s.accuracy, s.mean_cost) for s in place])
        for spending, others in zip(place, beaten, strict=True):
            names = None if others is None else "+".join(place[other].cell.design for other in others)
            yield (*spending.key(currency), *spending.estimated(next(estimates)), _is_on(others), names or None)


def _spending(cell: Cell, column: str) -> _Spending:
    stated = cell.numbers(column)
    priced = cell.settled & ~np.isnan(stated)
    spent = cell.sums(np.where(priced, stated, 0.0)), cell.sums(cell.correct & priced), cell.sums(priced)
    return _Spending(cell, *spent)


def _is_on(others: list[int] | None) -> bool | None:
    return None if others is None else not others
