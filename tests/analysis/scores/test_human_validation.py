"""Human validation: Table 1 of study 2 and the numbers it prints, and each part by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl
import pytest

from judgeray.analysis.scores import contingency, human_validation
from judgeray.analysis.scores.choices import CHOICES, SCHEMA
from judgeray.analysis.write import csv_text
from judgeray.stats.non_inferiority import non_inferiority
from tests.analysis.scores.made_scores import one

TABLE_1 = {
    "ai": {"ai": 6, "both_good": 14, "both_bad": 0, "expert": 0},
    "both_bad": {"ai": 0, "both_good": 2, "both_bad": 0, "expert": 1},
    "both_good": {"ai": 7, "both_good": 32, "both_bad": 0, "expert": 5},
    "expert": {"ai": 2, "both_good": 8, "both_bad": 0, "expert": 3},
}
"""Counts of study 2, Table 1 (A0 excluded): choices of one evaluator, and of the other."""

DEGRADED = "A1-A4"


def chosen(items: Sequence[tuple[str, int, str | None, str | None]]) -> pl.DataFrame:
    """Choices of evaluators x and y for items of (question, level); None is no choice."""
    rows = [
        (question, level, evaluator, choice)
        for question, level, *pair in items
        for evaluator, choice in zip("xy", pair, strict=True) if choice is not None
    ]  # fmt: skip
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")


def table_1() -> pl.DataFrame:
    """Items of Table 1; which question and level each is of is not printed, so each is a question of its own."""
    pairs = [
        (x, y) for x, others in TABLE_1.items() for y, count in others.items() for _ in range(count)
    ]  # fmt: skip
    return chosen([(f"q{number:02}", 1 + number % 4, x, y) for number, (x, y) in enumerate(pairs)])


def validated(choices: pl.DataFrame, levels: str = DEGRADED, **settings: float) -> dict[str, Any]:
    """Compute one line of the table."""
    return one(human_validation(choices, **settings), levels=levels)


def test_table_1_is_the_contingency_of_its_items() -> None:
    """All 80 pairs stand where study 2 prints them."""
    table = contingency(table_1()).filter(pl.col("levels") == DEGRADED)
    found = {row["choice"]: {choice: row[choice] for choice in CHOICES} for row in table.to_dicts()}
    assert found == TABLE_1
    assert set(table["evaluator"]) == {"x"}
    assert set(table["other_evaluator"]) == {"y"}


def test_what_study_2_prints_of_table_1_comes_out() -> None:
    """Section 4: N = 80, mean composite score 0.125, 2.5 % opposed, Cohen's kappa 0.113."""
    found = validated(table_1())
    assert (found["items"], found["mean_composite"], found["opposed_share"]) == (80, 0.125, 0.025)
    assert found["cohen_kappa"] == pytest.approx(0.113, abs=5e-4)
    assert (found["both_ai"], found["one_ai"], found["one_expert"], found["both_expert"]) == (6, 21, 14, 3)
    assert (found["neither"], found["opposed"]) == (34, 2)


def test_the_printed_bound_is_at_another_level_than_the_named_one() -> None:
    """0.025 is the one-sided 90 % bound; at alpha = 0.05 it is -0.0125. Neither reaches the margin -0.1."""
    assert validated(table_1(), alpha=0.1)["bound_by_item"] == pytest.approx(0.025)
    found = validated(table_1())
    assert found["bound_by_item"] == pytest.approx(-0.0125)
    assert (found["margin"], found["alpha"], found["non_inferior_by_item"]) == (-0.1, 0.05, True)


def test_the_printed_power_is_that_of_a_two_sided_test() -> None:
    """77 % is the power at alpha = 0.025 a side; one-sided at 0.05 the same data have 86 %."""
    assert validated(table_1(), alpha=0.025)["power_by_item"] == pytest.approx(0.77, abs=5e-3)
    assert validated(table_1())["power_by_item"] == pytest.approx(0.857, abs=5e-4)


def test_the_printed_share_of_ties_is_not_that_of_the_composite_score() -> None:
    """82.5 % are pairs with a "both good" and no "both bad"; scores whose mean is 0.125 are 0 in 45 %."""
    good = sum(
        count for x, others in TABLE_1.items() for y, count in others.items()
        if "both_good" in (x, y) and "both_bad" not in (x, y)
    )  # fmt: skip
    assert good / 80 == 0.825
    found = validated(table_1())
    assert found["tie_share"] == 0.45
    assert (found["neither"] + found["one_ai"] + found["one_expert"]) / 80 == 0.8625


def test_composite_scores_by_hand() -> None:
    """Both, one or neither evaluator prefers a side, or they oppose: 1, 1, 0, 0, -1, -1."""
    pairs = [("ai", "ai"), ("both_bad", "ai"), ("both_good", "both_bad"), ("ai", "expert"), ("expert", "both_good"),
             ("expert", "expert")]  # fmt: skip
    found = validated(chosen([(f"q{n}", 1 + n % 2, *pair) for n, pair in enumerate(pairs)]), "A1-A2")
    counts = [found[name] for name in ("both_ai", "one_ai", "neither", "opposed", "one_expert", "both_expert")]
    assert counts == [1, 1, 1, 1, 1, 1]
    assert (found["mean_composite"], found["tie_share"], found["opposed_share"]) == (0, 1 / 3, 1 / 6)


def test_questions_are_the_unit() -> None:
    """Four like items a question are one observation: the bound by question is lower than that by item."""
    items = [(f"q{n}", level, *(("ai", "ai") if n < 6 else ("expert", "expert")))
             for n in range(10) for level in range(1, 5)]  # fmt: skip
    found = validated(chosen(items))
    signs = [1.0] * 6 + [-1.0] * 4
    by_question, by_item = non_inferiority(signs, [1] * 10), non_inferiority(sorted(signs * 4), [1] * 40)
    assert (found["questions"], found["items"], found["mean_composite"]) == (10, 40, pytest.approx(0.2))
    assert found["bound_by_question"] == by_question.bound
    assert found["power_by_question"] == pytest.approx(by_question.power)
    assert found["bound_by_question"] < found["bound_by_item"]
    assert (found["non_inferior_by_question"], found["non_inferior_by_item"]) == (False, True)
    assert by_item.power == pytest.approx(found["power_by_item"])


def test_a0_stands_apart() -> None:
    """Each level has its line; A0 is in none but its own, and the rest are also shown together."""
    items = [
        ("p", 0, "ai", "ai"), ("p", 1, "expert", "expert"), ("p", 3, "ai", "ai"), ("q", 3, "ai", None),
    ]  # fmt: skip
    table = human_validation(chosen(items))
    assert table.select("levels", "items", "questions", "unpaired", "mean_composite").rows() == [
        ("A0", 1, 1, 0, 1), ("A1", 1, 1, 0, -1), ("A3", 1, 1, 1, 1), ("A1-A3", 2, 1, 1, 0),
    ]  # fmt: skip
    assert contingency(chosen(items))["levels"].unique(maintain_order=True).to_list() == ["A0", "A1", "A3", "A1-A3"]


def test_too_little_is_not_known() -> None:
    """One item has a mean without a bound; two that never met have nothing; one choice alone has no kappa."""
    single = validated(chosen([("p", 1, "ai", "ai")]), "A1")
    assert (single["mean_composite"], single["bound_by_item"], single["non_inferior_by_item"]) == (1, None, None)
    assert (single["cohen_kappa"], single["power_by_item"]) == (None, None)
    apart = validated(chosen([("p", 1, "ai", None), ("q", 1, None, "ai")]), "A1")
    assert (apart["items"], apart["unpaired"]) == (0, 2)
    assert all(apart[name] is None for name in ("mean_composite", "tie_share", "bound_by_question", "cohen_kappa"))


def test_the_order_of_choices_changes_no_byte() -> None:
    """Shuffled and reversed files give the same tables."""
    choices = table_1()
    for other in (choices.reverse(), choices.sample(fraction=1, shuffle=True, seed=1)):
        for table in (contingency, human_validation):
            assert csv_text(table(other)) == csv_text(table(choices))
