"""Wordings of designs: each by itself, and whether every one of a family is ahead of every one of another."""

from __future__ import annotations

import polars as pl
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from judgeray.analysis.diagnostics.wordings import wording_contrasts, wordings
from judgeray.analysis.grid import grid_of
from judgeray.stats.bootstrap import clustered_means
from tests.analysis.diagnostics.made_verdicts import Rows, told
from tests.analysis.made_logs import make_log, one


def family(design: str) -> str:
    """C.v2 is of family C."""
    return design.partition(".")[0]


def contrasts(rows: Rows) -> pl.DataFrame:
    """Compute the contrasts of a made log."""
    return wording_contrasts(grid_of(make_log(rows)), family)


def test_each_wording_stands_in_its_family() -> None:
    """Accuracy and tokens are those of the table `accuracy`, sorted by family, then by version."""
    rows = told("sus", design="H.v2", total_tokens=9) + told("sss", design="C", total_tokens=3)
    rows += told("uss", design="H", total_tokens=7) + told("ss?", design="C.v3")
    table = wordings(grid_of(make_log(rows)), family)
    assert " ".join(table.columns) == (
        "dataset judge condition family design rows questions accuracy accuracy_low accuracy_high mean_total_tokens"
    )
    assert table.select("family", "design", "rows", "accuracy", "mean_total_tokens").rows() == [
        ("C", "C", 3, 1.0, 3.0), ("C", "C.v3", 3, 1.0, None),
        ("H", "H", 3, 2 / 3, 7.0), ("H", "H.v2", 3, 2 / 3, 9.0),
    ]  # fmt: skip


def test_every_wording_of_one_family_is_ahead_of_every_one_of_the_other() -> None:
    """H right on 4 and 3 of four, C on 2 and 1: four pairs of four, and the lowest H above the highest C."""
    rows = told("ssss", design="H") + told("sssu", design="H.v2")
    rows += told("ssuu", design="C") + told("suuu", design="C.v2")
    found = one(contrasts(rows))
    assert (found["family_a"], found["family_b"], found["versions_a"], found["versions_b"]) == ("H", "C", 2, 2)
    assert (found["rows"], found["questions"], found["pairs"]) == (4, 4, 4)
    assert (found["pairs_a_ahead"], found["pairs_b_ahead"], found["pairs_tied"]) == (4, 0, 0)
    ends = ("lowest_a", "highest_a", "lowest_b", "highest_b")
    assert [found[end] for end in ends] == [0.75, 1.0, 0.25, 0.5]
    (delta,) = clustered_means([0, 2, 4, 2], [4, 4, 4, 4], "share of rows")
    assert (found["delta"], found["delta_low"], found["delta_high"]) == (0.5, delta.low, delta.high)
    assert found["p_sign"] == 0.25


def test_ties_are_counted_as_ties() -> None:
    """One version against two: ahead of one, level with the other; equal means of a question are no win."""
    found = one(contrasts(told("ssu", design="H") + told("suu", design="C") + told("uss", design="C.v2")))
    assert (found["pairs"], found["pairs_a_ahead"], found["pairs_b_ahead"], found["pairs_tied"]) == (2, 1, 0, 1)
    assert (found["delta"], found["p_sign"]) == (pytest.approx((0.5 + 0.5 - 0.5) / 3), 1.0)


def test_only_rows_that_all_versions_settled_are_compared() -> None:
    """Absent and pending rows leave every version; an unparsed row is wrong; replicates are rows."""
    rows = told("sssss", design="H") + told(" ssss", design="C") + told("ss?-u", design="C.v2")
    found = one(contrasts(rows + told("s", design="H", replicate=1)))
    assert (found["rows"], found["lowest_a"], found["lowest_b"], found["highest_b"]) == (3, 1.0, 1 / 3, 1.0)
    assert (found["pairs_a_ahead"], found["pairs_tied"]) == (1, 1)


def test_without_a_common_row_nothing_is_known() -> None:
    """Versions and pairs are counted, all else is null."""
    found = one(contrasts(told("s", design="H") + told(" s", design="C") + told("s", design="C.v2")))
    assert (found["versions_b"], found["pairs"], found["rows"], found["questions"]) == (2, 2, 0, 0)
    assert {found[name] for name in ("pairs_a_ahead", "pairs_tied", "lowest_a", "delta", "p_sign")} == {None}


def test_one_question_has_a_difference_without_interval() -> None:
    """The value stands, its interval does not."""
    found = one(contrasts([row for design in ("H", "C", "C.v2") for row in told("s", design=design)]))
    assert (found["delta"], found["delta_low"], found["p_sign"]) == (0.0, None, 1.0)


def test_two_versions_in_all_are_a_contrast_of_designs() -> None:
    """C against H once each is not listed, nor is a family alone; R has two versions, so it meets both."""
    rows = [row for design in ("C", "H", "R", "R.v2") for row in told("su", design=design)]
    assert contrasts(rows).select("family_a", "family_b").rows() == [("R", "C"), ("R", "H")]
    for few in (("C", "H"), ("R", "R.v2")):
        table = contrasts([row for row in rows if row["design"] in few])
        assert table.is_empty()
        assert table.schema == contrasts(rows).schema


def test_places_are_kept_apart() -> None:
    """Judges and conditions have their own contrasts, sorted."""
    rows = [
        row
        for judge, condition in (("y", "full"), ("x", "padding"), ("x", "full")) for design in ("C", "C.v2", "H")
        for row in told("su", design=design, judge=judge, condition=condition)
    ]  # fmt: skip
    assert contrasts(rows).select("judge", "condition").rows() == [("x", "full"), ("x", "padding"), ("y", "full")]


letters = st.text("su-? ", min_size=5, max_size=5)


@settings(max_examples=60, deadline=None)
@given(versions=st.lists(letters, min_size=4, max_size=4))
def test_counts_are_those_of_comparing_one_by_one(versions: list[str]) -> None:
    """Ahead, behind and level add up; all ahead says the same as lowest above highest; delta is a mean of means."""
    assume(all(version.strip() for version in versions))
    names = ("H", "H.v2", "C", "C.v2")
    rows = [row for name, said in zip(names, versions, strict=True) for row in told(said, "", (), 2, design=name)]
    found = one(contrasts(rows))
    common = [n for n in range(5) if not {version[n] for version in versions} & {"?", " "}]
    assert found["rows"] == len(common)
    if not common:
        return
    right = [[version[n] == "s" for n in common] for version in versions]
    signs = [(sum(a) > sum(b)) - (sum(a) < sum(b)) for a in right[:2] for b in right[2:]]
    counted = found["pairs_a_ahead"], found["pairs_b_ahead"], found["pairs_tied"]
    assert counted == (signs.count(1), signs.count(-1), signs.count(0))
    assert (found["pairs_a_ahead"] == found["pairs"]) == (found["lowest_a"] > found["highest_b"])
    questions = sorted({n // 2 for n in common})
    means = [[_mean(r, common, question) for question in questions] for r in right]
    deltas = [(a + b) / 2 - (c + d) / 2 for a, b, c, d in zip(*means, strict=True)]
    assert found["delta"] == pytest.approx(sum(deltas) / len(deltas), abs=1e-12)


def _mean(right: list[bool], rows: list[int], question: int) -> float:
    mine = [r for r, n in zip(right, rows, strict=True) if n // 2 == question]
    return sum(mine) / len(mine)
