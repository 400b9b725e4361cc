"""Two designs on the same rows: the question-level sums that every comparison stands on."""

from __future__ import annotations

from itertools import combinations

import polars as pl

from judgeray.analysis.arms import design_order, settled_rows

PAIR = ("dataset", "judge", "condition", "a", "b")

_ROW = ("dataset", "judge", "condition", "question_id", "row_id", "replicate")


def design_pairs(designs: list[str]) -> list[tuple[str, str]]:
    """List all pairs (a, b), a the later of both in the order C, H, R, B, others: so H:C, R:H, as in study 1."""
    return [(a, b) for b, a in combinations(sorted(set(designs), key=design_order), 2)]


def paired_questions(log: pl.DataFrame) -> pl.DataFrame:
    """Sum up each question for each pair of designs, over the rows that both designs settled.

    A row (with its replicate) that is absent or unsettled under either design is left out under both, so a
    difference never compares different rows. Returns one row for each pair and question, sorted: the columns
    of `PAIR`, question_id, rows (row pairs), correct_a, correct_b, correct_difference, token_rows (pairs whose
    total tokens are known on both sides) and token_difference (their sum, a minus b).
    """
    settled = settled_rows(log).select(*_ROW, "design", "correct", "total_tokens")
    arms = {design: rows.drop("design") for (design,), rows in settled.partition_by("design", as_dict=True).items()}
    pairs = [_sums(arms[a], arms[b], a, b) for a, b in design_pairs([str(design) for design in arms])]
    empty = _sums(settled.clear(), settled.clear(), "", "")
    return pl.concat([empty, *pairs]).sort(*PAIR, "question_id")


def _sums(left: pl.DataFrame, right: pl.DataFrame, a: str, b: str) -> pl.DataFrame:
    tokens = pl.col("total_tokens") - pl.col("total_tokens_b")
    difference = pl.col("correct_a").cast(pl.Int64) - pl.col("correct_b").cast(pl.Int64)
    return (
        left.join(right, on=_ROW, suffix="_b")
        .group_by("dataset", "judge", "condition", pl.lit(a).alias("a"), pl.lit(b).alias("b"), "question_id")
        .agg(
            pl.len().alias("rows"),
            pl.col("correct").sum().alias("correct_a"),
            pl.col("correct_b").sum(),
            tokens.count().alias("token_rows"),
            tokens.sum().alias("token_difference"),
        )
        .with_columns(difference.alias("correct_difference"))
    )
