"""Table `retest`: whether a judge says the same when asked the same again."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
import polars as pl

from judgeray.analysis.cell import Cell, Numbers
from judgeray.analysis.diagnostics.keys import KEY, key_of
from judgeray.analysis.grid import Grid
from judgeray.analysis.layout import Codes, Indices, run_numbers
from judgeray.analysis.ratings import ratings_by_replicates
from judgeray.analysis.schema import counts, fields, numbers, texts
from judgeray.analysis.stacks import per_cell
from judgeray.stats.bootstrap import clustered_ratios
from judgeray.stats.retest_variance import RetestVariance, retest_variance

_SCHEMA = (
    texts(*KEY)
    | counts("rows", "replicates", "questions", "complete_rows", "stable_rows")
    | numbers("stable_share", "stable_share_low", "stable_share_high")
    | numbers("pair_agreement", "pair_agreement_low", "pair_agreement_high")
    | counts("settled_rows")
    | numbers("accuracy_mean", "within_variance", "between_variance", "share_within")
)


@dataclass(frozen=True, eq=False)
class _Retest:
    """A cell's replicates; arrays hold one entry a question with complete rows."""

    key: tuple[str, ...]
    sizes: tuple[int, int, int]
    complete: Numbers
    stable: Numbers
    agreeing_pairs: Numbers
    pairs_a_row: int
    settled_rows: int
    variance: RetestVariance


def retest(grid: Grid) -> pl.DataFrame:
    """Tabulate each cell with two replicates or more: how far its replicates say the same, and how right they are.

    Columns: dataset, judge, design, condition, rows, replicates, questions, complete_rows, stable_rows,
    stable_share and pair_agreement with intervals, settled_rows, accuracy_mean, within_variance,
    between_variance, share_within.

    `rows` counts rows once, whatever their replicates. `complete_rows` have a verdict in every replicate; of
    these, `stable_rows` have the same one everywhere, and `pair_agreement` is the mean share of pairs of
    replicates with the same verdict (expected between one run and the next). Every row weighs the same.

    The other columns take the `settled_rows`, those that every replicate settled; as in `accuracy`, a reply
    without a verdict is wrong. `within_variance` and `between_variance` split the variance of one right-or-wrong
    (0 or 1) into that between replicates of a row and that between rows, as `retest_variance` defines them;
    `share_within` is the part of both that the former makes: 0 where asking again changes nothing, 1 where rows
    differ no more than chance alone makes them. Null where nothing is known.
    """
    found = [_retest(cell) for cell in grid.cells if cell.layout.replicate.min() < cell.layout.replicate.max()]
    complete = [r.complete for r in found]
    ratios = partial(clustered_ratios, unit="share of rows")
    stable = per_cell(([r.stable for r in found], complete), ratios)
    agreement = per_cell(([r.agreeing_pairs for r in found], [r.complete * r.pairs_a_row for r in found]), ratios)
    rows = []
    for r, same, agreed in zip(found, stable, agreement, strict=True):
        verdicts = (*r.sizes, int(r.complete.sum()), int(r.stable.sum()), *fields(same)[:3], *fields(agreed)[:3])
        v = r.variance
        rows.append((*r.key, *verdicts, r.settled_rows, v.mean, v.within, v.between, v.share_within))
    return pl.DataFrame(rows, schema=_SCHEMA, orient="row").sort(KEY)


def _retest(cell: Cell) -> _Retest:
    rated = ratings_by_replicates(cell)
    items, replicates = rated.ratings.shape
    whole = (rated.ratings >= 0).all(axis=1)
    index, ratings = rated.index[whole], rated.ratings[whole]
    complete = np.bincount(index, minlength=cell.layout.questions.size).astype(float)
    agreeing = _agreeing_pairs(ratings)
    pairs = replicates * (replicates - 1) // 2
    right = _right_replicates(cell, replicates)

    def sums(values: Codes) -> Numbers:
        return np.asarray(np.bincount(index, weights=values, minlength=complete.size)[complete > 0], dtype=float)

    return _Retest(
        key=key_of(cell),
        sizes=(items, replicates, cell.layout.questions.size),
        complete=complete[complete > 0],
        stable=sums((agreeing == pairs).astype(np.intp)),
        agreeing_pairs=sums(agreeing),
        pairs_a_row=pairs,
        settled_rows=right.size,
        variance=retest_variance(right, replicates),
    )


def _agreeing_pairs(ratings: Codes) -> Indices:
    """Count, for each item of (items, raters), the pairs of raters that say the same."""
    pairs = np.zeros(len(ratings), dtype=np.intp)
    for verdict in np.unique(ratings):
        raters = (ratings == verdict).sum(axis=1)
        pairs += raters * (raters - 1) // 2
    return pairs


def _right_replicates(cell: Cell, replicates: int) -> Indices:
    """Count the right replicates of each row that all replicates settled."""
    item = run_numbers(cell.layout.row)
    settled = np.bincount(item, weights=cell.settled)
    right = np.bincount(item, weights=cell.correct)
    return np.asarray(right[settled == replicates], dtype=np.intp)
