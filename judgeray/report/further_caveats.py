"""Caveats that the tables beyond study 1 give rise to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import polars as pl

from judgeray.core.status import UNSETTLED
from judgeray.report.numbers import fixed

FEW_ROWS = 5
"""With fewer wrong rows (or right ones), 95 % bootstrap intervals held the truth in 89 % of simulated studies."""

ALPHA = 0.05


def further_caveats(tables: Mapping[str, pl.DataFrame]) -> Iterator[str]:
    """Say in plain words what accuracies, questions, missing rows and equivalence allow; tables may be lacking."""
    yield from _one_sided(tables["accuracy"])
    if "power" in tables:
        yield from _power(tables["power"])
    if "missing_bounds" in tables:
        yield from _bounds(tables["missing_bounds"])
    if "equivalence" in tables:
        yield from _equivalence(tables["equivalence"])


def _one_sided(accuracy: pl.DataFrame) -> Iterator[str]:
    settled = pl.col("rows") - pl.sum_horizontal(UNSETTLED)
    right = pl.col("accuracy") * settled
    few = accuracy.filter(pl.min_horizontal(right, settled - right).round() < FEW_ROWS).height
    if few:
        yield (
            f"{few} cells have fewer than {FEW_ROWS} rows that are wrong (or right): their bootstrap intervals are "
            "too narrow. tables/effective_rows.csv has Wilson intervals, which hold there."
        )


def _power(table: pl.DataFrame) -> Iterator[str]:
    """Say for each dataset what differences its questions can show."""
    for part in table.sort("dataset").partition_by("dataset", maintain_order=True):
        dataset = str(part["dataset"][0])
        known = part["detectable_delta"].drop_nulls().to_list()
        blind = part.filter(pl.col("discordant") > 0).height - len(known)
        questions = max(part["questions"].to_list())
        if known:
            low, high = fixed(min(known), 3), fixed(max(known), 3)
            reach = low if low == high else f"{low} to {high}, depending on the pair"
            yield (
                f"{dataset}: {questions} questions show a difference in accuracy of {reach}, "
                "in four of five studies. Smaller ones are often missed: a large p is no sign of alike designs."
            )
        if blind:
            yield f"{dataset}: {blind} pairs differ on so few questions that the sign test could show nothing."


def _bounds(table: pl.DataFrame) -> Iterator[str]:
    pairs = table.drop_nulls("b").filter(pl.col("missing_a") + pl.col("missing_b") > 0)
    keys = ["dataset", "judge", "condition", "a", "b"]
    ends = pairs.group_by(keys).agg(pl.col("value").min().alias("lowest"), pl.col("value").max().alias("highest"))
    turned = ends.filter((pl.col("lowest") < 0) & (pl.col("highest") > 0)).height
    if turned:
        yield (
            f"Rows without a verdict could turn the direction of {turned} contrasts, whatever the interval says "
            "(tables/missing_bounds.csv)."
        )


def _equivalence(table: pl.DataFrame) -> Iterator[str]:
    shown = table.filter(pl.col("p_exact") < ALPHA)
    if shown.height:
        yield (
            f"{shown.height} of {table.height} contrasts are shown to differ by less than {shown['margin'][0]:g} "
            "(exact test by question, unadjusted). For the others, no difference found is not the same as none."
        )
