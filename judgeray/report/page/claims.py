"""Claims that the tables cannot carry, beyond the caveats that every report lists."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

import polars as pl

from judgeray.report.caveats import ALPHA

PLACE = ("dataset", "judge", "condition")


def further_claims(tables: Mapping[str, pl.DataFrame]) -> Iterator[str]:
    """Say which contrasts no outcome could have decided, and which leave questions out."""
    contrasts = tables["contrasts"]
    tested = contrasts.drop_nulls("p_sign")
    if tested.is_empty():
        return
    needed = fewest_wins(ALPHA)
    won = pl.col("wins_a") + pl.col("wins_b")
    few = tested.filter(won < needed).height
    if few:
        yield (
            f"{few} of {tested.height} contrasts rest on fewer than {needed} questions that one design won: on so "
            f"few, no outcome of the sign test is below {ALPHA}. They show neither a difference nor its absence."
        )
    whole = fewest_wins(ALPHA / tested.height)
    below = tested.filter(won < whole).height
    if below > few:
        yield (
            f"To hold after Holm over {tested.height} contrasts, the first one needs {whole} questions won by one "
            f"design alone; {below} contrasts have fewer."
        )
    partial = _partial(contrasts, tables["accuracy"])
    if partial:
        yield (
            f"In {partial} contrasts some questions are unpaired: a row is absent or unsettled under one design, "
            "and is left out under both."
        )


def fewest_wins(alpha: float) -> int:
    """Count the questions that one design must win alone for the two-sided sign test to fall below `alpha`."""
    wins = max(1, math.ceil(1 - math.log2(alpha)))
    return wins if 2.0 ** (1 - wins) < alpha else wins + 1


def _partial(contrasts: pl.DataFrame, accuracy: pl.DataFrame) -> int:
    questions = accuracy.group_by(PLACE).agg(pl.col("questions").max().alias("all_questions"))
    joined = contrasts.join(questions, on=list(PLACE), how="left")
    return joined.filter(pl.col("questions").is_between(1, pl.col("all_questions") - 1)).height
