"""Flips against a base: what is compared, which way it went, and what is left unknown."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judgeray.analysis.diagnostics.flips import class_flips, condition_flips
from judgeray.analysis.grid import grid_of
from judgeray.rows import LABELS
from judgeray.stats.bootstrap import clustered_means, clustered_ratios
from judgeray.stats.multiplicity import holm
from judgeray.stats.sign_test import sign_test_p
from tests.analysis.diagnostics.made_verdicts import Rows, told
from tests.analysis.made_logs import make_log, one

COLUMNS = (
    "dataset judge design condition rows questions unread flips flip_rate flip_rate_low flip_rate_high "
    "softer harsher score_rows score_shift score_shift_low score_shift_high "
    "delta_accuracy delta_accuracy_low delta_accuracy_high wins losses p_sign p_holm"
)


def flips(rows: Rows, base: str = "full") -> pl.DataFrame:
    """Compute the table of a made log."""
    return condition_flips(grid_of(make_log(rows)), base)


def by_class(rows: Rows) -> pl.DataFrame:
    """Compute the table by label of a made log."""
    return class_flips(grid_of(make_log(rows)))


def test_flips_are_counted_on_rows_that_were_read_twice() -> None:
    """Six rows, one unread on each side: of four, one softer, two harsher; silent rows are wrong, not flipped."""
    found = one(flips(told("spp-ss", "spusps") + told("psus-s", "spusps", condition="padding")))
    assert (found["condition"], found["rows"], found["questions"], found["unread"]) == ("padding", 4, 4, 2)
    assert (found["flips"], found["flip_rate"], found["softer"], found["harsher"]) == (3, 0.75, 1, 2)
    assert (found["wins"], found["losses"], found["delta_accuracy"], found["p_sign"]) == (2, 2, 0.0, 1.0)
    assert (found["score_rows"], found["score_shift"]) == (0, None)


def test_rows_that_one_side_lacks_are_no_pairs_and_pending_ones_are_unread() -> None:
    """An absent row counts nowhere; a pending one is unread and has no part in accuracy."""
    found = one(flips(told("ss s") + told("u?us", condition="padding")))
    assert (found["rows"], found["unread"], found["flips"]) == (2, 1, 1)
    assert (found["wins"], found["losses"], found["delta_accuracy"]) == (0, 1, -0.5)


def test_intervals_resample_questions_and_keep_their_rows_together() -> None:
    """Rates weigh rows, differences weigh questions, each with the interval of its estimator."""
    base = told("ssssss ", scores=[5, 5, 5, 5, 4, 5, 0], rows_a_question=2)
    other = told("uusuus ", scores=[1, 2, 5, 5, 4, None, 0], rows_a_question=2, condition="x")
    found = one(flips(base + other + told("s", "p", question_id="q009", row_id="z") + told(
        "p", "p", question_id="q009", row_id="z", condition="x"
    )))  # fmt: skip
    (rate,) = clustered_ratios([2, 1, 1, 1], [2, 2, 2, 1], "share of rows")
    (shift,) = clustered_means([-7, 0, 0], [2, 2, 1], "score")
    (delta,) = clustered_means([-2, -1, -1, 1], [2, 2, 2, 1], "share of rows")
    for name, e in (("flip_rate", rate), ("score_shift", shift), ("delta_accuracy", delta)):
        assert (found[name], found[f"{name}_low"], found[f"{name}_high"]) == (e.value, e.low, e.high)
    assert found["flip_rate_low"] < found["flip_rate"] < found["flip_rate_high"]
    assert (found["flip_rate"], found["score_shift"]) == (5 / 7, pytest.approx(-3.5 / 3))


def test_a_score_counts_where_the_verdict_was_read_and_both_are_known() -> None:
    """Of four rows: one score missing, one row without a verdict; the rest shift by -2 and +1."""
    base = told("ssss", scores=[5, 4, 5, None])
    found = one(flips(base + told("us-s", scores=[3, 5, 1, 2], condition="x")))
    assert (found["rows"], found["score_rows"], found["score_shift"]) == (3, 2, -0.5)


def test_verdicts_without_an_order_are_neither_softer_nor_harsher() -> None:
    """`first` and `second` flip without a direction; supported to unsupported beside them hides nothing."""
    rows = told("1s", "1s") + told("2u", "1s", condition="x")
    assert one(flips(rows).select("rows", "flips", "softer", "harsher")) == {
        "rows": 2, "flips": 2, "softer": None, "harsher": None
    }  # fmt: skip
    assert by_class(rows).select("label", "flips", "softer", "harsher").rows() == [
        ("first", 1, None, None), ("supported", 1, 0, 1)
    ]  # fmt: skip


def test_one_question_has_a_rate_without_interval() -> None:
    """A single source question says nothing of others."""
    found = one(flips(told("su", scores=[1, 2], rows_a_question=2) + told(
        "uu", scores=[1, 1], rows_a_question=2, condition="x"
    )))  # fmt: skip
    assert (found["rows"], found["questions"], found["flip_rate"], found["score_shift"]) == (2, 1, 0.5, -0.5)
    names = ("flip_rate", "score_shift", "delta_accuracy")
    assert [found[f"{name}_{end}"] for name in names for end in ("low", "high")] == [None] * 6


def test_nothing_in_common_is_shown_with_nothing_known() -> None:
    """An arm whose rows are others than the base's stays in the table; only the p-values of others are adjusted."""
    rows = told("ss") + told("  uu", condition="x") + told("uu", condition="y")
    other, compared = flips(rows).to_dicts()
    assert (other["condition"], other["rows"], other["unread"], other["flips"], other["wins"]) == ("x", 0, 0, 0, 0)
    unknown = ("flip_rate", "flip_rate_low", "score_shift", "delta_accuracy", "p_sign", "p_holm")
    assert {other[name] for name in unknown} == {None}
    assert compared["p_sign"] == compared["p_holm"] == 0.5
    assert by_class(rows)["condition"].to_list() == ["y"]


def test_replicates_meet_their_own() -> None:
    """Replicate 1 is held against replicate 1 of the base; where that has none, the row is left out."""
    rows = told("su", replicate=0) + told("u", replicate=1)
    other = told("su", replicate=0, condition="x") + told("su", replicate=1, condition="x")
    found = one(flips(rows + other))
    assert (found["rows"], found["questions"], found["flips"], found["softer"]) == (3, 2, 1, 1)


def test_arms_without_the_base_are_left_out_and_the_base_can_be_chosen() -> None:
    """Design H was never run unchanged; with `padding` as base, `full` is what is compared."""
    rows = told("ss") + told("su", condition="padding") + told("uu", condition="padding", design="H")
    assert flips(rows).select("design", "condition").rows() == [("C", "padding")]
    turned = one(flips(rows, base="padding"))
    assert (turned["condition"], turned["softer"], turned["harsher"], turned["wins"]) == ("full", 1, 0, 1)


def test_an_empty_table_has_its_columns() -> None:
    """One condition: no rows, the same schema as with two."""
    alone, both = told("ss"), told("ss") + told("su", condition="x")
    assert " ".join(flips(alone).columns) == COLUMNS
    for table in (flips, by_class):
        assert table(alone).is_empty()
        assert table(alone).schema == table(both).schema


def test_p_values_are_adjusted_over_the_table() -> None:
    """Five lost questions, three lost questions: Holm over both arms, sorted by name."""
    rows = told("ssssss") + told("uuuuus", condition="a") + told("uuusss", condition="b")
    found = flips(rows)
    p = [float(sign_test_p(0, lost)) for lost in (5, 3)]
    assert found["condition"].to_list() == ["a", "b"]
    assert found["p_sign"].to_list() == p
    assert found["p_holm"].to_list() == holm(p).tolist()


letters = st.text("spu-? ", min_size=6, max_size=6)


@settings(max_examples=60, deadline=None)
@given(base=letters, other=letters, labels=st.text("su", min_size=6, max_size=6))
def test_classes_add_up_and_a_join_finds_the_same(base: str, other: str, labels: str) -> None:
    """Whatever is missing where: sums over labels are the whole, and both are what joining by row id gives."""
    rows = told(base, labels, [1, 2, 3, 4, 5, 1], 2) + told(other, labels, [5, 5, 5, 1, 1, 1], 2, condition="x")
    if not base.strip() or not other.strip():
        return
    whole, parts = one(flips(rows)), by_class(rows)
    counted = ("rows", "unread", "flips", "softer", "harsher", "score_rows")
    assert {name: parts[name].sum() for name in counted} == {name: whole[name] for name in counted}
    assert {name: whole[name] for name in counted} == _joined(base, other)


def _joined(base: str, other: str) -> dict[str, Any]:
    both = [(before, after) for before, after in zip(base, other, strict=True) if " " not in (before, after)]
    read = [pair for pair in both if not set(pair) & {"-", "?"}]
    order = {"s": 0, "p": 1, "u": 2}
    steps = [order[after] - order[before] for before, after in read]
    return {
        "rows": len(read), "unread": len(both) - len(read), "flips": sum(step != 0 for step in steps),
        "softer": sum(step < 0 for step in steps), "harsher": sum(step > 0 for step in steps),
        "score_rows": len(read),
    }  # fmt: skip


def test_verbosity_is_seen_in_false_content_alone() -> None:
    """Padding softens the unsupported rows and leaves the supported ones: the labels part what the whole mixes."""
    base = told("suusuu", "suusuu", [5, 1, 1, 5, 1, 2], 3)
    other = told("spssuu", "suusuu", [5, 3, 5, 5, 1, 2], 3, condition="padding")
    true, false = by_class(base + other).to_dicts()
    assert (true["label"], false["label"]) == (LABELS[0], LABELS[2])
    assert (true["flips"], true["score_shift"], false["flips"], false["softer"]) == (0, 0.0, 2, 2)
    assert (false["rows"], false["questions"], false["flip_rate"], false["score_shift"]) == (4, 2, 0.5, 1.5)
