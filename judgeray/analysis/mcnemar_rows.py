"""Table `mcnemar`: the test on rows that others report, beside its caution."""

from __future__ import annotations

import polars as pl

from judgeray.analysis.grid import Grid
from judgeray.analysis.pairs import PAIR
from judgeray.analysis.schema import counts, numbers, texts
from judgeray.stats.mcnemar import ROW_CAUTION, mcnemar

_COUNTS = ("rows", "questions", "both_right", "only_a_right", "only_b_right", "both_wrong")
_SCHEMA = texts(*PAIR) | counts(*_COUNTS) | numbers("p_exact", "p_mid") | texts("caution")


def mcnemar_rows(grid: Grid) -> pl.DataFrame:
    """Tabulate PAIR columns, rows by who is right, p_exact and p_mid of McNemar's test, and a caution.

    Over rows that both designs settled. P-values are two-sided, unadjusted, and take rows for independent, which
    rows of one question are not: `caution` says so. Null without rows.
    """
    rows = []
    for pair in grid.pairs:
        total = int(pair.rows.sum())
        test = mcnemar(pair.only_a, pair.only_b)
        p = (test.p_exact, test.p_mid) if total else (None, None)
        wrong = total - pair.both - pair.only_a - pair.only_b
        tally = (total, pair.rows.size, pair.both, pair.only_a, pair.only_b, wrong)
        rows.append((*pair.key, *tally, *p, ROW_CAUTION))
    return pl.DataFrame(rows, schema=_SCHEMA, orient="row")
