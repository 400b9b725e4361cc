"""What the tables hold: columns, denominators, pairing, replicates, and nothing where nothing is known."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from judgeray.analysis import analyze
from judgeray.analysis.complexity import ASQA_EDGES, QAMPARI_EDGES, bin_names
from judgeray.analysis.pairs import design_pairs
from tests.analysis.made_logs import make_log, one, two_designs

COLUMNS = {
    "accuracy": "dataset design judge condition rows questions accuracy accuracy_low accuracy_high "
    "mean_total_tokens ok unparsed refused truncated undelivered pending",
    "class_accuracy": "dataset design judge condition label rows questions accuracy accuracy_low accuracy_high "
    "mean_total_tokens ok unparsed refused truncated undelivered pending",
    "tokens": "dataset judge design kind n mean p25 p50 p75",
    "contrasts": "dataset judge condition a b questions delta_accuracy delta_accuracy_low delta_accuracy_high "
    "delta_tokens delta_tokens_low delta_tokens_high wins_a wins_b ties p_sign p_holm p_bh stability",
    "complexity": "dataset judge a b bin rows delta_accuracy",
    "parsing": "design judge parse_branch rows",
    "standard_errors": "dataset judge condition a b standard_error value low high n missing unit method caution",
    "effective_rows": "dataset design judge condition rows design_effect effective_rows "
    "value low high n missing unit method",
    "mcnemar": "dataset judge condition a b rows questions both_right only_a_right only_b_right both_wrong "
    "p_exact p_mid caution",
    "permutation": "dataset judge condition a b questions discordant p_permutation method p_holm p_bh",
    "equivalence": "dataset judge condition a b margin p_t p_exact value low high n missing unit method caution",
    "power": "dataset judge condition a b questions discordant discordance share_won alpha target_power "
    "detectable_share detectable_delta power questions_needed caution",
    "missing_bounds": "dataset judge condition a b assumption rows missing_a missing_b "
    "value low high n missing unit method",
    "variance_components": "dataset condition source questions designs judges replicates share negative "
    "value low high n missing unit method estimator caution",
    "agreement": "dataset condition design between judge a b measure raters items "
    "value low high n missing unit method caution",
    "calibration": "dataset design judge condition forecast measure rows unknown bins "
    "value low high n missing unit method caution",
    "reliability": "dataset design judge condition forecast bin rows mean_forecast "
    "value low high n missing unit method",
    "cost": "dataset judge condition design currency rows priced_rows accuracy mean_cost "
    "value low high n missing unit method on_frontier dominated_by",
}


def test_columns_are_the_published_ones() -> None:
    """Columns and their order are an interface."""
    tables = analyze(make_log(two_designs([True, False], [True, True])))
    assert {name: " ".join(table.columns) for name, table in tables.items()} == COLUMNS


def test_silent_rows_are_wrong_and_unsettled_rows_are_left_out() -> None:
    """Of ok, unparsed, refused, truncated, undelivered, pending: accuracy 1 of 4, all six counted."""
    silent = ("unparsed", "refused", "truncated", "undelivered", "pending")
    rows: list[dict[str, Any]] = [{"right": None, "status": status} for status in silent]
    rows.append({"total_tokens": 8})
    cell = one(analyze(make_log(rows))["accuracy"])
    assert cell["accuracy"] == 0.25
    assert (cell["rows"], cell["questions"], cell["mean_total_tokens"]) == (6, 6, 8.0)
    assert all(cell[status] == 1 for status in ("ok", *silent))


def test_a_log_without_any_verdict_has_accuracy_zero_and_one_without_replies_none() -> None:
    """Unparsed everywhere is a failure of the design: 0. Pending everywhere is not known: null."""
    unparsed = one(analyze(make_log([{"right": None, "status": "unparsed"}] * 3))["accuracy"])
    assert (unparsed["accuracy"], unparsed["accuracy_low"]) == (0.0, 0.0)
    tables = analyze(make_log([{"right": None, "status": "pending"}] * 3))
    pending = one(tables["accuracy"])
    assert (pending["accuracy"], pending["accuracy_low"], pending["mean_total_tokens"]) == (None, None, None)
    assert tables["tokens"]["n"].to_list() == [0] * 5
    assert tables["tokens"]["mean"].null_count() == 5


def test_one_design_has_nothing_to_compare() -> None:
    """With one design, contrasts and complexity are empty tables with their columns."""
    tables = analyze(make_log([{"complexity": 3}, {"complexity": 4}]))
    assert tables["contrasts"].is_empty()
    assert tables["complexity"].is_empty()


def test_one_question_has_values_without_intervals() -> None:
    """One question: differences and p exist, intervals and stability do not."""
    cell = one(analyze(make_log(two_designs([False], [True])))["contrasts"])
    assert (cell["a"], cell["b"], cell["delta_accuracy"], cell["p_sign"]) == ("H", "C", 1.0, 1.0)
    assert cell["delta_accuracy_low"] is None
    assert cell["stability"] is None


def test_only_rows_settled_under_both_designs_are_compared() -> None:
    """A row pending under one design takes no part under the other."""
    cell = one(analyze(make_log(two_designs([True, True, None, False], [True, False, True, None])))["contrasts"])
    assert (cell["questions"], cell["wins_a"], cell["wins_b"], cell["ties"]) == (2, 0, 1, 1)
    assert cell["delta_accuracy"] == -0.5
    assert cell["delta_tokens"] == 0.0


def test_designs_without_a_common_row_are_shown_with_nothing_known() -> None:
    """The pair stays in the table: 0 questions, null differences, and no place in the family of tests."""
    rows = two_designs([True, None], [None, True])
    rows += [{"question_id": f"q{n}", "design": "R", "right": True, "total_tokens": 1} for n in range(2)]
    table = analyze(make_log(rows))["contrasts"]
    cell = one(table.filter(pl.col("a") == "H"))
    assert (cell["questions"], cell["ties"]) == (0, 0)
    assert all(cell[name] is None for name in ("delta_accuracy", "delta_tokens", "p_sign", "p_holm", "p_bh"))
    assert table["p_holm"].drop_nulls().to_list() == [1.0, 1.0]


def test_replicates_are_averaged_within_their_question() -> None:
    """Two replicates of a row are one question: half right under C, all right under H, one win."""
    rows = [
        {"question_id": "q", "design": design, "replicate": n, "right": right}
        for design, answers in (("C", [True, False]), ("H", [True, True]))
        for n, right in enumerate(answers)
    ]
    cell = one(analyze(make_log(rows))["contrasts"])
    assert (cell["questions"], cell["delta_accuracy"], cell["wins_a"], cell["wins_b"]) == (1, 0.5, 1, 0)


def test_questions_weigh_the_same_in_contrasts() -> None:
    """A question with three rows weighs what a question with one weighs."""
    rows = [
        {"question_id": question, "row_id": f"{question}{n}", "design": design, "right": right}
        for design, answers in (
            ("C", {"q": [False, False, False], "p": [True]}),
            ("H", {"q": [True] * 3, "p": [False]}),
        )
        for question, rights in answers.items()
        for n, right in enumerate(rights)
    ]
    cell = one(analyze(make_log(rows))["contrasts"])
    assert (cell["delta_accuracy"], cell["wins_a"], cell["wins_b"], cell["stability"]) == (0.0, 1, 1, None)


def test_conditions_are_never_mixed() -> None:
    """Contrasts stay within a condition; tokens and complexity take the main one."""
    rows = two_designs([True, True], [False, False])
    padded = [row | {"condition": "padding", "right": True, "total_tokens": 99} for row in rows]
    tables = analyze(make_log([*rows, *padded]))
    assert tables["contrasts"].select("condition", "delta_accuracy").rows() == [("full", -1.0), ("padding", 0.0)]
    assert tables["accuracy"].height == 4
    assert tables["tokens"].filter(pl.col("kind") == "total")["n"].to_list() == [2, 2]


def test_pairs_run_from_the_later_design_to_the_earlier() -> None:
    """H:C, R:H and so on as in study 1; designs it does not know come last, by name."""
    assert design_pairs(["B", "H", "C"]) == [("H", "C"), ("B", "C"), ("B", "H")]
    assert design_pairs(["zeta", "alpha", "R"]) == [("alpha", "R"), ("zeta", "R"), ("zeta", "alpha")]
    assert design_pairs(["H", "H"]) == []


def test_bins_are_named_as_published() -> None:
    """Below the published bins stands one for other data."""
    assert bin_names(ASQA_EDGES) == ["0-1", "2", "3", "4", "5+"]
    assert bin_names(QAMPARI_EDGES) == ["0-4", "5", "6-7", "8-9", "10+"]


@pytest.mark.parametrize(
    ("dataset", "counts", "bins"),
    [
        ("ASQA", [5, 9], ["5+"]),
        ("qampari", [3, 7], ["0-4", "6-7"]),
        ("mine", [1, 6], ["0-1", "5+"]),
        ("mine", [5, 6, 200], ["5", "6-7", "10+"]),
    ],
)
def test_bins_follow_the_dataset(dataset: str, counts: list[int], bins: list[str]) -> None:
    """Known datasets have their bins; another has QAMPARI's if it starts at 5. Unknown complexity is left out."""
    rows = two_designs([True] * (len(counts) + 1), [True] * (len(counts) + 1))
    for row in rows:
        row |= {"dataset": dataset, "complexity": dict(enumerate(counts)).get(int(row["question_id"][1:]))}
    assert analyze(make_log(rows))["complexity"]["bin"].to_list() == bins


def test_parse_counts_add_up_to_all_rows() -> None:
    """Rows without a verdict are counted under their status, verdicts of unknown branch under null."""
    rows: list[dict[str, Any]] = [{"parse_branch": "whole"}, {}, {"right": None, "status": "refused"}]
    table = analyze(make_log(rows))["parsing"]
    assert table.select("parse_branch", "rows").rows() == [(None, 1), ("refused", 1), ("whole", 1)]


def test_tokens_not_reported_are_unknown() -> None:
    """Mean and quartiles stand on the rows that report; a kind that nobody reports has n = 0 and nulls."""
    table = analyze(make_log([{"output_tokens": 1}, {"output_tokens": None}, {"output_tokens": 4}]))["tokens"]
    assert one(table.filter(pl.col("kind") == "output")) == {
        "dataset": "d", "judge": "j", "design": "C", "kind": "output", "n": 2,
        "mean": 2.5, "p25": 1.75, "p50": 2.5, "p75": 3.25,
    }  # fmt: skip
    assert one(table.filter(pl.col("kind") == "cached"))["p50"] is None


def test_tokens_of_unsettled_rows_do_not_count() -> None:
    """What a row cost before it was given up is no sample of what calls take."""
    rows: list[dict[str, Any]] = [{"total_tokens": 5}]
    rows.append({"total_tokens": 900, "right": None, "status": "undelivered"})
    table = analyze(make_log(rows))["tokens"].filter(pl.col("kind") == "total")
    assert (one(table)["n"], one(table)["mean"]) == (1, 5.0)


def test_accuracy_and_token_differences_share_their_resamples() -> None:
    """Tokens that follow correctness exactly have the interval of accuracy, scaled."""
    right_h: list[bool | None] = [n % 3 > 0 for n in range(30)]
    rows = two_designs([False] * 30, right_h)
    for row in rows:
        row["total_tokens"] = 8 + 64 * (row["design"] == "H" and row["right"])
    cell = one(analyze(make_log(rows))["contrasts"])
    for end in ("", "_low", "_high"):
        assert cell[f"delta_tokens{end}"] == 64 * cell[f"delta_accuracy{end}"]


def test_accuracy_within_labels_adds_up() -> None:
    """Class rows add up to the cell's rows, and so do right answers."""
    rows = [
        {"label": label, "right": right} for label in ("supported", "unsupported") for right in (True, True, False)
    ]
    tables = analyze(make_log(rows))
    classes, whole = tables["class_accuracy"], one(tables["accuracy"])
    assert classes["rows"].sum() == whole["rows"]
    assert (classes["accuracy"] * classes["rows"]).sum() == pytest.approx(whole["accuracy"] * whole["rows"])


def test_tables_are_sorted_by_their_keys() -> None:
    """Rows stand in the order of their key columns."""
    rows = [
        {"question_id": f"q{n}", "dataset": dataset, "design": design, "judge": judge}
        for dataset in "ba" for design in ("R", "C", "zeta", "H") for judge in "yx" for n in range(2)
    ]  # fmt: skip
    tables = analyze(make_log(rows))
    for name, keys in (("accuracy", 4), ("class_accuracy", 5), ("tokens", 4), ("contrasts", 5), ("parsing", 3)):
        table = tables[name]
        assert_frame_equal(table, table.sort(table.columns[:keys]))
