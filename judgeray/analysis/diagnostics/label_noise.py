"""Table `label_noise`: whether the order of two designs outlives labels that are wrong at random."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np
import polars as pl
from numpy.typing import NDArray

from judgeray.analysis.cell import Cell, Numbers
from judgeray.analysis.grid import Grid
from judgeray.analysis.layout import Codes, Indices
from judgeray.analysis.pairs import PAIR, design_pairs, entries, settled_rows
from judgeray.analysis.schema import counts, numbers, texts
from judgeray.analysis.stacks import in_parts
from judgeray.core.errors import BadInputError
from judgeray.stats.bootstrap import LEVEL
from judgeray.stats.draws import SEED
from judgeray.stats.label_flips import label_flips
from judgeray.stats.question_means import Matrix, question_means
from judgeray.stats.resampling import on_grid

RATES = (0.02, 0.05, 0.1, 0.2)
DRAWS = 1_000

_SCHEMA = (
    texts(*PAIR)
    | numbers("rate")
    | counts("questions")
    | numbers("delta_accuracy", "delta", "delta_low", "delta_high", "share_same_sign")
)


@dataclass(frozen=True, eq=False)
class _Labels:
    """Labels of a dataset: `kinds` are the codes that occur, `label` each row's place among them.

    `rows` are ranks of row ids, rising. `others` (rows, kinds - 1) are the places of labels that a row has not.
    """

    rows: Codes
    kinds: Codes
    label: Indices
    others: Indices


@dataclass(frozen=True, eq=False)
class _Case:
    """A pair of designs: `observed / scale` is its difference in accuracy as the labels stand.

    `moves` holds what is added to `observed` where a row gets another label, in the order of `_Labels.others`.
    """

    key: tuple[str, ...]
    questions: int
    scale: float
    observed: float
    moves: Numbers


def label_noise(grid: Grid, rates: Sequence[float] = RATES, draws: int = DRAWS, seed: int = SEED) -> pl.DataFrame:
    """Tabulate every pair of designs (a, b) and rate: accuracy differences, a minus b, under wrong labels.

    Columns: dataset, judge, condition, a, b, rate, questions, delta_accuracy, delta, delta_low, delta_high,
    share_same_sign. `delta_accuracy` is that of `contrasts`: the labels as they stand, over the rows that both
    designs settled.

    Each draw gives each row of a dataset, with probability `rate`, another of the labels that occur in the
    dataset, each as likely; all designs, judges, conditions and replicates are held against the same labels of
    that draw. `delta` is the mean difference over `draws`, `delta_low` and `delta_high` the 2.5 and 97.5
    percentiles, `share_same_sign` the share of draws whose difference is strictly on the side of `delta_accuracy`,
    null where that is 0. Null where no row is common, and, but for `delta_accuracy`, where the dataset has one
    label only.

    With K labels a row's expected correctness is (1 - rate) c + rate w / (K - 1), where c tells that the verdict
    is the row's label and w that it is another of the K. Where all wrong verdicts are among the K, noise takes
    the share rate K / (K - 1) off a difference. A design whose wrong verdicts are outside them (partially_supported
    on TruthfulQA, or no verdict at all) gains nothing from wrong labels, and falls behind one whose are within.

    The rates are assumed: nothing here estimates how many labels are wrong. Nor are real errors like these, which
    hit any row and label alike: errors that lean one way (study 1, section 6.1: all nine of the author's
    disagreements are partial rows labelled supported) reverse orders that this table calls safe.

    Raises BadInputError for a rate outside 0 to 1, and for less than one draw.
    """
    _check(rates, draws)
    rows: list[tuple[object, ...]] = []
    for _, places in groupby(grid.places, key=lambda arms: next(iter(arms.values())).dataset):
        found = list(places)
        labels = _labels_of([cell for arms in found for cell in arms.values()])
        cases = (_case(arms[a], arms[b], labels) for arms in found for a, b in sorted(design_pairs(list(arms))))
        for part in in_parts(cases, lambda case: max(case.moves.size, draws)):
            for rate in rates:
                rows.extend(_rows(part, labels, rate, draws, seed))
    return pl.DataFrame(rows, schema=_SCHEMA, orient="row").sort(*PAIR, "rate")


def _check(rates: Sequence[float], draws: int) -> None:
    for rate in rates:
        if not 0 <= rate <= 1:
            raise BadInputError(f"label_noise: rates: found '{rate}', allowed: numbers from 0 to 1")
    if draws < 1:
        raise BadInputError(f"label_noise: draws: found '{draws}', allowed: a whole number from 1")


def _labels_of(cells: Sequence[Cell]) -> _Labels:
    """Gather the labels of a dataset's rows; cells of one layout hold the same rows."""
    holders = list({id(cell.layout): cell for cell in cells}.values())
    rows, first = np.unique(np.concatenate([cell.layout.row for cell in holders]), return_index=True)
    codes = np.concatenate([cell.codes("label") for cell in holders])[first]
    kinds, label = np.unique(codes, return_inverse=True)
    others = (label[:, None] + 1 + np.arange(kinds.size - 1)) % kinds.size
    return _Labels(rows, kinds, label, others)


def _case(a: Cell, b: Cell, labels: _Labels) -> _Case:
    """Weigh rows as `clustered_means` does: every question the same, in whole numbers."""
    rows = settled_rows(a, b)
    weights = question_means(np.ones(rows.questions.size), rows.sizes)
    row_weights = weights.numerators[0][rows.index]
    row = np.searchsorted(labels.rows, entries(a.layout.row, rows.in_a))
    said = [entries(cell.codes("verdict"), places) for cell, places in ((a, rows.in_a), (b, rows.in_b))]
    gains = _gains(said[0], row, row_weights, labels) - _gains(said[1], row, row_weights, labels)
    own = gains[np.arange(len(gains)), labels.label]
    return _Case(
        key=(a.dataset, a.judge, a.condition, a.design, b.design),
        questions=rows.questions.size,
        scale=float(weights.denominators.sum()),
        observed=float(own.sum()),
        moves=(np.take_along_axis(gains, labels.others, axis=1) - own[:, None]).ravel(),
    )


def _gains(verdict: Codes, row: Indices, weights: Numbers, labels: _Labels) -> Matrix:
    """Give what each row would add to the right ones, were its label each of the kinds: (rows, kinds)."""
    size = labels.kinds.size
    kind = np.searchsorted(labels.kinds, verdict)
    is_kind = labels.kinds[np.minimum(kind, size - 1)] == verdict
    place = (row * size + kind)[is_kind]
    flat = np.bincount(place, weights=weights[is_kind], minlength=labels.rows.size * size)
    return np.asarray(flat, dtype=float).reshape(-1, size)


def _rows(
    cases: Sequence[_Case], labels: _Labels, rate: float, draws: int, seed: int
) -> Iterator[tuple[object, ...]]:
    rows, others = labels.others.shape
    for case, simulated in zip(cases, _simulated(cases, rows, others, rate, draws, seed), strict=True):
        delta = case.observed / case.scale if case.questions else None
        yield (*case.key, rate, case.questions, delta, *(simulated if case.questions else (None,) * 4))


def _simulated(
    cases: Sequence[_Case], rows: int, others: int, rate: float, draws: int, seed: int
) -> list[tuple[float | None, ...]]:
    """Compute mean, percentiles and share of the same sign for each case."""
    if not others:
        return [(None,) * 4] * len(cases)
    moves = on_grid(np.stack([case.moves for case in cases]))  # exact sums: the same in any order
    observed = np.array([case.observed for case in cases])
    flips = label_flips(rows, others, rate, draws, seed)
    sums = observed[:, None] + np.concatenate([moves @ block.T.astype(float) for block in flips], axis=1)
    scale = np.array([case.scale or np.nan for case in cases])
    tail = (1 - LEVEL) / 2
    means, (lows, highs) = sums.mean(axis=1) / scale, np.quantile(sums, [tail, 1 - tail], axis=1) / scale
    return [
        (float(mean), float(low), float(high), share)
        for mean, low, high, share in zip(means, lows, highs, _same_sign(sums, observed), strict=True)
    ]


def _same_sign(sums: NDArray[np.float64], observed: Numbers) -> list[float | None]:
    shares = (np.sign(sums) == np.sign(observed)[:, None]).mean(axis=1)
    return [float(share) if sign else None for share, sign in zip(shares, observed, strict=True)]
