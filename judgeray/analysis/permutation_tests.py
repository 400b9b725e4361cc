"""Table `permutation`: paired permutation tests of designs, by question."""

from __future__ import annotations

import polars as pl

from judgeray.analysis.grid import Grid
from judgeray.analysis.pairs import PAIR
from judgeray.analysis.schema import counts, numbers, texts
from judgeray.stats.multiplicity import benjamini_hochberg, holm
from judgeray.stats.permutation import sign_flip_test

_SCHEMA = texts(*PAIR) | counts("questions", "discordant") | numbers("p_permutation") | texts("method")


def permutation_tests(grid: Grid) -> pl.DataFrame:
    """Tabulate PAIR columns, questions, discordant, p_permutation, method, p_holm and p_bh.

    The test flips the sign of each question's difference; unlike the sign test it weighs how many rows of the
    question differ. `discordant` counts questions with a difference. `method` says whether all flips were added up
    or some drawn. Adjusted over all pairs of the table. Null without common questions.
    """
    rows = []
    for pair in grid.pairs:
        test = sign_flip_test(pair.differences, pair.rows)
        rows.append((*pair.key, pair.rows.size, test.discordant, test.p, test.method))
    table = pl.DataFrame(rows, schema=_SCHEMA, orient="row")
    p = table["p_permutation"].to_numpy()
    return table.with_columns(
        pl.Series("p_holm", holm(p)).fill_nan(None), pl.Series("p_bh", benjamini_hochberg(p)).fill_nan(None)
    )
