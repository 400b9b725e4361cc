"""Table `contrasts`: design against design on the same questions (study 1, Tables 3, 17 and 18)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import polars as pl

from judgeray.analysis.grid import Grid
from judgeray.analysis.pairs import PAIR
from judgeray.analysis.stacks import per_cell
from judgeray.stats.bootstrap import clustered_means
from judgeray.stats.estimate import Estimate
from judgeray.stats.multiplicity import benjamini_hochberg, holm
from judgeray.stats.sign_test import sign_test
from judgeray.stats.stability import sign_stability

_MEASURES = {
    "questions": pl.Int64,
    **dict.fromkeys(("delta_accuracy", "delta_accuracy_low", "delta_accuracy_high"), pl.Float64),
    **dict.fromkeys(("delta_tokens", "delta_tokens_low", "delta_tokens_high"), pl.Float64),
    **dict.fromkeys(("wins_a", "wins_b", "ties"), pl.Int64),
    "p_sign": pl.Float64,
}
_SCHEMA = {**dict.fromkeys(PAIR, pl.String), **_MEASURES, "stability": pl.Float64}


def contrasts(grid: Grid) -> pl.DataFrame:
    """Tabulate every pair of designs (a, b) for each dataset, judge and condition; differences are a minus b.

    Only rows that both designs settled are compared, and `questions` counts the questions that have such rows
    (replicates count as rows). A difference is the mean over questions of the question's mean difference. A
    question is won by the design with more correct rows in it. `p_sign` is the exact sign test on won
    questions; `p_holm` and `p_bh` adjust it over all contrasts of the table. Null where nothing is known: a
    pair without common questions, intervals and stability with fewer than two, stability without a difference.
    """
    rows = [(*pair.key, *measures) for pair, measures in zip(grid.pairs, _measures(grid), strict=True)]
    table = pl.DataFrame(rows, schema=_SCHEMA, orient="row")
    p = table["p_sign"].to_numpy()
    adjusted = [
        pl.Series("p_holm", holm(p)).fill_nan(None),
        pl.Series("p_bh", benjamini_hochberg(p)).fill_nan(None),
    ]
    return table.with_columns(adjusted).select(*PAIR, *_MEASURES, "p_holm", "p_bh", "stability")


def _measures(grid: Grid) -> Iterator[tuple[float | int | None, ...]]:
    """Estimate each pair's columns, in the order of `_MEASURES` and then stability."""
    correct = [pair.differences for pair in grid.pairs], [pair.rows for pair in grid.pairs]
    tokens = [pair.token_differences for pair in grid.pairs], [pair.token_rows for pair in grid.pairs]
    accuracy = per_cell(correct, partial(clustered_means, unit="share of rows"))
    token = per_cell(tokens, partial(clustered_means, unit="tokens a call"))
    stability = per_cell(correct, sign_stability)
    for pair, delta, cost, same in zip(grid.pairs, accuracy, token, stability, strict=True):
        test = sign_test(pair.differences)
        ends = (*_ends(delta), *_ends(cost))
        yield (pair.rows.size, *ends, test.wins_a, test.wins_b, test.ties, test.p, same.value)


def _ends(estimate: Estimate) -> tuple[float | None, float | None, float | None]:
    return estimate.value, estimate.low, estimate.high
