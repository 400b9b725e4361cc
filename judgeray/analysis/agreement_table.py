"""Table `agreement`: how far judges, or replicates of one judge, say the same beyond chance."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import chain, combinations, groupby

import polars as pl

from judgeray.analysis.grid import Grid
from judgeray.analysis.ratings import RatedItems, ratings_by_judges, ratings_by_replicates
from judgeray.analysis.schema import ESTIMATE, counts, fields, texts
from judgeray.analysis.stacks import in_parts, per_cell
from judgeray.stats.agreement import cohen_kappa, fleiss_kappa, group_sums, krippendorff_alpha, pair_sums
from judgeray.stats.estimate import Estimate
from judgeray.stats.functions_of_sums import Statistic, clustered_statistics
from judgeray.stats.question_means import Matrix

MOST_REPLICATES = 5
"""With more replicates their pairs are too many to list; the measures over all of them remain."""

MEASURES: dict[str, Statistic] = {
    "cohen_kappa": cohen_kappa,
    "fleiss_kappa": fleiss_kappa,
    "krippendorff_alpha": krippendorff_alpha,
}
CAUTION = "falls where one verdict is rare, whatever the raters do"
FEW_DISAGREE = 10
FEW_CAUTION = "fewer than 10 questions hold a disagreement: the interval is too narrow"
UNLISTED = "pairs of more than 5 replicates are not listed"

Key = tuple[str | None, ...]

_ROUNDING = 1e-9
_KEY = ("dataset", "condition", "design", "between", "judge", "a", "b", "measure")
_SCHEMA = texts(*_KEY) | counts("raters", "items") | ESTIMATE | texts("caution")


@dataclass(frozen=True, eq=False)
class _Case:
    """Question sums of one measure."""

    key: Key
    measure: str
    raters: int
    items: int
    sums: Matrix
    caution: str


def agreement_table(grid: Grid) -> pl.DataFrame:
    """Tabulate dataset, condition, design, between, judge, a, b, measure, raters, items, the estimate, a caution.

    Between `judges` (judge null): Cohen's kappa for every pair a, b of judges, and Fleiss' kappa and
    Krippendorff's alpha over all of them (a and b null). Between `replicates` (of `judge`): the same, raters are
    replicate numbers. Categories are the verdicts. Kappas count `items` (rows; for judges each replicate is one)
    that all their raters gave a verdict, alpha those that at least two did. Null where one category alone occurs.
    """
    cases = chain(_judges(grid), _replicates(grid))
    rows = [row for part in in_parts(cases, lambda case: case.sums.size) for row in _rows(part)]
    return pl.DataFrame(rows, schema=_SCHEMA, orient="row").sort(_KEY)


def _rows(cases: list[_Case]) -> Iterator[tuple[object, ...]]:
    """Estimate cases measure by measure."""
    for measure, statistic in MEASURES.items():
        chosen = [case for case in cases if case.measure == measure]
        estimates = per_cell(([case.sums for case in chosen],), partial(_estimated, statistic=statistic))
        for case, e in zip(chosen, estimates, strict=True):
            yield (*case.key, measure, case.raters, case.items, *fields(e), case.caution)


def _judges(grid: Grid) -> Iterator[_Case]:
    cells = sorted(grid.cells, key=lambda cell: (cell.dataset, cell.condition, cell.design, cell.judge))
    for place, group in groupby(cells, key=lambda cell: (cell.dataset, cell.condition, cell.design)):
        rated = ratings_by_judges(list(group))
        if len(rated.raters) > 1:
            yield from _cases((*place, "judges", None), rated, len(grid.labels), pairs=True)


def _replicates(grid: Grid) -> Iterator[_Case]:
    for cell in grid.cells:
        if cell.layout.replicate.min() < cell.layout.replicate.max():
            key = (cell.dataset, cell.condition, cell.design, "replicates", cell.judge)
            rated = ratings_by_replicates(cell)
            yield from _cases(key, rated, len(grid.labels), pairs=len(rated.raters) <= MOST_REPLICATES)


def _cases(key: Key, rated: RatedItems, categories: int, *, pairs: bool) -> Iterator[_Case]:
    raters = len(rated.raters)
    unlisted = [] if pairs else [UNLISTED]
    for measure, complete in (("fleiss_kappa", True), ("krippendorff_alpha", False)):
        sums = group_sums(rated.ratings, categories, rated.index, complete=complete)
        caution = _caution(sums[2:].sum(axis=0) - sums[1], unlisted)
        yield _Case((*key, None, None), measure, raters, int(sums[0].sum()), sums, caution)
    for first, second in combinations(range(raters), 2) if pairs else ():
        sums = pair_sums(rated.ratings[:, first], rated.ratings[:, second], categories, rated.index)
        names = rated.raters[first], rated.raters[second]
        caution = _caution(sums.sum(axis=0) - sums[:: categories + 1].sum(axis=0), [])
        yield _Case((*key, *names), "cohen_kappa", 2, int(sums.sum()), sums, caution)


def _caution(disagreements: Matrix, more: list[str]) -> str:
    """Join the cautions that hold for this much disagreement a question."""
    few = [FEW_CAUTION] if (disagreements > _ROUNDING).sum() < FEW_DISAGREE else []
    return "; ".join([CAUTION, *few, *more])


def _estimated(sums: Matrix, statistic: Statistic) -> list[Estimate]:
    carrying = (sums.sum(axis=1) > 0).sum(axis=1)
    return clustered_statistics(sums, statistic, "agreement beyond chance", carrying)
