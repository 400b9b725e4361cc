"""Table `standard_errors`: cluster-robust standard errors of accuracies and of differences between designs."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import polars as pl

from judgeray.analysis.grid import Grid
from judgeray.analysis.pairs import PAIR
from judgeray.analysis.schema import ESTIMATE, fields, numbers, texts
from judgeray.analysis.stacks import per_cell
from judgeray.stats.clustered_errors import ClusteredError, mean_errors, ratio_errors

FEW_WRONG, FEW_DISCORDANT = 50, 10
"""With fewer such questions, 95 % intervals held the truth in 93 % of simulated studies and fewer."""

CAUTION = "so few questions differ from the rest that the interval misses the truth too often"

_SCHEMA = texts(*PAIR) | numbers("standard_error") | ESTIMATE | texts("caution")


def standard_errors(grid: Grid) -> pl.DataFrame:
    """Tabulate PAIR columns, standard_error, the estimate and a caution.

    With b null the value is the accuracy of a over settled rows, else the mean over questions of a minus b, as in
    `contrasts`. Standard errors are CR1 with questions as clusters, intervals 95 % Student t; both are null with
    fewer than two questions. `caution` says where too few questions carry all of the spread.
    """
    rows = [*_accuracies(grid), *_differences(grid)]
    return pl.DataFrame(rows, schema=_SCHEMA, orient="row").sort(PAIR)


def _accuracies(grid: Grid) -> Iterator[tuple[object, ...]]:
    asked = [cell.asked for cell in grid.cells]
    columns = [counts.correct for counts in asked], [counts.settled for counts in asked]
    errors = per_cell(columns, partial(ratio_errors, unit="share of rows"))
    for cell, counts, error in zip(grid.cells, asked, errors, strict=True):
        differing = min((counts.correct > 0).sum(), (counts.correct < counts.settled).sum())
        yield (
            cell.dataset,
            cell.judge,
            cell.condition,
            cell.design,
            None,
            *_columns(error, int(differing), FEW_WRONG),
        )


def _differences(grid: Grid) -> Iterator[tuple[object, ...]]:
    columns = [pair.differences for pair in grid.pairs], [pair.rows for pair in grid.pairs]
    errors = per_cell(columns, partial(mean_errors, unit="share of rows"))
    for pair, error in zip(grid.pairs, errors, strict=True):
        yield (*pair.key, *_columns(error, int((pair.differences != 0).sum()), FEW_DISCORDANT))


def _columns(error: ClusteredError, differing: int, few: int) -> tuple[object, ...]:
    caution = CAUTION if differing < few else None
    return (error.standard_error, *fields(error.estimate), caution)
