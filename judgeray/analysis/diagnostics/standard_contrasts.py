"""Table `standard_contrasts`: whether another label standard turns the order of designs (study 1, section 6.1)."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from operator import itemgetter

import polars as pl

from judgeray.analysis.arms import design_order
from judgeray.analysis.diagnostics.estimates import Measure, fitted, interval, with_estimates
from judgeray.analysis.diagnostics.standard_rows import CLUSTER, scored
from judgeray.analysis.diagnostics.standards import CONSTRUCTION
from judgeray.analysis.pairs import design_pairs
from judgeray.analysis.schema import counts, flags, numbers, texts
from judgeray.stats.bootstrap import clustered_means

KEY = ("judge", "dataset", "condition", "a", "b", "standard")

_PLACE = ("judge", "dataset", "condition", "standard")
_ROW = (*_PLACE, *CLUSTER, "row_id", "replicate")
_RIGHT = {"construction": "right_construction", "standard": "right"}
_MEASURES = [Measure(f"delta_{by}", f"difference_{by}", "rows", "share of rows", clustered_means) for by in _RIGHT]
_ORDERS = [f"order_{by}" for by in _RIGHT]
_SCHEMA = (
    texts(*KEY)
    | counts("rows", "questions")
    | numbers(*interval("delta_construction"), *interval("delta_standard"))
    | flags("reversed")
    | texts(*_ORDERS)
)

Arm = tuple[str, int]
"""Design, right rows."""


def standard_contrasts(log: pl.DataFrame, standards: pl.DataFrame) -> pl.DataFrame:
    """Tabulate judge, dataset (null for all), condition, a, b, standard, and a minus b under both standards.

    `standards` is as `read_standards` gives it. `rows` counts the rows that the standard labels and both designs
    settled, of `questions`; `delta_construction` and `delta_standard`, each with interval, are means over these
    questions of the question's mean difference in right rows. `reversed` says that the signs are opposed; a
    difference of zero has none. `order_construction` and `order_standard` rank all designs of the judge by their
    right rows among those that the standard labels and all of them settled: `R > C = H`.

    One row for each standard but construction and each pair of designs that judged a row both. Null where nothing
    is known.
    """
    rows = scored(log, standards).filter(pl.col("standard") != CONSTRUCTION)
    questions = _differences(rows)
    totals = [pl.col("rows").sum(), (pl.col("rows") > 0).sum().alias("questions")]
    table = with_estimates(questions.group_by(KEY).agg(totals), questions, KEY, _MEASURES, CLUSTER)
    opposed = pl.col("delta_construction") * pl.col("delta_standard") < 0
    table = table.join(_orders(rows), on=_PLACE, how="left", nulls_equal=True).with_columns(reversed=opposed)
    return fitted(table, _SCHEMA).sort(KEY)


def _differences(rows: pl.DataFrame) -> pl.DataFrame:
    """Sum up a minus b by question, for every pair of designs, over the rows that both settled."""
    both = pl.col("settled") & pl.col("settled_b")
    sums = [both.cast(pl.Int64).sum().alias("rows")]
    for by, right in _RIGHT.items():
        difference = pl.col(right).cast(pl.Int64) - pl.col(f"{right}_b").cast(pl.Int64)
        sums.append(difference.filter(both).sum().alias(f"difference_{by}"))
    taken = rows.select(*_ROW, "design", "settled", *_RIGHT.values())
    parts = [
        _beside(taken, a, b).group_by(*KEY, *CLUSTER).agg(sums)
        for a, b in design_pairs(rows["design"].unique().to_list())
    ]
    return pl.concat(parts) if parts else _beside(taken, "", "").group_by(*KEY, *CLUSTER).agg(sums)


def _beside(rows: pl.DataFrame, a: str, b: str) -> pl.DataFrame:
    left, right = (rows.filter(pl.col("design") == design) for design in (a, b))
    both = left.join(right, on=_ROW, suffix="_b", nulls_equal=True)
    return both.with_columns(a=pl.lit(a), b=pl.lit(b))


def _orders(rows: pl.DataFrame) -> pl.DataFrame:
    """Rank the designs of each place under both standards, on the rows that all of them settled."""
    designs = pl.col("design").n_unique().over(_PLACE)
    common = rows.filter(pl.col("settled").sum().over(_ROW) == designs)
    totals = common.group_by(*_PLACE, "design").agg(pl.col(list(_RIGHT.values())).cast(pl.Int64).sum())
    found = []
    for place, group in totals.group_by(_PLACE):
        ranked = (_ranked(group.select("design", right).rows()) for right in _RIGHT.values())
        found.append((*place, *ranked))
    return pl.DataFrame(found, schema=texts(*_PLACE, *_ORDERS), orient="row")


def _ranked(arms: Iterable[Arm]) -> str:
    """Spell an order of designs, the most right first; equals stand in the order C, H, R, B, others."""
    ordered = sorted(arms, key=lambda arm: (-arm[1], design_order(arm[0])))
    return " > ".join(" = ".join(arm[0] for arm in equals) for _, equals in groupby(ordered, key=itemgetter(1)))
