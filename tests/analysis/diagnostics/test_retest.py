"""Asking again: how stable verdicts are, and how much of being right is chance."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judgeray.analysis.diagnostics.retest import retest
from judgeray.analysis.grid import grid_of
from judgeray.stats.bootstrap import clustered_ratios
from tests.analysis.diagnostics.made_verdicts import Rows, told
from tests.analysis.made_logs import make_log, one


def again(*replicates: str, rows_a_question: int = 1, **arm: Any) -> Rows:
    """Rows of one arm, a string of verdicts a replicate."""
    return [
        row for number, said in enumerate(replicates)
        for row in told(said, "", (), rows_a_question, replicate=number, **arm)
    ]  # fmt: skip


def table(rows: Rows) -> pl.DataFrame:
    """Compute the table of a made log."""
    return retest(grid_of(make_log(rows)))


def test_three_replicates_by_hand() -> None:
    """Rows sss, spp, spu, and one that is silent once: one of three stable, pairs agree in 3, 1 and 0 of three."""
    found = one(table(again("sss-", "spps", "spus")))
    assert (found["rows"], found["replicates"], found["questions"], found["complete_rows"]) == (4, 3, 4, 3)
    assert (found["stable_rows"], found["stable_share"]) == (1, pytest.approx(1 / 3))
    assert found["pair_agreement"] == pytest.approx((3 + 1 + 0) / 9)
    (stable,) = clustered_ratios([1, 0, 0], [1, 1, 1], "share of rows")
    (agreed,) = clustered_ratios([3, 1, 0], [3, 3, 3], "share of rows")
    assert (found["stable_share_low"], found["stable_share_high"]) == (stable.low, stable.high)
    assert (found["pair_agreement_low"], found["pair_agreement_high"]) == (agreed.low, agreed.high)


def test_right_and_wrong_by_hand() -> None:
    """Right 3, 1, 1 and 2 of three (the silent reply is wrong): 7 of 12; within (0 + 2 + 2 + 2) / 6 / 4 = 1/4."""
    found = one(table(again("sss-", "spps", "spus")))
    assert (found["settled_rows"], found["accuracy_mean"]) == (4, pytest.approx(7 / 12))
    assert found["within_variance"] == pytest.approx(1 / 4)
    of_means = ((1 - 7 / 12) ** 2 + 2 * (1 / 3 - 7 / 12) ** 2 + (2 / 3 - 7 / 12) ** 2) / 3
    assert found["between_variance"] == pytest.approx(of_means - 1 / 4 / 3)
    assert found["share_within"] == pytest.approx((1 / 4) / (1 / 4 + of_means - 1 / 12))


def test_a_judge_that_never_wavers() -> None:
    """All variance is between rows: share 0. Without any variance the share is not known."""
    found = one(table(again("ssuu", "ssuu")))
    assert (found["stable_share"], found["pair_agreement"], found["accuracy_mean"]) == (1.0, 1.0, 0.5)
    assert (found["within_variance"], found["between_variance"]) == (0.0, pytest.approx(1 / 3))
    assert found["share_within"] == 0.0
    always = one(table(again("ss", "ss")))
    assert (always["between_variance"], always["share_within"]) == (0.0, None)


def test_a_judge_that_only_wavers() -> None:
    """Every row right once of twice: all variance is within rows."""
    found = one(table(again("susu", "usus")))
    assert (found["stable_rows"], found["pair_agreement"], found["accuracy_mean"]) == (0, 0.0, 0.5)
    assert (found["within_variance"], found["between_variance"], found["share_within"]) == (0.5, 0.0, 1.0)


def test_a_row_that_a_replicate_lacks_is_not_complete() -> None:
    """Absent and pending rows are neither complete nor settled; an unparsed one is settled and wrong."""
    found = one(table(again("ssss", "s ?-")))
    assert (found["rows"], found["complete_rows"], found["settled_rows"]) == (4, 1, 2)
    assert (found["accuracy_mean"], found["stable_share"]) == (0.75, 1.0)


def test_nothing_complete_is_not_known() -> None:
    """Two replicates of different rows: counted, and nothing said."""
    found = one(table(again("s ", " s")))
    assert (found["rows"], found["replicates"], found["complete_rows"], found["settled_rows"]) == (2, 2, 0, 0)
    unknown = ("stable_share", "stable_share_low", "pair_agreement", "accuracy_mean", "within_variance")
    assert {found[name] for name in (*unknown, "between_variance", "share_within")} == {None}


def test_one_row_has_no_variance_between_rows() -> None:
    """Nor has one question an interval."""
    found = one(table(again("s", "u")))
    assert (found["within_variance"], found["between_variance"], found["share_within"]) == (0.5, None, None)
    assert (found["stable_share"], found["stable_share_low"]) == (0.0, None)


def test_rows_of_a_question_stay_together() -> None:
    """Two questions of two and one complete rows: every row weighs the same, questions are resampled."""
    found = one(table(again("ssu", "suu", rows_a_question=2)))
    (stable,) = clustered_ratios([1, 1], [2, 1], "share of rows")
    assert (found["questions"], found["complete_rows"], found["stable_share"]) == (2, 3, pytest.approx(2 / 3))
    assert (found["stable_share_low"], found["stable_share_high"]) == (stable.low, stable.high)


def test_cells_judged_once_are_left_out() -> None:
    """Only H was asked again; without any such cell the table is empty with its columns."""
    rows = told("ss") + again("su", "ss", design="H")
    assert table(rows)["design"].to_list() == ["H"]
    assert table(told("ss")).is_empty()
    assert table(told("ss")).schema == table(rows).schema


@settings(max_examples=60, deadline=None)
@given(said=st.lists(st.text("spu-", min_size=4, max_size=4), min_size=2, max_size=4))
def test_pairs_are_what_counting_them_gives(said: list[str]) -> None:
    """Agreeing pairs of replicates over complete rows, one by one."""
    found = one(table(again(*said)))
    rows = [row for row in zip(*said, strict=True) if "-" not in row]
    assert (found["complete_rows"], found["stable_rows"]) == (len(rows), sum(len(set(row)) == 1 for row in rows))
    pairs = [row[i] == row[j] for row in rows for i in range(len(row)) for j in range(i)]
    expected = pytest.approx(sum(pairs) / len(pairs)) if pairs else None
    assert found["pair_agreement"] == expected
