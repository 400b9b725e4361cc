"""Tables `wordings` and `wording_contrasts`: whether designs keep their order in other words (study 1, Table 7)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial, reduce

import numpy as np
import polars as pl

from judgeray.analysis.accuracy import accuracy
from judgeray.analysis.arms import design_order
from judgeray.analysis.cell import Cell, Numbers
from judgeray.analysis.grid import Grid
from judgeray.analysis.layout import Indices, run_numbers
from judgeray.analysis.pairs import design_pairs
from judgeray.analysis.schema import counts, fields, numbers, texts
from judgeray.analysis.stacks import per_cell
from judgeray.stats.bootstrap import clustered_means
from judgeray.stats.sign_test import sign_test

FEWEST_VERSIONS = 3
"""Two families with one version each are a contrast of designs, not of wordings."""

FamilyOf = Callable[[str], str]

_PLACE = ("dataset", "judge", "condition")
_WORDINGS = (
    *_PLACE,
    *("family", "design", "rows", "questions", "accuracy", "accuracy_low", "accuracy_high", "mean_total_tokens"),
)
_CONTRASTS = (
    texts(*_PLACE, "family_a", "family_b")
    | counts("versions_a", "versions_b", "rows", "questions")
    | counts("pairs", "pairs_a_ahead", "pairs_b_ahead", "pairs_tied")
    | numbers("lowest_a", "highest_a", "lowest_b", "highest_b", "delta", "delta_low", "delta_high", "p_sign")
)


@dataclass(frozen=True, eq=False)
class _Families:
    """Versions of two families: `right_a` and `right_b` (versions, questions) count right rows of `rows`."""

    key: tuple[str, ...]
    right_a: Numbers
    right_b: Numbers
    rows: Numbers

    @property
    def differences(self) -> Numbers:
        """Mean over versions of a minus mean over versions of b, in right rows, times `weight`: whole numbers."""
        sums: Numbers = len(self.right_b) * self.right_a.sum(axis=0) - len(self.right_a) * self.right_b.sum(axis=0)
        return sums

    @property
    def weight(self) -> int:
        """Number of version pairs."""
        return len(self.right_a) * len(self.right_b)


def wordings(grid: Grid, family_of: FamilyOf) -> pl.DataFrame:
    """Tabulate the versions of each family: `family_of` maps a design ("C.v2") to its family ("C").

    Columns: dataset, judge, condition, family, design, rows, questions, accuracy, accuracy_low, accuracy_high,
    mean_total_tokens, as in `accuracy`.
    """
    table = accuracy(grid)
    families = pl.Series("family", [family_of(design) for design in table["design"]], dtype=pl.String)
    return table.with_columns(families).select(_WORDINGS).sort(_WORDINGS[:5])


def wording_contrasts(grid: Grid, family_of: FamilyOf) -> pl.DataFrame:
    """Tabulate every two families of a judge that have three versions or more between them; a minus b.

    Columns: dataset, judge, condition, family_a, family_b, versions_a, versions_b, rows, questions, pairs,
    pairs_a_ahead, pairs_b_ahead, pairs_tied, lowest_a, highest_a, lowest_b, highest_b, delta, delta_low,
    delta_high, p_sign.

    Only `rows` (replicates are rows) that all versions of both families settled are compared, so every version
    of a is more accurate than every version of b exactly where `pairs_a_ahead` is `pairs`, and exactly where
    `lowest_a` is above `highest_b`. `pairs` is every version of a with every version of b, ahead by accuracy.
    `delta` is the mean over questions of the mean over versions of a minus that over versions of b; `p_sign`
    tests its signs, question by question, unadjusted. The versions at hand are all there is: interval and
    p-value tell of other questions, not of other wordings. Null where no row is common.
    """
    found = list(_families(grid, family_of))
    columns = [f.differences for f in found], [f.rows * f.weight for f in found]
    deltas = per_cell(columns, partial(clustered_means, unit="share of rows"))
    rows = [
        (*f.key, *_tally(f), *fields(delta)[:3], sign_test(f.differences).p)
        for f, delta in zip(found, deltas, strict=True)
    ]
    return pl.DataFrame(rows, schema=_CONTRASTS, orient="row").sort(*_PLACE, "family_a", "family_b")


def _families(grid: Grid, family_of: FamilyOf) -> Iterator[_Families]:
    for arms in grid.places:
        versions: dict[str, list[Cell]] = {}
        for design in sorted(arms, key=design_order):
            versions.setdefault(family_of(design), []).append(arms[design])
        for a, b in design_pairs(list(versions)):
            if len(versions[a]) + len(versions[b]) >= FEWEST_VERSIONS:
                yield _compared(a, b, versions[a], versions[b])


def _compared(a: str, b: str, versions_a: list[Cell], versions_b: list[Cell]) -> _Families:
    cells = [*versions_a, *versions_b]
    places = _rows_of_all(cells)
    index = run_numbers(cells[0].layout.question[places[0]])
    right = [np.bincount(index, weights=cell.correct[rows]) for cell, rows in zip(cells, places, strict=True)]
    first = cells[0]
    return _Families(
        (first.dataset, first.judge, first.condition, a, b),
        np.stack(right[: len(versions_a)]),
        np.stack(right[len(versions_a) :]),
        np.bincount(index).astype(float),
    )


def _rows_of_all(cells: list[Cell]) -> list[Indices]:
    """Find the rows that all cells settled: their places in each, in the order of layouts."""
    common = reduce(np.intersect1d, [cell.layout.unit[cell.settled] for cell in cells])
    return [np.flatnonzero(np.isin(cell.layout.unit, common)) for cell in cells]


def _tally(f: _Families) -> tuple[float | int | None, ...]:
    """List the columns from `versions_a` to `highest_b`."""
    rows = int(f.rows.sum())
    size = len(f.right_a), len(f.right_b), rows, f.rows.size, f.weight
    if not rows:
        return (*size, *(None,) * 7)
    a, b = f.right_a.sum(axis=1), f.right_b.sum(axis=1)
    ahead = np.sign(a[:, None] - b)
    won = (int((ahead == sign).sum()) for sign in (1, -1, 0))
    return (*size, *won, *(float(end / rows) for end in (a.min(), a.max(), b.min(), b.max())))
