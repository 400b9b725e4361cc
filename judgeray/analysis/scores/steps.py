"""Table `steps`: what one more step of degradation does to each metric's scores."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import polars as pl

from judgeray.analysis.diagnostics.changes import with_p_holm
from judgeray.analysis.diagnostics.estimates import interval
from judgeray.analysis.schema import counts, fields, numbers, texts
from judgeray.analysis.scores.sheets import KEY, Sheet, mean_estimates
from judgeray.stats.sign_test import sign_test

_SHARES = ("fell_share", "rose_share", "tied_share")
_SCHEMA = (
    texts(*KEY)
    | counts("from_level", "to_level", "questions", "missing")
    | numbers(*interval("change"))
    | counts("fell", "rose", "tied")
    | numbers(*_SHARES, "p_sign")
)


def steps(sheets: Sequence[Sheet]) -> pl.DataFrame:
    """Tabulate each level against the next for each metric and judge, question by question.

    Columns: dataset, metric, judge, from_level, to_level, questions, missing, change with its 95 % interval, fell,
    rose, tied, fell_share, rose_share, tied_share, p_sign, p_holm.

    `change` is the mean over questions of the later score minus the earlier, below zero where the metric sees the
    step; `missing` questions lack a score on one side. `fell`, `rose` and `tied` count questions. `p_sign` is the
    exact sign test on those that fell and rose, `p_holm` adjusts it over the table. Null where nothing is known.
    """
    found = [(sheet, a, b, sheet.at(b) - sheet.at(a)) for sheet in sheets for a, b in pairwise(sheet.levels)]
    changes = mean_estimates([difference for *_, difference in found], "score")
    rows = []
    for (sheet, a, b, difference), change in zip(found, changes, strict=True):
        test = sign_test(difference[~np.isnan(difference)])
        tally = test.wins_b, test.wins_a, test.ties
        shares = (count / change.n if change.n else None for count in tally)
        rows.append((*sheet.key, a, b, change.n, change.missing, *fields(change)[:3], *tally, *shares, test.p))
    table = pl.DataFrame(rows, schema=_SCHEMA, orient="row")
    return with_p_holm(table.sort(*KEY, "from_level"))
