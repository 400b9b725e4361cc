"""Table `tracking`: how far each metric follows degradation (study 2, section 5, Table 2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import polars as pl

from judgeray.analysis.diagnostics.estimates import interval
from judgeray.analysis.schema import counts, fields, numbers, texts
from judgeray.analysis.scores.sheets import KEY, Sheet, mean_estimates
from judgeray.analysis.stacks import per_cell
from judgeray.core.status import STATUSES
from judgeray.stats.correlation import correlation_sums, pearson
from judgeray.stats.estimate import Estimate
from judgeray.stats.functions_of_sums import clustered_statistics
from judgeray.stats.kendall import falls_throughout, level_pairs, tau_b
from judgeray.stats.question_means import Matrix

_SCHEMA = (
    texts(*KEY, "models")
    | counts("questions", "answers", "missing")
    | numbers(*interval("pearson"), *interval("kendall"))
    | counts("questions_undefined")
    | numbers(*interval("falling_pair_share"), *interval("strict_order_share"))
    | counts("questions_incomplete")
    | numbers("mean_cost_usd", "mean_total_tokens")
    | texts("reason")
    | counts(*STATUSES)
)


def tracking(sheets: Sequence[Sheet]) -> pl.DataFrame:
    """Tabulate how the scores of each metric and judge follow the levels; a perfect metric has -1 and -1.

    Columns: dataset, metric, judge, models, questions, answers, missing, pearson and kendall with 95 % intervals,
    questions_undefined, falling_pair_share and strict_order_share with intervals, questions_incomplete,
    mean_cost_usd, mean_total_tokens, reason, and a count of rows per status.

    - `answers` are those of the ladder that were to be scored, written or not (controls apart), `missing` those
      without a score in any replicate. Replicates of an answer are averaged.
    - `pearson` is over all scored answers, between level and score.
    - `kendall` is the mean over questions of a question's tau-b. It is not defined for `questions_undefined`: those
      with fewer than two scores, or whose scores are all equal. These take no part in the mean.
    - `falling_pair_share` is the mean over questions with two scores of the share of pairs of levels whose score is
      strictly lower at the higher level; here a question with equal scores counts, as 0.
    - `strict_order_share` is the share of questions whose scores fall strictly from each level to the next, of
      those with a score at every level of the dataset; `questions_incomplete` lack one.
    - `mean_cost_usd` and `mean_total_tokens` are over the rows that report them.
    - `reason` says why a correlation is null.

    Intervals are bootstrapped over questions. Null where nothing is known, or nothing is defined.
    """
    pairs = [level_pairs(sheet.scores) for sheet in sheets]
    taus = mean_estimates([tau_b(found) for found in pairs], "tau-b")
    falling = mean_estimates([_shares(p.falling, p.all) for p in pairs], "share of pairs")
    strict = mean_estimates([_strict(sheet) for sheet in sheets], "share of questions")
    rows = []
    for s, r, tau, fall, order in zip(sheets, _pearsons(sheets), taus, falling, strict, strict=True):
        correlations = (*fields(r)[:3], *fields(tau)[:3], tau.missing)
        orders = (*fields(fall)[:3], *fields(order)[:3], _incomplete(s))
        reason = _reason(s, r.value, tau.value)
        rows.append((*s.key, _models(s), *_sizes(s), *correlations, *orders, *_means(s), reason, *_statuses(s)))
    return pl.DataFrame(rows, schema=_SCHEMA, orient="row").sort(KEY)


def _pearsons(sheets: Sequence[Sheet]) -> list[Estimate]:
    sums = [correlation_sums(np.array(sheet.levels, dtype=float), sheet.scores) for sheet in sheets]
    return per_cell((sums,), _pearson_estimates)


def _pearson_estimates(sums: Matrix) -> list[Estimate]:
    return clustered_statistics(sums, pearson, "correlation", (sums[:, 0] > 0).sum(axis=1))


def _shares(part: Matrix, whole: Matrix) -> Matrix:
    shares = np.full(part.shape, np.nan)
    np.divide(part, whole, out=shares, where=whole > 0)
    return shares


def _strict(sheet: Sheet) -> Matrix:
    complete = ~np.isnan(sheet.scores).any(axis=1) & (len(sheet.levels) > 1)
    return np.where(complete, falls_throughout(sheet.scores), np.nan)


def _incomplete(sheet: Sheet) -> int:
    return int(np.isnan(sheet.scores).any(axis=1).sum())


def _sizes(sheet: Sheet) -> tuple[int, int, int]:
    """Count questions, answers and answers without a score."""
    answers = sheet.rows.select("question_id", "level").n_unique()
    return len(sheet.questions), answers, answers - int((~np.isnan(sheet.scores)).sum())


def _reason(sheet: Sheet, correlation: float | None, tau: float | None) -> str | None:
    known = sheet.scores[~np.isnan(sheet.scores)]
    if not known.size:
        return "no score"
    if correlation is None:
        return "all scores are equal" if known.min() == known.max() else "scores at one level only"
    return "no question has two scores that differ" if tau is None else None


def _models(sheet: Sheet) -> str | None:
    return "+".join(sheet.rows["model"].drop_nulls().unique().sort()) or None


def _means(sheet: Sheet) -> tuple[float | None, ...]:
    known = (sheet.rows[name].drop_nulls() for name in ("cost_usd", "total_tokens"))
    return tuple(float(column.sum()) / len(column) if len(column) else None for column in known)


def _statuses(sheet: Sheet) -> tuple[int, ...]:
    found = Counter(sheet.rows["status"].to_list())
    return tuple(found[status] for status in STATUSES)
