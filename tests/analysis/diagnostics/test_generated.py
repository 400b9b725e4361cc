"""Judges on answers that models wrote: the paper's numbers, and what is left out of which rate."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from judgeray.analysis.accuracy import accuracy
from judgeray.analysis.compact import compact
from judgeray.analysis.diagnostics.generated import generated
from judgeray.analysis.grid import grid_of
from tests.analysis.diagnostics.made_answers import answer_row, text_rows
from tests.analysis.made_logs import make_log, one

QUESTIONS = 50
IDENTICAL = {"opus": 10, "sonnet": 15}
MODELS = {"opus": "opus-4-6", "sonnet": "sonnet-4-6", "gpt": "gpt-4.1", "gemini": "gemini-3.1-flash-lite-preview"}

TABLE_12 = {
    ("opus", "opus"): {"C": (34, 54, 44), "H": (32, 66, 49), "R": (22, 78, 50)},
    ("opus", "sonnet"): {"C": (34, 54, 44), "H": (28, 64, 46), "R": (16, 78, 47)},
    ("gpt", "opus"): {"C": (44, 24, 34), "H": (66, 52, 59), "R": (26, 76, 51)},
    ("gpt", "sonnet"): {"C": (52, 32, 42), "H": (62, 46, 54), "R": (20, 74, 47)},
    ("gemini", "opus"): {"C": (68, 34, 51), "H": (78, 48, 63), "R": (38, 74, 56)},
    ("gemini", "sonnet"): {"C": (64, 40, 52), "H": (70, 50, 60), "R": (34, 78, 56)},
}
"""Judge, generator: design: percent right of full rows, partial rows, all rows (study 1, Table 12)."""

TABLE_11 = {
    "opus": {"C": (34.0, 54.0, 44.0), "H": (30.0, 65.0, 47.5), "R": (19.0, 78.0, 48.5)},
    "gpt": {"C": (48.0, 28.0, 38.0), "H": (64.0, 49.0, 56.5), "R": (23.0, 75.0, 49.0)},
    "gemini": {"C": (66.0, 37.0, 51.5), "H": (74.0, 49.0, 61.5), "R": (36.0, 76.0, 56.0)},
}
"""The same over both generators (study 1, Table 11)."""


def study() -> list[dict[str, Any]]:
    """The 1,800 rows of Table 12, the first questions right."""
    return [
        answer_row(question, generator, length, question < percent * QUESTIONS // 100, judge=judge, design=design)
        for (judge, generator), designs in TABLE_12.items()
        for design, percents in designs.items()
        for length, percent in zip(("full", "partial"), percents[:2], strict=True)
        for question in range(QUESTIONS)
    ]


@pytest.fixture(scope="module")
def table() -> pl.DataFrame:
    """The table of study 1's generated answers."""
    return generated(make_log(study()), text_rows(("opus", "sonnet"), QUESTIONS, IDENTICAL), MODELS)


def percents(row: dict[str, Any]) -> tuple[float, ...]:
    """Accuracies on full, partial and all rows, in percent as printed."""
    return tuple(round(100 * row[name], 1) for name in ("full_accuracy", "partial_accuracy", "accuracy"))


def test_table_12_comes_out(table: pl.DataFrame) -> None:
    """Every printed percentage by judge, generator and design, on 50, 50 and 100 rows."""
    rows = table.drop_nulls("generator").rows(named=True)
    found = {(row["judge"], row["generator"], row["design"]): percents(row) for row in rows}
    printed = {(*key, design): cell for key, designs in TABLE_12.items() for design, cell in designs.items()}
    assert found == printed
    assert {(row["full_rows"], row["partial_rows"], row["rows"]) for row in rows} == {(50, 50, 100)}


def test_table_11_comes_out(table: pl.DataFrame) -> None:
    """Every printed percentage over both generators, the counts of the text, and 25 identical partials."""
    rows = table.filter(pl.col("generator").is_null()).rows(named=True)
    found = {(row["judge"], row["design"]): percents(row) for row in rows}
    printed = {(judge, design): cell for judge, designs in TABLE_11.items() for design, cell in designs.items()}
    assert found == printed
    right = {(row["judge"], row["design"]): row["right"] for row in rows}
    assert [right[judge, design] for judge in ("opus", "gpt", "gemini") for design in "HC"] == [
        *(95, 88),
        *(113, 76),
        *(123, 103),
    ]
    assert {(row["full_rows"], row["partial_rows"], row["rows"], row["identical_rows"]) for row in rows} == {
        (100, 100, 200, 25)
    }


def test_identical_partials_are_counted_by_generator_and_can_be_left_out(table: pl.DataFrame) -> None:
    """10 of Opus and 15 of Sonnet; without them both rows of each such answer are gone."""
    rows = table.filter(pl.col("design") == "C", pl.col("judge") == "gpt").drop_nulls("generator").rows(named=True)
    assert [(row["generator"], row["identical_rows"], row["different_rows"]) for row in rows] == [
        ("opus", 10, 80),
        ("sonnet", 15, 70),
    ]
    opus = rows[0]
    assert opus["different_right"] == (22 - 10) + (12 - 10)
    assert opus["accuracy_without_identical"] == pytest.approx(14 / 80)


def test_own_answers_are_marked(table: pl.DataFrame) -> None:
    """Opus judges its own answers in half of its rows; nobody else does."""
    rows = table.filter(pl.col("design") == "H").rows(named=True)
    marks = {(row["judge"], row["generator"]): (row["self_judged"], row["self_judged_rows"]) for row in rows}
    assert marks["opus", "opus"] == (True, 100)
    assert marks["opus", "sonnet"] == (False, 0)
    assert marks["opus", None] == (True, 100)
    assert {marks[judge, None] for judge in ("gpt", "gemini")} == {(False, 0)}


def test_pooled_rows_are_those_of_table_accuracy(table: pl.DataFrame) -> None:
    """Over all generators, accuracy and interval are those of the whole dataset: one cluster a question."""
    whole = accuracy(grid_of(make_log(study()))).sort("judge", "design")
    pooled = table.filter(pl.col("generator").is_null()).sort("judge", "design")
    names = ["accuracy", "accuracy_low", "accuracy_high"]
    assert_frame_equal(
        pooled.select("judge", "design", "rows", *names), whole.select("judge", "design", "rows", *names)
    )


def test_models_not_known_are_not_guessed() -> None:
    """Without the judge's model nobody can say whether it judged itself."""
    log = make_log([answer_row(1, "opus", "full", True, judge="lexical"), answer_row(1, "gpt", "full", True)])
    rows = generated(log, text_rows((), 0, {}), MODELS)
    assert rows["self_judged"].to_list() == rows["self_judged_rows"].to_list() == [None] * rows.height


def test_silent_rows_are_wrong_unsettled_rows_are_counted_apart() -> None:
    """Unparsed is settled and not right; undelivered says nothing and stands in `unsettled`."""
    undelivered = {"status": "undelivered"}
    log = make_log(
        [
            answer_row(1, "opus", "full", True),
            answer_row(2, "opus", "full", None),
            answer_row(3, "opus", "full", None, **undelivered),
        ]
    )
    row = generated(log, text_rows(("opus",), 5, {}), MODELS).row(0, named=True)
    assert (row["full_rows"], row["full_right"], row["rows"], row["unsettled"]) == (2, 1, 2, 1)
    assert (row["partial_rows"], row["partial_accuracy"], row["partial_accuracy_low"]) == (0, None, None)


def test_texts_not_known_leave_identity_unknown() -> None:
    """Without texts no partial can be said to be identical, nor to differ."""
    log = make_log([answer_row(1, "opus", "partial", True), answer_row(2, "opus", "partial", True)])
    row = generated(log, text_rows((), 0, {}), MODELS).row(0, named=True)
    assert (row["accuracy"], row["identical_rows"], row["different_rows"]) == (1.0, None, 0)
    assert row["accuracy_without_identical"] is None


def test_identical_partials_count_whether_right_or_wrong_but_not_where_lost() -> None:
    """Of four identical partials one is right, one wrong, one silent, and one lost: three rows."""
    lost = answer_row(3, "opus", "partial", None, status="pending")
    log = make_log(
        [*(answer_row(n, "opus", "partial", right) for n, right in enumerate((True, False, None))), lost]
    )
    row = generated(log, text_rows(("opus",), 4, {"opus": 4}), MODELS).row(0, named=True)
    assert (row["identical_rows"], row["partial_rows"], row["different_rows"]) == (3, 3, 0)
    assert row["accuracy_without_identical"] is None


def test_one_question_has_no_interval() -> None:
    """Both generators' answers to one question are one cluster."""
    log = make_log([answer_row(1, generator, "full", True) for generator in ("opus", "sonnet")])
    row = generated(log, text_rows(("opus", "sonnet"), 5, {}), MODELS).row(0, named=True)
    assert (row["generator"], row["full_rows"], row["full_accuracy"]) == (None, 2, 1.0)
    assert (row["full_accuracy_low"], row["full_accuracy_high"]) == (None, None)


def test_the_last_dot_parts_generator_and_length() -> None:
    """Generators may have dots in their names; other variants and other datasets are left out."""
    log = make_log(
        [
            answer_row(1, "gpt-4.1.full", "partial", True),
            answer_row(1, "opus", "full", True, variant="full", row_id="a"),
            answer_row(1, "opus", "full", True, variant=None, row_id="b"),
            answer_row(1, "opus", "full", True, dataset="asqa"),
        ]
    )
    rows = generated(log, text_rows((), 0, {}), MODELS)
    assert rows["generator"].to_list() == [None, "gpt-4.1.full"]
    assert rows["partial_rows"].to_list() == [1, 1]


def test_conditions_and_replicates() -> None:
    """Each condition has its own rows; replicates are rows of one cell."""
    log = make_log(
        [
            answer_row(1, "opus", "full", True),
            answer_row(1, "opus", "full", False, replicate=1),
            answer_row(1, "opus", "full", False, condition="padding"),
        ]
    )
    rows = generated(log, text_rows((), 0, {}), MODELS).drop_nulls("generator")
    assert rows.select("condition", "rows", "right").rows() == [("full", 2, 1), ("padding", 1, 0)]


def test_no_generated_rows_give_an_empty_table(table: pl.DataFrame) -> None:
    """A log without generated answers has the table's columns and no row."""
    found = generated(make_log([{"variant": "full"}]), text_rows((), 0, {}), {})
    assert (found.height, found.schema) == (0, table.schema)


@given(st.randoms())
@settings(max_examples=5, deadline=None)
def test_order_of_rows_and_compact_types_have_no_effect(random: Any) -> None:
    """The same rows in any order, compact or not, give the same table."""
    rows = [row for row in study() if row["judge"] == "gpt" and row["design"] == "H"]
    texts = text_rows(("opus", "sonnet"), QUESTIONS, IDENTICAL)
    expected = generated(make_log(rows), texts, MODELS)
    random.shuffle(rows)
    assert_frame_equal(
        generated(compact(make_log(rows)), texts.sample(fraction=1.0, shuffle=True, seed=1), MODELS), expected
    )


def test_a_judge_of_known_bias_is_recovered() -> None:
    """A judge that says supported always is right on all full rows and on no partial one."""
    rows = [
        answer_row(question, "opus", length, length == "full", judge="yes")
        for question in range(20)
        for length in ("full", "partial")
    ]
    found = generated(make_log(rows), text_rows(("opus",), 20, {}), MODELS).filter(pl.col("generator") == "opus")
    row = one(found)
    assert [row[f"full_accuracy{end}"] for end in ("", "_low", "_high")] == [1.0] * 3
    assert [row[f"partial_accuracy{end}"] for end in ("", "_low", "_high")] == [0.0] * 3
    assert row["accuracy"] == 0.5
