"""Which rows are worth reading, who wins, and what too few questions cannot show."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

from judgeray.analysis import analyze, read_log
from judgeray.report.cases import KINDS, CellCases, find_cases
from judgeray.report.page.case_views import LONGEST_TEXT, shortened
from judgeray.report.page.claims import fewest_wins, further_claims
from judgeray.report.reliability import reliability
from judgeray.report.spending import cell_costs, output_spread
from judgeray.report.winners import winners
from tests.report.page_bench import log_rows


def read(folder: Path, rows: list[dict[str, Any]]) -> pl.DataFrame:
    """Write rows and read them as a log."""
    pl.DataFrame(rows, infer_schema_length=None).write_parquet(folder / "log.parquet")
    return read_log(folder / "log.parquet")


def cell(cells: list[CellCases], dataset: str, design: str, judge: str) -> CellCases:
    """Pick one cell."""
    return next(c for c in cells if (c.dataset, c.design, c.judge) == (dataset, design, judge))


def test_cases_are_failures_and_disagreements(tmp_path: Path) -> None:
    """Right where all are right is no case; every other row is counted under one kind."""
    cells = find_cases(read(tmp_path, log_rows()))
    assert cell(cells, "x", "C", "a").counts == ((KINDS[2], 4),)
    assert cell(cells, "x", "H", "a").counts == ((KINDS[3], 4),)
    assert cell(cells, "x", "C", "b").counts == ((KINDS[1], 1), (KINDS[2], 4))


def test_every_kind_has_its_turn(tmp_path: Path) -> None:
    """With room for two, a cell of five cases shows one of each kind, and counts all."""
    shown = cell(find_cases(read(tmp_path, log_rows()), per_cell=2), "x", "C", "b")
    assert [case.kind for case in shown.cases] == [KINDS[1], KINDS[2]]
    assert shown.total == 5


def test_the_page_is_bounded_whatever_the_log(tmp_path: Path) -> None:
    """Many cells show fewer rows each, at least one."""
    cells = find_cases(read(tmp_path, log_rows()), per_cell=5, most=16)
    assert max(len(c.cases) for c in cells) == 2
    assert all(c.cases for c in find_cases(read(tmp_path, log_rows()), most=1))


def test_wrong_under_every_design_and_unanswered_are_told_apart(tmp_path: Path) -> None:
    """A row nobody gets right is its own kind, and so is one that nobody answered."""
    rows = log_rows()
    for row in rows:
        if row["question_id"] == "q2":
            row["verdict"] = "unsupported"
        if row["question_id"] == "q4":
            row |= {"verdict": None, "status": "pending"}
    counts = dict(cell(find_cases(read(tmp_path, rows)), "x", "H", "a").counts)
    assert counts == {KINDS[0]: 1, KINDS[3]: 4, KINDS[4]: 1}


def test_the_order_of_rows_has_no_effect(tmp_path: Path) -> None:
    """The same log in another order shows the same rows."""
    assert find_cases(read(tmp_path, log_rows())) == find_cases(read(tmp_path, log_rows()[::-1]))


def test_costs_add_up_and_unknown_is_null(tmp_path: Path) -> None:
    """Dollars per 1,000 rows come from rows with a known cost; without any they are null."""
    rows = log_rows()
    for row in rows:
        row["cost_usd"] = None if row["judge"] == "b" or row["question_id"] == "q0" else 0.02
    costs = cell_costs(read(tmp_path, rows)).filter(pl.col("dataset") == "x", pl.col("design") == "C")
    assert costs.select("judge", "priced_rows", "usd_per_1000_rows").rows() == [("a", 7, 20.0), ("b", 0, None)]
    assert costs["cost_usd"].to_list() == [pytest.approx(0.14), None]


def test_output_spread_is_over_settled_rows(tmp_path: Path) -> None:
    """Quantiles of 10 to 17 tokens, type 7."""
    row = output_spread(read(tmp_path, log_rows())).row(0, named=True)
    assert (row["rows"], row["p05"], row["p50"], row["p95"]) == (8, 10.35, 13.5, 16.65)


def test_confidence_is_compared_with_accuracy(tmp_path: Path) -> None:
    """Tenths of stated confidence, with 1 in the last; a log without confidences has none."""
    log = read(tmp_path, log_rows())
    assert reliability(log).is_empty()
    stated = (pl.col("total_tokens").cast(pl.Float64) - 100) / 7
    table = reliability(log.with_columns(stated.alias("confidence")))
    last = table.filter(pl.col("dataset") == "x", pl.col("judge") == "a", pl.col("design") == "C")[-1]
    assert last.rows() == [("x", "a", "C", "0.9 to 1.0", 1, 1.0, 0.0)]
    assert table["rows"].sum() == log.filter(pl.col("status") == "ok").height


def test_a_winner_is_seen_from_its_own_side(tmp_path: Path) -> None:
    """Deltas are best minus other whichever way the contrast table has them, and ties share the first place."""
    tables = analyze(read(tmp_path, log_rows(16)))
    (first, *_) = winners(tables["accuracy"], tables["contrasts"])
    assert (first.best, first.thrifty) == (("H",), "H")
    (rival,) = first.rivals
    assert (rival.design, rival.delta, rival.told_apart) == ("C", 0.5, True)
    swapped = [row | {"design": "H" if row["design"] == "C" else "C"} for row in log_rows(16)]
    tables = analyze(read(tmp_path, swapped))
    (first, *_) = winners(tables["accuracy"], tables["contrasts"])
    (rival,) = first.rivals
    assert (first.best, rival.design, rival.delta) == (("C",), "H", 0.5)
    assert rival.low is not None
    assert 0 < rival.low < 0.5


def test_designs_that_tie_win_together(tmp_path: Path) -> None:
    """Equal accuracy has no first among equals."""
    tables = analyze(read(tmp_path, [row | {"verdict": "supported", "status": "ok"} for row in log_rows()]))
    assert {winner.best for winner in winners(tables["accuracy"], tables["contrasts"])} == {("C", "H")}


@settings(max_examples=100, deadline=None)
@given(alpha=st.floats(1e-9, 0.9))
def test_fewest_wins_is_where_the_sign_test_begins(alpha: float) -> None:
    """So many questions won alone give p below alpha, one fewer does not."""
    wins = fewest_wins(alpha)
    assert binomtest(wins, wins).pvalue < alpha
    assert wins == 1 or binomtest(wins - 1, wins - 1).pvalue >= alpha


def test_underpowered_and_unpaired_contrasts_are_told(tmp_path: Path) -> None:
    """Four won questions can decide nothing; a missing row is said."""
    rows = log_rows()
    rows[0] |= {"status": "pending", "verdict": None}
    said = " ".join(further_claims(analyze(read(tmp_path, rows))))
    assert "4 of 4 contrasts rest on fewer than 6 questions that one design won" in said
    assert "In 1 contrasts some questions are unpaired" in said


@settings(max_examples=100, deadline=None)
@given(text=st.text(st.characters(), max_size=200))
def test_shown_texts_keep_lines_and_lose_nothing_else(text: str) -> None:
    """Short texts are whole: the same lines, and no markup."""
    shown = shortened(text)
    assert shown.count("\n") == text.count("\n")
    assert not set("<>") & set(shown)


def test_a_long_text_keeps_both_ends() -> None:
    """The verdict often stands at the end."""
    shown = shortened("a" + "b" * 3 * LONGEST_TEXT + "c")
    assert shown.startswith("ab")
    assert shown.endswith("bc")
    assert len(shown) < LONGEST_TEXT + 100
