"""What changed between two cells that judged the same rows: verdicts, which way, scores, and accuracy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import polars as pl

from judgeray.analysis.cell import Cell, Flags, Numbers
from judgeray.analysis.layout import Codes
from judgeray.analysis.pairs import CommonRows, Pair, entries, shared_rows
from judgeray.analysis.stacks import per_cell
from judgeray.rows import LABELS
from judgeray.stats.bootstrap import clustered_means, clustered_ratios
from judgeray.stats.estimate import Estimate
from judgeray.stats.multiplicity import holm


@dataclass(frozen=True, eq=False)
class RowPairs:
    """Rows (with their replicates) that a cell shares with its base; arrays hold one entry a row.

    `label` is a code, `read` says whether a verdict stands on both sides, `flipped` whether they differ.
    `softening` counts the steps that the verdict moved toward `supported`, away from it below zero; NaN where
    a verdict is missing or none of `LABELS`. `shift` is the score minus the base's, NaN where either is not known.
    """

    rows: CommonRows
    label: Codes
    read: Flags
    flipped: Flags
    softening: Numbers
    shift: Numbers


@dataclass(frozen=True, eq=False)
class Changes:
    """Row pairs summed up.

    `rows` compared (read on both sides) and `flips` hold one entry a question with compared rows, `score_rows`
    and `score_shifts` one a question with compared rows that have both scores, in the order of question ids.
    `unread` counts row pairs without a verdict on either side. `softer` and `harsher` count flips by direction,
    None where a compared verdict is none of `LABELS`.
    """

    rows: Numbers
    flips: Numbers
    unread: int
    softer: int | None
    harsher: int | None
    score_rows: Numbers
    score_shifts: Numbers


def row_pairs(cell: Cell, base: Cell, labels: Sequence[str]) -> RowPairs:
    """Put a cell beside its base; `labels` names the codes of verdicts."""
    rows = shared_rows(cell, base)
    after, before = entries(cell.codes("verdict"), rows.in_a), entries(base.codes("verdict"), rows.in_b)
    read = (after >= 0) & (before >= 0)
    steps = np.array([_steps_from_supported(label) for label in labels] + [np.nan])  # -1, no verdict, is the last
    shift = entries(cell.numbers("score"), rows.in_a) - entries(base.numbers("score"), rows.in_b)
    label = entries(cell.codes("label"), rows.in_a)
    return RowPairs(rows, label, read, read & (after != before), steps[before] - steps[after], shift)


def changes(pairs: RowPairs, chosen: Flags) -> Changes:
    """Sum up the chosen row pairs by question."""
    read = pairs.read & chosen
    scored = read & ~np.isnan(pairs.shift)
    rows, score_rows = pairs.rows.sums(read), pairs.rows.sums(scored)
    ordered = not np.isnan(pairs.softening[read]).any()
    return Changes(
        rows=rows[rows > 0],
        flips=pairs.rows.sums(pairs.flipped & chosen)[rows > 0],
        unread=int((chosen & ~pairs.read).sum()),
        softer=int((pairs.softening[read] > 0).sum()) if ordered else None,
        harsher=int((pairs.softening[read] < 0).sum()) if ordered else None,
        score_rows=score_rows[score_rows > 0],
        score_shifts=pairs.rows.sums(np.where(scored, pairs.shift, 0.0))[score_rows > 0],
    )


def all_changes(cell: Cell, base: Cell, labels: Sequence[str]) -> Changes:
    """Sum up all row pairs of a cell and its base."""
    pairs = row_pairs(cell, base, labels)
    return changes(pairs, np.ones(pairs.read.size, dtype=bool))


def flip_rates(found: Sequence[Changes]) -> list[Estimate]:
    """Estimate the share of compared rows whose verdict changed; every row weighs the same."""
    columns = [c.flips for c in found], [c.rows for c in found]
    return per_cell(columns, partial(clustered_ratios, unit="share of rows"))


def score_shifts(found: Sequence[Changes]) -> list[Estimate]:
    """Estimate the mean change of the score; every question weighs the same."""
    columns = [c.score_shifts for c in found], [c.score_rows for c in found]
    return per_cell(columns, partial(clustered_means, unit="score"))


def accuracy_deltas(pairs: Sequence[Pair]) -> list[Estimate]:
    """Estimate the difference in accuracy as `contrasts` does; every question weighs the same."""
    columns = [pair.differences for pair in pairs], [pair.rows for pair in pairs]
    return per_cell(columns, partial(clustered_means, unit="share of rows"))


def with_p_holm(table: pl.DataFrame) -> pl.DataFrame:
    """Append `p_holm`: Holm's adjustment of `p_sign` over the table, null where no test could be made."""
    return table.with_columns(pl.Series("p_holm", holm(table["p_sign"].to_numpy())).fill_nan(None))


def _steps_from_supported(label: str) -> float:
    return LABELS.index(label) if label in LABELS else np.nan
