"""What the tables beyond study 1 hold, and what they leave unknown."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judgeray.analysis import analyze
from judgeray.analysis.equivalence_tests import equivalence_tests
from judgeray.analysis.grid import grid_of
from judgeray.analysis.tables import TABLES
from judgeray.stats.mcnemar import ROW_CAUTION
from tests.analysis.made_logs import make_log, one

Rows = list[dict[str, Any]]
Outcomes = list[bool | None]
LABELS = ("supported", "unsupported")


def table(name: str, rows: Rows) -> pl.DataFrame:
    """Compute one table of a made log."""
    return TABLES[name](grid_of(make_log(rows)))


def study(questions: int = 60, designs: str = "CH", judges: str = "xy", replicates: int = 1, seed: int = 1) -> Rows:
    """Two rows a question, H right more often than C, each arm with luck of its own."""
    rng = np.random.default_rng(seed)
    ease = rng.beta(4, 1, questions)
    return [
        {
            "question_id": f"q{q:03d}", "row_id": f"{r}:q{q:03d}", "label": LABELS[r],
            "design": design, "judge": judge, "replicate": replicate,
            "right": bool(rng.random() < ease[q] - 0.1 * (design == "C")),
            "total_tokens": int(rng.integers(100, 200)) + 50 * (design == "H"), "cost_usd": 0.01,
            "confidence": float(rng.integers(50, 101)) / 100, "score": float(rng.integers(1, 6)),
        }
        for q in range(questions) for r in range(2) for design in designs for judge in judges
        for replicate in range(replicates)
    ]  # fmt: skip


def with_verdicts(rows: Rows) -> Rows:
    """Spell verdicts out, so that wrong rows say the other label."""
    other = dict(zip(LABELS, reversed(LABELS), strict=True))
    return [row | {"verdict": row["label"] if row["right"] else other[row["label"]]} for row in rows]


@pytest.fixture(scope="module")
def tables() -> dict[str, pl.DataFrame]:
    """All tables of a study of two designs and two judges."""
    return analyze(make_log(with_verdicts(study())))


def test_every_estimate_says_what_it_is(tables: dict[str, pl.DataFrame]) -> None:
    """Unit and method stand in every row, low <= value <= high wherever all are known, counts are not negative."""
    held = [t for t in tables.values() if "method" in t.columns and "value" in t.columns]
    assert len(held) == 9
    for found in held:
        assert found.select("unit", "method", "n", "missing").null_count().row(0) == (0,) * 4
        assert (found["unit"].str.len_chars() > 0).all()
        known = found.drop_nulls(["value", "low", "high"])
        assert (known["low"] <= known["high"]).all()
        assert (found["n"] >= 0).all()


def test_three_intervals_of_one_accuracy(tables: dict[str, pl.DataFrame]) -> None:
    """Bootstrap, clustered t and Wilson describe the same value, and their intervals overlap."""
    keys = ["dataset", "design", "judge", "condition"]
    errors = tables["standard_errors"].filter(pl.col("b").is_null()).rename({"a": "design"}).sort(keys)
    wilson, accuracy = tables["effective_rows"].sort(keys), tables["accuracy"].sort(keys)
    assert errors["value"].to_list() == pytest.approx(accuracy["accuracy"].to_list())
    assert wilson["value"].to_list() == pytest.approx(accuracy["accuracy"].to_list())
    for low, high in ((errors["low"], errors["high"]), (wilson["low"], wilson["high"])):
        assert ((accuracy["accuracy_low"] - low).abs() < 0.03).all()
        assert ((accuracy["accuracy_high"] - high).abs() < 0.03).all()
    assert (wilson["effective_rows"] * wilson["design_effect"]).to_list() == pytest.approx([120.0] * 4)


def test_differences_are_those_of_the_contrasts(tables: dict[str, pl.DataFrame]) -> None:
    """Standard errors, equivalence and bounds speak of the same difference."""
    expected = pytest.approx(tables["contrasts"]["delta_accuracy"].to_list())
    assert tables["standard_errors"].drop_nulls("b")["value"].to_list() == expected
    assert tables["equivalence"]["value"].to_list() == expected
    bounds = tables["missing_bounds"].drop_nulls("b").filter(pl.col("assumption") == "all wrong")
    assert bounds["value"].to_list() == expected


def test_an_interval_on_few_questions_is_cautioned() -> None:
    """One wrong row among 30 questions shows no normal shape; 60 wrong of 120 do."""
    rows: Rows = [{"question_id": f"q{n}", "right": n > 0} for n in range(30)]
    assert "too often" in str(one(table("standard_errors", rows))["caution"])
    rows = [{"question_id": f"q{n}", "right": n % 2 == 0} for n in range(120)]
    assert one(table("standard_errors", rows))["caution"] is None


def test_mcnemar_counts_rows_and_always_warns(tables: dict[str, pl.DataFrame]) -> None:
    """Counts add up to the rows, their difference over the rows is the difference in accuracy."""
    found = tables["mcnemar"]
    counts = found.select("both_right", "only_a_right", "only_b_right", "both_wrong").sum_horizontal()
    assert counts.to_list() == found["rows"].to_list() == [120, 120]
    deltas = (found["only_a_right"] - found["only_b_right"]) / found["rows"]
    assert deltas.to_list() == pytest.approx(tables["contrasts"]["delta_accuracy"].to_list())
    assert set(found["caution"]) == {ROW_CAUTION}


def test_permutation_is_adjusted_over_its_own_table(tables: dict[str, pl.DataFrame]) -> None:
    """Two tests: Holm doubles the smaller p-value."""
    found = tables["permutation"]
    assert found["p_holm"].min() == pytest.approx(min(1.0, 2 * found["p_permutation"].min()))  # type: ignore[operator]
    assert (found["discordant"] <= found["questions"]).all()


def test_the_margin_of_equivalence_is_shown_and_can_be_chosen() -> None:
    """Default 0.02; a wider margin makes both p-values smaller."""
    grid = grid_of(make_log(study(judges="x")))
    narrow, wide = one(equivalence_tests(grid)), one(equivalence_tests(grid, margin=0.3))
    assert (narrow["margin"], wide["margin"]) == (0.02, 0.3)
    assert wide["p_t"] < narrow["p_t"]
    assert wide["p_exact"] < narrow["p_exact"]


def test_power_of_designs_that_never_differ_is_not_known() -> None:
    """Without a discordant question nothing says how often one would be."""
    rows: Rows = [{"question_id": f"q{n}", "design": d} for d in "CH" for n in range(9)]
    found = one(table("power", rows))
    assert (found["questions"], found["discordant"], found["discordance"]) == (9, 0, 0.0)
    unknown = ("share_won", "detectable_share", "detectable_delta", "power", "questions_needed")
    assert all(found[name] is None for name in unknown)


def test_detectable_differences_are_in_accuracy(tables: dict[str, pl.DataFrame]) -> None:
    """A share won is worth its surplus times the discordance times what a discordant question differs by."""
    for row in tables["power"].to_dicts():
        largest = (2 * row["detectable_share"] - 1) * row["discordance"]
        assert largest / 2 <= row["detectable_delta"] <= largest
        assert row["questions_needed"] is None or row["questions_needed"] > 0


outcomes = st.lists(st.sampled_from([True, False, None]), min_size=2, max_size=10)


@settings(max_examples=40, deadline=None)
@given(a=outcomes, b=outcomes, filled=st.lists(st.booleans(), min_size=20, max_size=20))
def test_whatever_is_missing_the_bounds_hold(
    a: list[bool | None], b: list[bool | None], filled: list[bool]
) -> None:
    """However the missing rows turn out, accuracy and difference lie between the extremes."""
    rows: Rows = [
        {"question_id": f"q{n // 2}", "row_id": f"r{n}", "design": design, "right": right}
        | ({"status": "refused" if n % 2 else "pending"} if right is None else {})
        for design, outcome in (("C", a), ("H", b)) for n, right in enumerate(outcome)
    ]  # fmt: skip
    answers = iter(filled)
    full = [
        row | {"status": "ok", "right": next(answers) if row["right"] is None else row["right"]} for row in rows
    ]
    bounds = {
        (row["a"], row["b"], row["assumption"]): row["value"] for row in table("missing_bounds", rows).to_dicts()
    }
    complete = analyze(make_log(full))
    for cell in complete["accuracy"].to_dicts():
        lowest, highest = (bounds[cell["design"], None, f"all {word}"] for word in ("wrong", "right"))
        assert lowest - 1e-12 <= cell["accuracy"] <= highest + 1e-12
    delta = one(complete["contrasts"])["delta_accuracy"]
    assert bounds["H", "C", "lowest"] - 1e-12 <= delta <= bounds["H", "C", "highest"] + 1e-12


def test_missing_rows_are_counted_on_each_side() -> None:
    """One of two rows pending under C: bounds of C are 0 and 1/2 apart, those of H none."""
    rows: Rows = [{"question_id": f"q{n}", "design": d} for d in "CH" for n in range(2)]
    rows[0] |= {"right": None, "status": "pending"}
    found = table("missing_bounds", rows)
    assert found.filter(pl.col("a") == "C")["value"].to_list() == [1.0, 0.5]
    assert found.filter(pl.col("a") == "C", pl.col("b").is_null())["missing_a"].to_list() == [1, 1]
    pair = found.drop_nulls("b")
    assert pair.select("missing_a", "missing_b").unique().row(0) == (0, 1)
    assert dict(pair.select("assumption", "value").rows()) == {
        "all wrong": 0.5, "all right": 0.0, "lowest": 0.0, "highest": 0.5
    }  # fmt: skip


def test_components_come_from_the_largest_balanced_block() -> None:
    """Four designs by two judges beat two designs by three; the third judge is left out."""
    rows = study(20, "CHRB", "xy") + study(20, "CH", "z")
    found = table("variance_components", rows)
    assert found.select("questions", "designs", "judges", "replicates").unique().rows() == [(20, 4, 2, 1)]
    assert found["source"].to_list()[-1] == "residual"
    assert found["share"].sum() == pytest.approx(1.0)


def test_questions_that_are_not_settled_everywhere_leave_the_block() -> None:
    """One pending row takes its question out; without two whole questions there is nothing to split."""
    rows = study(3)
    rows[0] |= {"status": "pending", "right": None}
    assert table("variance_components", rows)["questions"].unique().to_list() == [2]
    assert table("variance_components", [row for row in rows if row["question_id"] < "q002"]).is_empty()


def test_replicates_show_their_own_noise() -> None:
    """With two replicates there is a component of theirs, and none left over."""
    sources = table("variance_components", study(15, replicates=2))["source"].to_list()
    assert sources[-1] == "replicate"
    assert "question x design x judge" in sources


def test_judges_that_always_say_the_same_agree_fully() -> None:
    """Kappas and alpha are 1, their intervals too; a judge on other rows takes part where it can."""
    rows = with_verdicts([row | {"right": True} for row in study(20, "C", "xy")])
    extra = [row | {"judge": "z"} for row in rows if row["judge"] == "x" and row["question_id"] < "q005"]
    found = table("agreement", rows + extra)
    assert found["between"].unique().to_list() == ["judges"]
    assert found["measure"].value_counts().sort("measure").rows() == [
        ("cohen_kappa", 3), ("fleiss_kappa", 1), ("krippendorff_alpha", 1)
    ]  # fmt: skip
    assert found["value"].to_list() == pytest.approx([1.0] * 5)
    assert found.filter(pl.col("b") == "y").select("n", "missing").row(0) == (20, 0)
    assert found.filter(pl.col("b") == "z").select("n", "missing").rows() == [(5, 15)] * 2
    items = {(row["a"], row["b"], row["measure"]): row["items"] for row in found.to_dicts()}
    assert items["x", "y", "cohen_kappa"] == 40
    assert items["x", "z", "cohen_kappa"] == items[None, None, "fleiss_kappa"] == 10
    assert items[None, None, "krippendorff_alpha"] == 40


def test_replicates_are_raters_of_their_judge() -> None:
    """Three replicates make three pairs; beyond five the pairs are not listed, and it is said."""
    few = table("agreement", with_verdicts(study(10, "C", "x", replicates=3)))
    assert few["between"].unique().to_list() == ["replicates"]
    assert few.filter(pl.col("measure") == "cohen_kappa").select("a", "b").rows() == [
        ("0", "1"),
        ("0", "2"),
        ("1", "2"),
    ]
    many = table("agreement", with_verdicts(study(10, "C", "x", replicates=6)))
    assert many["measure"].to_list() == ["fleiss_kappa", "krippendorff_alpha"]
    assert all("not listed" in caution for caution in many["caution"])


def test_one_judge_alone_agrees_with_nobody() -> None:
    """A single judge without replicates has no rows here."""
    assert table("agreement", study(5, "C", "x")).is_empty()


def test_brier_and_calibration_error_by_hand() -> None:
    """Confident .9 and right thrice of four: squares .01, .01, .01, .81; the gap is .15."""
    rows: Rows = [{"question_id": f"q{n}", "right": n > 0, "confidence": 0.9} for n in range(4)]
    found = {row["measure"]: row for row in table("calibration", rows).to_dicts()}
    assert found["brier"]["value"] == pytest.approx(0.84 / 4)
    assert found["ece"]["value"] == pytest.approx(0.15)
    assert (found["ece"]["bins"], found["brier"]["bins"], found["ece"]["rows"]) == (10, None, 4)
    curve = one(table("reliability", rows))
    assert (curve["bin"], curve["rows"], curve["mean_forecast"]) == ("0.9-1.0", 4, pytest.approx(0.9))
    assert curve["value"] == 0.75


def test_scores_forecast_the_label_and_confidence_the_verdict() -> None:
    """Score 5 says supported: right for a supported row whatever the verdict, a full miss for another."""
    rows: Rows = [
        {"question_id": "a", "label": "supported", "right": False, "score": 5.0},
        {"question_id": "b", "label": "unsupported", "verdict": "supported", "score": 5.0},
    ]
    brier = one(table("calibration", rows).filter(pl.col("measure") == "brier"))
    assert (brier["forecast"], brier["value"]) == ("score", 0.5)
    assert table("reliability", rows).select("bin", "value").rows() == [("5", 0.5)]


def test_forecasts_out_of_range_are_unknown_and_counted() -> None:
    """A confidence of 95 is not clipped to 1; rows without a verdict forecast nothing."""
    rows: Rows = [{"question_id": f"q{n}", "confidence": c} for n, c in enumerate((0.5, 95.0, None, -1.0))]
    rows.append({"question_id": "q9", "confidence": 0.5, "right": None, "status": "refused"})
    found = table("calibration", rows).filter(pl.col("measure") == "ece")
    assert one(found)["rows"] == 1
    assert one(found)["unknown"] == 3


def test_without_forecasts_there_is_no_calibration() -> None:
    """No confidence, no score: no rows, and no curve."""
    assert table("calibration", [{}, {}]).is_empty()
    assert table("reliability", [{}, {}]).is_empty()


def test_a_right_verdict_costs_what_all_verdicts_cost() -> None:
    """Ten tokens a row and one right row of two: twenty tokens a right verdict."""
    rows: Rows = [{"question_id": f"q{n}", "right": n == 0, "total_tokens": 10} for n in range(2)]
    tokens, usd = table("cost", rows).sort("currency").to_dicts()
    assert (tokens["value"], tokens["mean_cost"], tokens["accuracy"]) == (20.0, 10.0, 0.5)
    assert (usd["value"], usd["mean_cost"], usd["on_frontier"], usd["dominated_by"]) == (None,) * 4
    assert (usd["priced_rows"], usd["n"], usd["missing"]) == (0, 0, 2)


def test_the_frontier_is_what_no_other_design_beats() -> None:
    """R is as accurate as H and dearer: off. C is cheaper and worse: on, like H."""
    rows: Rows = [
        {"question_id": f"q{n}", "design": design, "right": n < right, "total_tokens": tokens}
        for design, right, tokens in (("C", 5, 10), ("H", 8, 20), ("R", 8, 30))
        for n in range(10)
    ]
    found = table("cost", rows).filter(pl.col("currency") == "tokens")
    assert found.select("design", "on_frontier", "dominated_by").rows() == [
        ("C", True, None), ("H", True, None), ("R", False, "H")
    ]  # fmt: skip


def test_nothing_right_has_no_cost_of_a_right_verdict() -> None:
    """Division by none is not known, and does not stop the frontier."""
    rows: Rows = [{"question_id": f"q{n}", "right": False, "total_tokens": 10} for n in range(3)]
    found = one(table("cost", rows).filter(pl.col("currency") == "tokens"))
    assert (found["value"], found["low"], found["n"], found["on_frontier"]) == (None, None, 3, True)
