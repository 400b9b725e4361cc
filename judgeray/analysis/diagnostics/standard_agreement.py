"""Table `standard_agreement`: how far label standards say the same (study 1, Table 13)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from judgeray.analysis.diagnostics.estimates import interval
from judgeray.analysis.diagnostics.standard_rows import CLUSTER, pooled
from judgeray.analysis.diagnostics.standards import ALL_ANNOTATORS, annotators, standard_names
from judgeray.analysis.schema import counts, fields, numbers, texts
from judgeray.stats.agreement import Ratings, cohen_kappa, group_sums, krippendorff_alpha, pair_sums
from judgeray.stats.functions_of_sums import clustered_statistics
from judgeray.stats.question_means import Matrix

KEY = ("dataset", "a", "b")

_KAPPA, _ALPHA = interval("cohen_kappa"), interval("krippendorff_alpha")
_SCHEMA = texts(*KEY) | counts("rows", "agree") | numbers("share", *_KAPPA, *_ALPHA)

Fields = tuple[float | None, float | None, float | None]

_NONE: Fields = (None, None, None)


def standard_agreement(standards: pl.DataFrame) -> pl.DataFrame:
    """Tabulate dataset (null for all), a, b, rows, agree, share, cohen_kappa and krippendorff_alpha with intervals.

    `standards` is as `read_standards` gives it. For every two standards, `rows` have a label by both, and `agree`
    of them the same one; kappa is beyond chance. With two or more annotators, a row with a `all annotators` and b
    null: `rows` have labels by at least two annotators, `agree` the same one by all who labelled them, and alpha is
    over these. Intervals are clustered by question. Null where nothing is known, and where one label alone occurs.
    """
    names, people = standard_names(standards), annotators(standards)
    codes = {label: code for code, label in enumerate(standards["label"].unique().sort().to_list())}
    rows: list[tuple[object, ...]] = []
    for dataset, items in _by_dataset(standards, names):
        ratings = _ratings(items, names, codes)
        index = _question_numbers(items)
        for a, b in combinations(range(len(names)), 2):
            found = _between(ratings[:, a], ratings[:, b], len(codes), index)
            rows.append((dataset, names[a], names[b], *found))
        if len(people) > 1:
            places = [names.index(name) for name in people]
            rows.append((dataset, ALL_ANNOTATORS, None, *_among(ratings[:, places], len(codes), index)))
    return pl.DataFrame(rows, schema=_SCHEMA, orient="row").sort(KEY)


def _by_dataset(standards: pl.DataFrame, names: list[str]) -> Iterator[tuple[str | None, pl.DataFrame]]:
    """Yield the labels of each dataset, and of all: one row a row, one column a standard, sorted by question."""
    labels = [pl.col("label").filter(pl.col("standard") == name).first().alias(f"by {name}") for name in names]
    items = pooled(standards).group_by("dataset", *CLUSTER, "row_id").agg(labels)
    for (dataset,), part in items.sort("dataset", *CLUSTER, "row_id").group_by(["dataset"], maintain_order=True):
        yield dataset, part


def _ratings(items: pl.DataFrame, names: list[str], codes: dict[str, int]) -> Ratings:
    """Give items by standards: the number of the label, -1 for none."""
    columns = [items[f"by {name}"].replace_strict(codes, default=-1, return_dtype=pl.Int16) for name in names]
    return np.stack([column.to_numpy() for column in columns], axis=1)


def _question_numbers(items: pl.DataFrame) -> NDArray[np.intp]:
    """Number the question of each item; items are sorted by question."""
    return items.select(pl.struct(CLUSTER).rle_id()).to_series().to_numpy().astype(np.intp)


def _between(a: Ratings, b: Ratings, categories: int, index: NDArray[np.intp]) -> tuple[object, ...]:
    sums = pair_sums(a, b, categories, index)
    rows, agree = int(sums.sum()), int(sums[:: categories + 1].sum())
    return (rows, agree, _share(agree, rows), *_estimated(sums, cohen_kappa), *_NONE)


def _among(ratings: Ratings, categories: int, index: NDArray[np.intp]) -> tuple[object, ...]:
    several = (ratings >= 0).sum(axis=1) > 1
    highest = ratings.max(axis=1)
    same = ((ratings < 0) | (ratings == highest[:, None])).all(axis=1)
    rows, agree = int(several.sum()), int((several & same).sum())
    sums = group_sums(ratings, categories, index, complete=False)
    return (rows, agree, _share(agree, rows), *_NONE, *_estimated(sums, krippendorff_alpha))


def _estimated(sums: Matrix, statistic: Callable[[Matrix], Matrix]) -> Fields:
    carrying = np.array([(sums.sum(axis=0) > 0).sum()])
    (estimate,) = clustered_statistics(sums[None], statistic, "agreement beyond chance", carrying)
    return fields(estimate)[:3]


def _share(agree: int, rows: int) -> float | None:
    return agree / rows if rows else None
