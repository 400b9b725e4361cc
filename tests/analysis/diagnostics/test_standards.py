"""Judges against several label standards: small cases worked out by hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from judgeray.analysis.compact import compact
from judgeray.analysis.diagnostics.standard_accuracy import standard_accuracy
from judgeray.analysis.diagnostics.standard_agreement import standard_agreement
from judgeray.analysis.diagnostics.standard_contrasts import standard_contrasts
from judgeray.analysis.diagnostics.standard_disagreements import standard_disagreements
from judgeray.analysis.diagnostics.standards import read_standards
from tests.analysis.diagnostics.made_standards import P, S, U, standards_frame, verdict_rows
from tests.analysis.made_logs import make_log, one

LABELS = {"q1:a": S, "q1:b": P, "q2:a": S, "q2:b": P}
LOOSE = {"q1:a": S, "q1:b": S, "q2:a": S}
"""The annotator left one row unlabelled."""


def small_log(loser: str = "H") -> pl.DataFrame:
    """C says supported always, H says partially always; H is silent on one row, `loser` lost another."""
    always: dict[str, dict[str, str | None]] = {"C": dict.fromkeys(LABELS, S), "H": dict.fromkeys(LABELS, P)}
    always["H"]["q1:a"] = None
    rows = [row for design, verdicts in always.items() for row in verdict_rows(design, verdicts, LABELS)]
    lost = {"row_id": "q2:a", "design": loser}
    pending = {"verdict": None, "status": "pending"}
    return make_log([row | (pending if lost.items() <= row.items() else {}) for row in rows])


def test_rows_are_those_that_the_standard_labels_and_the_arm_settled() -> None:
    """A silent row is settled and wrong, a lost one is out, an unlabelled one is out under that standard alone."""
    table = standard_accuracy(small_log(), standards_frame({"construction": LABELS, "ann": LOOSE}))
    found = table.filter(pl.col("dataset") == "d").select("standard", "design", "rows", "right").rows()
    assert found == [
        ("ann", "C", 3, 3),
        ("ann", "H", 2, 0),
        ("construction", "C", 4, 2),
        ("construction", "H", 3, 2),
    ]


@pytest.mark.parametrize("loser", ["H", "C"])
def test_contrasts_and_ranks_are_over_rows_that_both_settled(loser: str) -> None:
    """H minus C over q1:a and q1:b: by construction 1 right each, by the annotator 0 and 2."""
    table = standard_contrasts(small_log(loser), standards_frame({"construction": LABELS, "ann": LOOSE}))
    row = one(table.filter(pl.col("dataset") == "d"))
    assert (row["a"], row["b"], row["standard"], row["rows"], row["questions"]) == ("H", "C", "ann", 2, 1)
    assert (row["delta_construction"], row["delta_standard"], row["reversed"]) == (0.0, -1.0, False)
    assert (row["delta_standard_low"], row["delta_standard_high"]) == (None, None)
    assert (row["order_construction"], row["order_standard"]) == ("C = H", "C > H")


def test_equal_designs_share_a_rank() -> None:
    """Equals stand in the order of the paper, joined by an equals sign."""
    labels = {"q1:a": S, "q1:b": P}
    said: dict[str, dict[str, str | None]] = {
        "C": {"q1:a": S, "q1:b": S},
        "H": {"q1:a": P, "q1:b": P},
        "R": {"q1:a": S, "q1:b": P},
    }
    log = make_log([row for design, verdicts in said.items() for row in verdict_rows(design, verdicts, labels)])
    table = standard_contrasts(log, standards_frame({"construction": labels, "ann": {"q1:a": U, "q1:b": U}}))
    assert set(table["order_construction"]) == {"R > C = H"}
    assert set(table["order_standard"]) == {"C = H = R"}


def test_designs_without_common_rows_have_no_difference() -> None:
    """Nothing to compare is null, and nothing is reversed."""
    labels = {"q1:a": S, "q2:a": S}
    rows = verdict_rows("C", {"q1:a": S}, labels) + verdict_rows("H", {"q2:a": S}, labels)
    rows += verdict_rows("H", {"q1:a": None}, labels, status="pending")
    row = standard_contrasts(make_log(rows), standards_frame({"construction": labels, "ann": labels})).row(
        0, named=True
    )
    assert (row["rows"], row["questions"], row["delta_standard"], row["reversed"]) == (0, 0, None, None)
    accuracies = standard_accuracy(make_log(rows), standards_frame({"ann": {"q1:a": S}}))
    assert accuracies.filter(pl.col("design") == "H").select("rows", "accuracy").rows() == [(0, None)] * 2


def test_replicates_are_paired_with_their_own() -> None:
    """Replicates count as rows and are compared replicate by replicate."""
    labels = {"q1:a": S}
    rows = [
        row
        for design, verdicts in (("C", (S, U)), ("H", (U, S)))
        for replicate, verdict in enumerate(verdicts)
        for row in verdict_rows(design, {"q1:a": verdict}, labels, replicate=replicate)
    ]
    row = standard_contrasts(make_log(rows), standards_frame({"construction": labels, "ann": labels})).row(
        0, named=True
    )
    assert (row["rows"], row["questions"], row["delta_standard"]) == (2, 1, 0.0)


def test_agreement_of_three_annotators_by_hand() -> None:
    """Pairs count rows that both labelled; alpha counts rows that two or more did (Krippendorff, nominal)."""
    given = {
        "a": {"q1:a": S, "q2:a": S, "q3:a": P, "q4:a": P, "q5:a": S},
        "b": {"q1:a": S, "q2:a": P, "q4:a": P},
        "c": {"q1:a": S, "q3:a": P},
    }
    table = standard_agreement(standards_frame(given)).filter(pl.col("dataset") == "d")
    assert table.select("a", "b", "rows", "agree").rows() == [
        ("a", "b", 3, 2),
        ("a", "c", 2, 2),
        ("all annotators", None, 4, 3),
        ("b", "c", 1, 1),
    ]
    # Values by rows: SSS, SP, PP, PP. Nine of them, four S and five P; ordered pairs that differ: two.
    assert table["krippendorff_alpha"].to_list()[2] == pytest.approx(1 - (9 - 1) * 2 / (2 * 4 * 5))
    # a and b: SS, SP, PP. Observed 2/3, expected 2/3 * 1/3 + 1/3 * 2/3.
    assert table["cohen_kappa"].to_list()[0] == pytest.approx((2 / 3 - 4 / 9) / (5 / 9))


def test_agreement_where_one_label_alone_stands_is_not_beyond_chance() -> None:
    """All supported by both: a share of 1, and no kappa; without common rows no share either."""
    same = {"q1:a": S, "q2:a": S}
    row = standard_agreement(standards_frame({"construction": same, "ann": same})).row(0, named=True)
    assert (row["share"], row["cohen_kappa"], row["rows"]) == (1.0, None, 2)
    apart = standards_frame({"a": {"q1:a": S}, "b": {"q2:a": S}})
    assert {(row["rows"], row["share"]) for row in standard_agreement(apart).rows(named=True)} == {(0, None)}


def test_disagreements_leave_unlabelled_rows_null() -> None:
    """A row is listed where any two standards differ; who did not label it says nothing."""
    given = {
        "construction": {"q2:a": S, "q1:b": P, "q1:a": S},
        "ann": {"q2:a": S, "q1:b": S, "q1:a": S},
        "ben": {"q1:a": U},
        "majority": {"q1:a": S},
    }
    table = standard_disagreements(standards_frame(given))
    assert table.columns[4:] == ["construction", "ann", "ben", "majority"]
    assert table.select("row_id", *table.columns[4:]).rows() == [("q1:a", S, S, U, S), ("q1:b", P, S, None, None)]


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=8, deadline=None)
def test_order_of_rows_and_compact_types_have_no_effect(seed: int) -> None:
    """Log and standards in any order, the log compact or not: the same four tables."""
    rng = np.random.default_rng(seed)
    names = ["a", "b", "c"]
    rows = [f"q{n % 4}:{n}" for n in range(8)]
    labels = {row: (S, P, U)[n % 3] for n, row in enumerate(rows)}
    given = {"construction": labels} | {name: {row: str(rng.choice([S, P, U])) for row in rows} for name in names}
    frame = standards_frame(given)
    said = [
        row
        for design in "CHR"
        for row in verdict_rows(design, {name: str(rng.choice([S, P, U])) for name in rows}, labels)
    ]
    log = make_log(said)
    shuffled = frame.sample(fraction=1.0, shuffle=True, seed=seed)
    other = compact(make_log([said[n] for n in rng.permutation(len(said))]))
    assert_frame_equal(standard_agreement(shuffled), standard_agreement(frame))
    assert_frame_equal(standard_disagreements(shuffled), standard_disagreements(frame))
    assert_frame_equal(standard_accuracy(other, shuffled), standard_accuracy(log, frame))
    assert_frame_equal(standard_contrasts(other, shuffled), standard_contrasts(log, frame))


def test_a_file_of_labels_goes_all_the_way(tmp_path: Path) -> None:
    """From a CSV of one annotator to a reversal."""
    labels = {f"q{n}:a": P for n in range(12)}
    log = make_log(
        [
            *verdict_rows("C", dict.fromkeys(labels, S), labels),
            *verdict_rows("R", dict.fromkeys(labels, P), labels),
        ]
    )
    path = tmp_path / "loose.csv"
    path.write_text("row_id,label\n" + "".join(f"{row},{S}\n" for row in labels))
    row = standard_contrasts(log, read_standards(path, log)).row(0, named=True)
    assert (row["a"], row["b"], row["delta_construction"], row["delta_standard"]) == ("R", "C", 1.0, -1.0)
    assert (row["reversed"], row["order_construction"], row["order_standard"]) == (True, "R > C", "C > R")
