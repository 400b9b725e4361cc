"""Table `controls`: answers changed without touching their facts, whose scores should stay (study 2, section 6)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from judgeray.analysis.diagnostics.changes import with_p_holm
from judgeray.analysis.diagnostics.estimates import interval
from judgeray.analysis.schema import counts, fields, numbers, texts
from judgeray.analysis.scores.sheets import KEY, Numbers, Sheet, mean_estimates
from judgeray.stats.estimate import Estimate
from judgeray.stats.sign_test import sign_test

_SCHEMA = (
    texts(*KEY, "control")
    | counts("questions", "missing")
    | numbers(*interval("change"))
    | counts("fell", "rose", "tied")
    | numbers("first_fall", *interval("still_share"), "p_sign")
)


def controls(sheets: Sequence[Sheet]) -> pl.DataFrame:
    """Tabulate each control against level 0 for each metric and judge, question by question.

    Columns: dataset, metric, judge, control, questions, missing, change with its 95 % interval, fell, rose, tied,
    first_fall, still_share with its interval, p_sign, p_holm.

    `change` is the mean over questions of the control's score minus that of level 0; `missing` questions lack one.
    `first_fall` is the mean fall from level 0 to level 1, the smallest degradation that a metric should see;
    `still_share` is the share of questions whose score a control moves by less, up or down. It is null where scores
    do not fall there: nothing is small against that. `p_sign` is the exact sign test on `fell` and `rose`, `p_holm`
    adjusts it over the table. Null where nothing is known.
    """
    found = [(sheet, name, scores - sheet.at(0)) for sheet in sheets for name, scores in sheet.controls.items()]
    falls = {sheet.key: fall.value for sheet, fall in zip(sheets, _first_falls(sheets), strict=True)}
    changes = mean_estimates([difference for *_, difference in found], "score")
    stills = mean_estimates([_still(difference, falls[sheet.key]) for sheet, _, difference in found], "share")
    rows = []
    for (sheet, name, difference), change, still in zip(found, changes, stills, strict=True):
        test = sign_test(difference[~np.isnan(difference)])
        tally = test.wins_b, test.wins_a, test.ties
        moved = (*fields(change)[:3], *tally, falls[sheet.key], *fields(still)[:3], test.p)
        rows.append((*sheet.key, name, change.n, change.missing, *moved))
    return with_p_holm(pl.DataFrame(rows, schema=_SCHEMA, orient="row").sort(*KEY, "control"))


def _first_falls(sheets: Sequence[Sheet]) -> list[Estimate]:
    return mean_estimates([sheet.at(0) - sheet.at(1) for sheet in sheets], "score")


def _still(difference: Numbers, fall: float | None) -> Numbers:
    """Mark questions that moved by less than `fall` (1) or not (0); NaN where nothing is known."""
    if fall is None or fall <= 0:
        return np.full(difference.shape, np.nan)
    return np.where(np.isnan(difference), np.nan, np.abs(difference) < fall)
