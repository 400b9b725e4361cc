"""Table `level_means`: how high each metric scores each level, for curves of degradation (study 2, Figure 3(a))."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from judgeray.analysis.diagnostics.estimates import interval
from judgeray.analysis.schema import counts, fields, numbers, texts
from judgeray.analysis.scores.sheets import KEY, Sheet, mean_estimates
from judgeray.stats.estimate import Estimate

_SCHEMA = texts(*KEY) | counts("level", "questions", "missing") | numbers(*interval("mean"), "share_of_first")


def level_means(sheets: Sequence[Sheet]) -> pl.DataFrame:
    """Tabulate dataset, metric, judge, level, questions, missing, mean with its 95 % interval, share_of_first.

    `mean` is over the `questions` with a score at that level; `missing` have none there. `share_of_first` is the
    mean over that of level 0, which is 1 for the whole truth on any scale that starts at zero; null where the mean
    of level 0 is not above zero. Intervals are bootstrapped over questions. Null where nothing is known.
    """
    rows = []
    for sheet in sheets:
        found = mean_estimates([sheet.at(level) for level in sheet.levels], "score")
        first = next((e.value for level, e in zip(sheet.levels, found, strict=True) if level == 0), None)
        for level, mean in zip(sheet.levels, found, strict=True):
            rows.append((*sheet.key, level, mean.n, mean.missing, *fields(mean)[:3], _share(mean, first)))
    return pl.DataFrame(rows, schema=_SCHEMA, orient="row").sort(*KEY, "level")


def _share(mean: Estimate, first: float | None) -> float | None:
    return None if mean.value is None or first is None or first <= 0 else mean.value / first
