"""Table `metric_contrasts`: which of two metrics follows degradation more closely, on the answers both scored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, groupby

import numpy as np
import polars as pl

from judgeray.analysis.diagnostics.changes import with_p_holm
from judgeray.analysis.diagnostics.estimates import interval
from judgeray.analysis.schema import counts, fields, numbers, texts
from judgeray.analysis.scores.sheets import Numbers, Sheet, mean_estimates
from judgeray.analysis.stacks import per_cell
from judgeray.stats.correlation import SUMS, correlation_sums, pearson_difference
from judgeray.stats.estimate import Estimate
from judgeray.stats.functions_of_sums import clustered_statistics
from judgeray.stats.kendall import LevelPairs, level_pairs, tau_b
from judgeray.stats.question_means import Matrix
from judgeray.stats.sign_test import sign_test

_KEY = ("dataset", "metric_a", "judge_a", "metric_b", "judge_b")
_SCHEMA = (
    texts(*_KEY)
    | counts("questions", "answers", "undefined_a", "undefined_b")
    | numbers(*interval("delta_kendall"), *interval("delta_pearson"))
    | counts("wins_a", "wins_b", "ties")
    | numbers("p_sign")
)


@dataclass(frozen=True, eq=False)
class _Contrast:
    """Scores of a and b (questions, levels) on the questions where both scored two answers; NaN but for these."""

    a: Sheet
    b: Sheet
    scores_a: Numbers
    scores_b: Numbers

    @property
    def key(self) -> tuple[str, ...]:
        return self.a.dataset, self.a.metric, self.a.judge, self.b.metric, self.b.judge


def metric_contrasts(sheets: Sequence[Sheet]) -> pl.DataFrame:
    """Tabulate every two sheets (a, b) of a dataset, in the order of metric and judge, on common ground.

    Columns: dataset, metric_a, judge_a, metric_b, judge_b, questions, answers, undefined_a, undefined_b,
    delta_kendall and delta_pearson with 95 % intervals, wins_a, wins_b, ties, p_sign, p_holm.

    Only answers that both scored are compared, on the `questions` with two of them or more. Deltas are above zero
    where a follows the levels more closely: a minus b of tracking, which is minus the correlation, since scores
    should fall.

    `delta_kendall` is over the questions where the tau-b of both is defined. `undefined_a` and `undefined_b`
    questions have equal scores throughout by a or b: they drop out of the delta, though to score all levels the
    same is a failure. The test therefore leaves none out: a question is won by the side with more falling pairs of
    levels less rising ones, and tied pairs are neither (without ties it is the side with the better tau-b).
    `p_sign` is the exact sign test on questions won, `p_holm` adjusts it over the table. Null where nothing is
    known.
    """
    found = [_contrast(a, b) for a, b in _sheet_pairs(sheets)]
    pairs = [(level_pairs(c.scores_a), level_pairs(c.scores_b)) for c in found]
    taus = [(tau_b(a), tau_b(b)) for a, b in pairs]
    kendalls = mean_estimates([b - a for a, b in taus], "tau-b")
    rows = []
    for c, (a, b), tau, kendall, pearson in zip(found, pairs, taus, kendalls, _pearsons(found), strict=True):
        test = sign_test(_net(a) - _net(b))
        sizes = len(c.scores_a), int((~np.isnan(c.scores_a)).sum()), *(int(np.isnan(side).sum()) for side in tau)
        won = test.wins_a, test.wins_b, test.ties, test.p
        rows.append((*c.key, *sizes, *fields(kendall)[:3], *fields(pearson)[:3], *won))
    return with_p_holm(pl.DataFrame(rows, schema=_SCHEMA, orient="row").sort(_KEY))


def _sheet_pairs(sheets: Sequence[Sheet]) -> list[tuple[Sheet, Sheet]]:
    ordered = sorted(sheets, key=lambda sheet: sheet.key)
    groups = groupby(ordered, key=lambda sheet: sheet.dataset)
    return [pair for _, group in groups for pair in combinations(group, 2)]


def _contrast(a: Sheet, b: Sheet) -> _Contrast:
    place = {question: number for number, question in enumerate(b.questions)}
    shared = [(number, place[question]) for number, question in enumerate(a.questions) if question in place]
    in_a, in_b = np.array(shared, dtype=np.intp).reshape(-1, 2).T
    scores_a, scores_b = a.scores[in_a], b.scores[in_b]
    both = ~(np.isnan(scores_a) | np.isnan(scores_b))
    kept = both.sum(axis=1) > 1
    common = (np.where(both, scores, np.nan)[kept] for scores in (scores_a, scores_b))
    return _Contrast(a, b, *common)


def _net(pairs: LevelPairs) -> Numbers:
    return pairs.falling - pairs.rising


def _pearsons(found: Sequence[_Contrast]) -> list[Estimate]:
    """Estimate the correlation of b minus that of a, which is the tracking of a minus that of b."""
    sums = [
        np.concatenate([correlation_sums(np.array(c.a.levels, dtype=float), s) for s in (c.scores_a, c.scores_b)])
        for c in found
    ]
    return per_cell((sums,), _estimates)


def _estimates(sums: Matrix) -> list[Estimate]:
    return clustered_statistics(sums, pearson_difference, "correlation", (sums[:, SUMS] > 0).sum(axis=1))
