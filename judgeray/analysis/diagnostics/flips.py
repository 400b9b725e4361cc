"""Tables `condition_flips` and `class_flips`: what a change of the input does to verdicts (study 1, section 5).

They hold Table 5 (perturbations) and Table 10 (grounding control): the same rows under another reference, with a
distractor or with padding, against the rows as they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import polars as pl

from judgeray.analysis.cell import Cell
from judgeray.analysis.diagnostics.changes import (
    Changes,
    accuracy_deltas,
    all_changes,
    changes,
    flip_rates,
    row_pairs,
    score_shifts,
    with_p_holm,
)
from judgeray.analysis.diagnostics.keys import KEY, key_of
from judgeray.analysis.grid import Grid
from judgeray.analysis.pairs import pair_of
from judgeray.analysis.schema import counts, fields, numbers, texts
from judgeray.stats.sign_test import sign_test

_CHANGES = (
    counts("rows", "questions", "unread", "flips")
    | numbers("flip_rate", "flip_rate_low", "flip_rate_high")
    | counts("softer", "harsher", "score_rows")
    | numbers("score_shift", "score_shift_low", "score_shift_high")
)
_ACCURACY = (
    numbers("delta_accuracy", "delta_accuracy_low", "delta_accuracy_high")
    | counts("wins", "losses")
    | numbers("p_sign")
)


def condition_flips(grid: Grid, base: str = "full") -> pl.DataFrame:
    """Tabulate each condition against `base` for the same dataset, judge and design, row by row and replicate.

    Columns: dataset, judge, design, condition, rows, questions, unread, flips, flip_rate with interval, softer,
    harsher, score_rows, score_shift with interval, delta_accuracy with interval, wins, losses, p_sign, p_holm.

    `rows` counts the row pairs compared: those with a verdict on both sides; `unread` the other row pairs.
    `flip_rate` is the share of compared rows whose verdict changed. A flip is `softer` toward supported,
    `harsher` away from it (supported, partially_supported, unsupported); both are null where a verdict is none of
    these. `score_shift`, in points of the judge's own scale, is over the compared rows with both scores;
    `delta_accuracy` is over the rows settled on both sides, against the labels of the rows, which a condition
    does not change. Both are condition minus base, means over questions of question means. A question is won
    where the condition has more correct rows in it, and lost where the base has; `p_sign` is the exact sign test
    on them, `p_holm` adjusts it over the table. Null where nothing is known. Arms without `base` are left out.
    """
    arms = list(_arms(grid, base))
    found = [all_changes(cell, before, grid.labels) for cell, before in arms]
    pairs = [pair_of(cell, before) for cell, before in arms]
    rows = []
    columns = zip(arms, _change_columns(found), pairs, accuracy_deltas(pairs), strict=True)
    for (cell, _), changed, pair, delta in columns:
        test = sign_test(pair.differences)
        rows.append((*key_of(cell), *changed, *fields(delta)[:3], test.wins_a, test.wins_b, test.p))
    return with_p_holm(pl.DataFrame(rows, schema=texts(*KEY) | _CHANGES | _ACCURACY, orient="row").sort(KEY))


def class_flips(grid: Grid, base: str = "full") -> pl.DataFrame:
    """Tabulate `condition_flips` from `rows` to `score_shift` for the rows of each label.

    Columns: dataset, judge, design, condition, label, rows, questions, unread, flips, flip_rate with interval,
    softer, harsher, score_rows, score_shift with interval. A judge that likes length likes padding around false
    content too: its unsupported rows turn softer.
    """
    keys: list[tuple[str, ...]] = []
    found: list[Changes] = []
    for cell, before in _arms(grid, base):
        pairs = row_pairs(cell, before, grid.labels)
        for label in np.unique(pairs.label).tolist():
            keys.append((*key_of(cell), grid.labels[label]))
            found.append(changes(pairs, pairs.label == label))
    rows = [(*key, *changed) for key, changed in zip(keys, _change_columns(found), strict=True)]
    return pl.DataFrame(rows, schema=texts(*KEY, "label") | _CHANGES, orient="row").sort(*KEY, "label")


def _arms(grid: Grid, base: str) -> Iterator[tuple[Cell, Cell]]:
    """Yield each cell of another condition with its base."""
    bases = {cell.key[:3]: cell for cell in grid.cells if cell.condition == base}
    for cell in grid.cells:
        if cell.condition != base and cell.key[:3] in bases:
            yield cell, bases[cell.key[:3]]


def _change_columns(found: Sequence[Changes]) -> Iterator[tuple[float | int | None, ...]]:
    """Yield the values of `_CHANGES`."""
    for c, rate, shift in zip(found, flip_rates(found), score_shifts(found), strict=True):
        compared = int(c.rows.sum()), c.rows.size, c.unread, int(c.flips.sum()), *fields(rate)[:3]
        yield (*compared, c.softer, c.harsher, int(c.score_rows.sum()), *fields(shift)[:3])
