"""What the order of candidates does to pairwise verdicts: every count by hand, and judges of known bias."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from judgeray.analysis.compact import compact
from judgeray.analysis.diagnostics.pair_orders import order_accuracy, pair_orders
from judgeray.core.errors import BadInputError
from judgeray.verdicts import PAIR_SCHEMA
from tests.analysis.made_logs import one

Verdicts = Sequence[tuple[str | None, str | None]]
"""Winner shown in order, winner with the candidates turned; one entry a pair."""

HAND: Verdicts = [
    ("first", "first"),  # right whatever the order
    ("second", "second"),  # wrong whatever the order
    ("first", "second"),  # follows A
    ("first", "second"),  # follows A
    ("second", "first"),  # follows B
    ("tie", "first"),
    ("first", "tie"),
    ("tie", "second"),
    ("tie", "tie"),
    (None, "first"),
    (None, None),
]


def pairs_frame(verdicts: Verdicts, questions: list[str] | None = None, **more: Any) -> pl.DataFrame:
    """Rows of PAIR_SCHEMA: each pair in both orders, one question a pair unless told otherwise."""
    base = {"dataset": "d", "judge": "j", "design": "P", "label": "first", "variant": "pos-neg", "replicate": 0}
    rows = [
        base
        | {"question_id": f"q{n:03d}" if questions is None else questions[n], "row_id": f"p{n:03d}"}
        | {"condition": order, "verdict": verdict, "status": "unparsed" if verdict is None else "ok"}
        | more
        for n, both in enumerate(verdicts)
        for order, verdict in zip(("full", "reversed"), both, strict=True)
    ]
    return pl.DataFrame(pa.Table.from_pylist(rows, schema=PAIR_SCHEMA))


def test_every_count_by_hand() -> None:
    """Eleven pairs, nine of them read in both orders: counts, rates and the sign test as worked out on paper."""
    row = one(pair_orders(pairs_frame(HAND)))
    assert (row["pairs"], row["questions"], row["read"], row["unread"]) == (11, 11, 9, 2)
    assert (row["flips"], row["winner_swaps"], row["tie_changes"]) == (6, 3, 3)
    assert row["flip_rate"] == pytest.approx(6 / 9)
    assert (row["ties_full"], row["ties_reversed"]) == (3, 2)
    assert (row["position_a"], row["position_b"], row["questions_a"], row["questions_b"]) == (2, 1, 2, 1)
    assert row["p_position"] == 1.0
    assert row["preference"] == pytest.approx(8 / 13 - 1 / 2)
    assert (row["accuracy"], row["right_both"]) == (8 / 22, 1)
    assert row["preference_low"] < row["preference"] < row["preference_high"]


def test_each_order_alone_by_hand() -> None:
    """An order's accuracy is over its own settled rows; ties and unread rows are not right."""
    full, turned = order_accuracy(pairs_frame(HAND)).rows(named=True)
    counts = ("order", "rows", "questions", "settled", "unread", "ties", "right")
    assert [full[name] for name in counts] == ["full", 11, 11, 11, 2, 3, 4]
    assert [turned[name] for name in counts] == ["reversed", 11, 11, 11, 1, 2, 4]
    assert full["accuracy"] == 4 / 11
    both = one(pair_orders(pairs_frame(HAND)))
    assert both["accuracy"] == pytest.approx((full["right"] + turned["right"]) / 22)


def test_study_1_flips_two_of_fifty() -> None:
    """Two changed verdicts of 50 pairs are 4 % (study 1, section 5)."""
    verdicts: Verdicts = [("first", "first")] * 48 + [("first", "second"), ("first", "tie")]
    assert one(pair_orders(pairs_frame(verdicts)))["flip_rate"] == 0.04


def test_a_judge_that_always_says_a() -> None:
    """Every pair flips, every question follows A, the preference is one half with no spread, accuracy one half."""
    row = one(pair_orders(pairs_frame([("first", "second")] * 12)))
    assert (row["flips"], row["position_a"], row["position_b"]) == (12, 12, 0)
    assert row["p_position"] == pytest.approx(2 / 2**12)
    assert (row["preference"], row["preference_low"], row["preference_high"]) == (0.5, 0.5, 0.5)
    assert (row["accuracy"], row["right_both"]) == (0.5, 0)


def test_a_judge_that_always_finds_the_better_one() -> None:
    """Nothing flips, no place is preferred, all is right."""
    row = one(pair_orders(pairs_frame([("first", "first")] * 12)))
    assert (row["flips"], row["flip_rate"], row["p_position"]) == (0, 0.0, 1.0)
    assert (row["preference"], row["preference_low"], row["preference_high"]) == (0.0, 0.0, 0.0)
    assert (row["accuracy"], row["right_both"]) == (1.0, 12)


def test_a_judge_that_only_ties_prefers_no_place() -> None:
    """Without an answer that names A or B a preference is not known; ties are not right."""
    row = one(pair_orders(pairs_frame([("tie", "tie")] * 5)))
    assert (row["preference"], row["preference_low"], row["preference_high"]) == (None, None, None)
    assert (row["flip_rate"], row["accuracy"], row["ties_full"]) == (0.0, 0.0, 5)


def test_known_bias_is_recovered() -> None:
    """A judge that names A in 30 % of answers unseen and is right otherwise: its rates lie in their intervals."""
    rng = np.random.default_rng(3)
    blind = rng.random((800, 2)) < 0.3
    verdicts: Verdicts = [("first", "second" if turned else "first") for _, turned in blind.tolist()]
    row = one(pair_orders(pairs_frame(verdicts)))
    assert row["flip_rate_low"] < 0.3 < row["flip_rate_high"]
    assert row["preference_low"] < 0.15 < row["preference_high"]
    assert row["accuracy_low"] < 0.85 < row["accuracy_high"]
    assert row["p_position"] < 1e-12


def test_only_pairs_in_both_orders_are_compared() -> None:
    """A pair of one order counts in that order's accuracy and nowhere else; alone it leaves all rates unknown."""
    frame = pairs_frame([("first", "first"), ("second", "second")])
    lame = frame.filter((pl.col("condition") == "full") | (pl.col("row_id") == "p000"))
    row = one(pair_orders(lame))
    assert (row["pairs"], row["accuracy"]) == (1, 1.0)
    assert order_accuracy(lame)["rows"].to_list() == [2, 1]
    alone = one(pair_orders(frame.filter(pl.col("condition") == "full")))
    assert (alone["pairs"], alone["read"], alone["flips"], alone["right_both"]) == (0, 0, 0, 0)
    assert [alone[name] for name in ("flip_rate", "p_position", "preference", "accuracy")] == [None] * 4


def test_other_conditions_are_left_out() -> None:
    """Only the two orders are orders."""
    frame = pairs_frame(HAND)
    padded = frame.with_columns(condition=pl.lit("padding")).unique(["row_id"])
    assert_frame_equal(pair_orders(pl.concat([frame, padded])), pair_orders(frame))


def test_undelivered_answers_are_unread_and_not_wrong() -> None:
    """An answer that never came leaves its pair unread and is no part of accuracy; an unparsed one is wrong."""
    frame = pairs_frame([("first", "first"), (None, "first")])
    pending = frame.with_columns(
        status=pl.when(pl.col("verdict").is_null()).then(pl.lit("pending")).otherwise("status")
    )
    assert one(pair_orders(pending))["accuracy"] == 1.0
    assert one(pair_orders(frame))["accuracy"] == 0.75
    assert one(pair_orders(pending))["unread"] == one(pair_orders(frame))["unread"] == 1


def test_one_question_has_no_interval() -> None:
    """Two pairs of one question: rates are known, intervals are not, and the sign test sees one question."""
    row = one(pair_orders(pairs_frame([("first", "second")] * 2, ["q", "q"])))
    assert (row["questions"], row["flips"], row["questions_a"], row["p_position"]) == (1, 2, 1, 1.0)
    ends = [f"{name}_{end}" for name in ("flip_rate", "preference", "accuracy") for end in ("low", "high")]
    assert [row[name] for name in ends] == [None] * 6


def test_a_question_is_won_by_the_place_with_more_pairs() -> None:
    """Two A and one B in one question, one each in another: one question for A, one tied."""
    verdicts: Verdicts = (
        [("first", "second")] * 2 + [("second", "first")] + [("first", "second"), ("second", "first")]
    )
    row = one(pair_orders(pairs_frame(verdicts, ["a", "a", "a", "b", "b"])))
    assert (row["position_a"], row["position_b"], row["questions_a"], row["questions_b"]) == (3, 2, 1, 0)


def test_replicates_are_pairs_of_their_own() -> None:
    """The orders of one replicate are compared with each other, never across."""
    frames = [pairs_frame([("first", "first")]), pairs_frame([("second", "second")], replicate=1)]
    row = one(pair_orders(pl.concat(frames)))
    assert (row["pairs"], row["flips"], row["questions"]) == (2, 0, 1)


def test_an_answer_that_stands_twice_is_told() -> None:
    """Two answers on one pair in one order cannot both be meant."""
    frame = pairs_frame(HAND)
    with pytest.raises(BadInputError, match="dataset 'd', pair 'p002': two answers of judge 'j', design 'P'"):
        pair_orders(pl.concat([frame, frame.filter(pl.col("row_id") == "p002")]))


def test_compact_logs_without_a_position_column_serve_as_well() -> None:
    """What is said of a position follows from winner and order alone."""
    frame = pairs_frame(HAND)
    assert_frame_equal(pair_orders(compact(frame)), pair_orders(frame))
    assert_frame_equal(order_accuracy(compact(frame)), order_accuracy(frame))


def test_no_pairs_give_empty_tables() -> None:
    """Without rows the tables have their columns and no row."""
    frame = pairs_frame(HAND)
    assert pair_orders(frame.clear()).schema == pair_orders(frame).schema
    assert order_accuracy(frame.clear()).schema == order_accuracy(frame).schema
    assert pair_orders(frame.clear()).height == order_accuracy(frame.clear()).height == 0


answers = st.sampled_from(["first", "second", "tie", None])


@given(st.lists(st.tuples(answers, answers), min_size=1, max_size=12), st.integers(1, 4), st.randoms())
@settings(max_examples=40, deadline=None)
def test_counts_add_up_and_rows_may_stand_anywhere(verdicts: Verdicts, questions: int, random: Any) -> None:
    """Flips are swaps and tie changes, swaps follow A or B; the order of rows and of the places has no effect."""
    frame = pairs_frame(verdicts, [f"q{n % questions}" for n in range(len(verdicts))])
    row = one(pair_orders(frame))
    assert row["read"] + row["unread"] == row["pairs"] == len(verdicts)
    assert row["flips"] == row["winner_swaps"] + row["tie_changes"]
    assert row["winner_swaps"] == row["position_a"] + row["position_b"]
    assert abs(row["ties_full"] - row["ties_reversed"]) <= row["tie_changes"]
    shuffled = list(range(frame.height))
    random.shuffle(shuffled)
    assert_frame_equal(pair_orders(frame[shuffled]), pair_orders(frame), check_exact=True)
    turned = frame.with_columns(condition=pl.col("condition").replace({"full": "reversed", "reversed": "full"}))
    other = one(pair_orders(turned))
    assert (other["flips"], other["position_a"]) == (row["flips"], row["position_b"])
    assert other["accuracy"] == row["accuracy"]
