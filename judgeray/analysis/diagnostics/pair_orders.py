"""Tables `pair_orders` and `order_accuracy`: what the order of two candidates does to a pairwise judge."""

from __future__ import annotations

import polars as pl

from judgeray.analysis.diagnostics.estimates import Measure, fitted, interval, with_estimates
from judgeray.analysis.diagnostics.judged import judged
from judgeray.analysis.schema import counts, numbers, texts
from judgeray.core.errors import BadInputError
from judgeray.stats.sign_test import sign_test_p

ORDERS = ("full", "reversed")
"""Conditions of a pairwise judge: the first candidate is shown as Answer A, or the second is."""

_PLACE = ("dataset", "judge", "design")
_PAIR = (*_PLACE, "question_id", "row_id", "replicate")
_COUNTS = ("pairs", "questions", "read", "unread")
_CHANGES = ("winner_swaps", "tie_changes", "ties_full", "ties_reversed", "position_a", "position_b")
_SUMS = ("pairs", "read", "flips", *_CHANGES, "named", "named_a", "settled", "right", "right_both")
_MEASURES = (
    Measure("flip_rate", "flips", "read", "share of pairs"),
    Measure("preference", "named_a", "named", "share of answers"),
    Measure("accuracy", "right", "settled", "share of answers"),
)
_SCHEMA = (
    texts(*_PLACE)
    | counts(*_COUNTS, "flips")
    | numbers(*interval("flip_rate"))
    | counts(*_CHANGES, "questions_a", "questions_b")
    | numbers("p_position", *interval("preference"), *interval("accuracy"))
    | counts("right_both")
)
_ORDER = (*_PLACE, "order")
_ORDER_COUNTS = ("rows", "questions", "settled", "unread", "ties", "right")
_ORDER_SCHEMA = texts(*_ORDER) | counts(*_ORDER_COUNTS) | numbers(*interval("accuracy"))


def pair_orders(pairs: pl.DataFrame) -> pl.DataFrame:
    """Tabulate dataset, judge, design, and how verdicts change when the candidates change places.

    `pairs` has the columns of `PAIR_SCHEMA`; what is said of a position is taken from winner and order, so
    `position` may be missing. A pair counts once a replicate, and only where it stands in both orders.

    - `pairs` = `read` (both orders have a verdict) + `unread`, over `questions`.
    - Of the read pairs: `flips` have another winner in each order, and are `winner_swaps` (first for second) or
      `tie_changes` (a tie in one order only); `flip_rate` with its interval. `ties_full`, `ties_reversed`.
      `position_a` and `position_b` follow the place: both answers name A, or B. `questions_a` have more of the
      former, `questions_b` of the latter; `p_position` is the exact sign test between them. `preference` is the
      share of answers naming A among those naming A or B, minus one half.
    - `accuracy`: over the settled answers of all pairs, both orders, the share whose winner is the label; a tie
      is not right. `right_both` pairs are right in both orders.

    Study 1 changed at most 4 % of verdicts so (section 5, Table 5). Intervals are clustered by question. Null
    where nothing is known. Raises BadInputError where an answer stands twice.
    """
    answers = _answers(pairs)
    both = _both_orders(answers)
    questions = both.group_by(*_PLACE, "question_id").agg(pl.col(_SUMS).cast(pl.Int64).sum())
    sums = questions.group_by(_PLACE).agg(pl.len().alias("questions"), pl.col(_SUMS).sum(), *_position_test())
    table = answers.select(_PLACE).unique().join(sums, on=_PLACE, how="left")
    table = table.with_columns(pl.col("questions", "questions_a", "questions_b", *_SUMS).fill_null(0))
    table = with_estimates(table, questions, _PLACE, _MEASURES)
    table = table.with_columns(
        pl.col(interval("preference")) - 0.5,
        unread=pl.col("pairs") - pl.col("read"),
        p_position=_p_position(table),
    )
    return fitted(table, _SCHEMA).sort(_PLACE)


def order_accuracy(pairs: pl.DataFrame) -> pl.DataFrame:
    """Tabulate dataset, judge, design, order, rows, questions, settled, unread, ties, right, accuracy, interval.

    Over all rows of one order, whether or not the pair stands in the other too. `unread` rows have no verdict;
    `accuracy` is the share of settled rows whose winner is the label, clustered by question.
    """
    answers = _answers(pairs).rename({"condition": "order"})
    sums = [
        pl.len().alias("rows"),
        pl.col("settled", "right").cast(pl.Int64).sum(),
        pl.col("verdict").is_null().cast(pl.Int64).sum().alias("unread"),
        (pl.col("verdict") == "tie").cast(pl.Int64).sum().alias("ties"),
    ]
    questions = answers.group_by(*_ORDER, "question_id").agg(sums)
    totals = [pl.col("rows", "settled", "right", "unread", "ties").sum(), pl.len().alias("questions")]
    table = questions.group_by(_ORDER).agg(totals)
    table = with_estimates(table, questions, _ORDER, [Measure("accuracy", "right", "settled")])
    return fitted(table, _ORDER_SCHEMA).sort(_ORDER)


def _answers(pairs: pl.DataFrame) -> pl.DataFrame:
    answers = judged(pairs).filter(pl.col("condition").is_in(ORDERS))
    twice = answers.filter(pl.struct(*_PAIR, "condition").is_duplicated()).sort(*_PAIR, "condition")
    for dataset, judge, design, row_id in twice.select(*_PLACE, "row_id").head(1).rows():
        raise BadInputError(
            f"dataset '{dataset}', pair '{row_id}': two answers of judge '{judge}', design '{design}' in one order"
        )
    return answers


def _both_orders(answers: pl.DataFrame) -> pl.DataFrame:
    """Put the two answers on each pair side by side and say how they relate: columns `_SUMS`."""
    full, turned = (answers.filter(pl.col("condition") == order) for order in ORDERS)
    answer = ("verdict", "settled", "right")
    both = full.select(*_PAIR, *answer).join(turned.select(*_PAIR, *answer), on=_PAIR, suffix="_turned")
    winner, other = pl.col("verdict"), pl.col("verdict_turned")
    read = winner.is_not_null() & other.is_not_null()
    tie, tie_turned = read & (winner == "tie"), read & (other == "tie")
    a, a_turned = read & (winner == "first"), read & (other == "second")
    b, b_turned = read & (winner == "second"), read & (other == "first")
    relations = {
        "pairs": pl.lit(value=True),
        "read": read,
        "flips": read & (winner != other),
        "winner_swaps": (a & a_turned) | (b & b_turned),
        "tie_changes": tie != tie_turned,
        "ties_full": tie,
        "ties_reversed": tie_turned,
        "position_a": a & a_turned,
        "position_b": b & b_turned,
        "named_a": a.cast(pl.Int64) + a_turned.cast(pl.Int64),
        "named": (a | b).cast(pl.Int64) + (a_turned | b_turned).cast(pl.Int64),
        "settled": pl.col("settled").cast(pl.Int64) + pl.col("settled_turned").cast(pl.Int64),
        "right": pl.col("right").cast(pl.Int64) + pl.col("right_turned").cast(pl.Int64),
        "right_both": pl.col("right") & pl.col("right_turned"),
    }
    return both.select(*_PAIR, *(value.fill_null(0).alias(name) for name, value in relations.items()))


def _position_test() -> list[pl.Expr]:
    more = pl.col("position_a") - pl.col("position_b")
    return [(more > 0).sum().alias("questions_a"), (more < 0).sum().alias("questions_b")]


def _p_position(table: pl.DataFrame) -> pl.Series:
    p = pl.Series(sign_test_p(table["questions_a"].to_numpy(), table["questions_b"].to_numpy()), dtype=pl.Float64)
    return p.set(table["read"] == 0, None)
