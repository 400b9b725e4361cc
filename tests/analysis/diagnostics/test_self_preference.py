"""Whether judges favour their own family's answers: scripted judges whose favour is known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from judgeray.analysis.compact import compact
from judgeray.analysis.diagnostics.self_preference import (
    FEW_CAUTION,
    NO_OTHER_CAUTION,
    NO_OWN_CAUTION,
    UNKNOWN_CAUTION,
    WRITER_CAUTION,
    self_preference,
)
from tests.analysis.diagnostics.made_answers import answer_row
from tests.analysis.made_logs import make_log

Rows = list[dict[str, Any]]
Seen = Mapping[str, Sequence[bool | None]]
"""Verdicts by generator, one entry a question."""

FAMILIES = {"opus": "anthropic", "gpt": "openai", "gpt-mini": "openai", "gemini": "google"}


def judged(judge: str, supported: Seen, **more: Any) -> Rows:
    """Whole answers of each generator as one judge sees them, one entry a question."""
    return [
        answer_row(question, generator, "full", verdict, judge=judge, **more)
        for generator, verdicts in supported.items()
        for question, verdict in enumerate(verdicts)
    ]


def table(rows: Rows, families: dict[str, str] | None = None) -> dict[str, dict[str, Any]]:
    """Rows of the table by judge."""
    found = self_preference(make_log(rows), FAMILIES if families is None else families)
    return {row["judge"]: row for row in found.rows(named=True)}


def estimate(row: dict[str, Any], name: str) -> list[float | None]:
    """Value and interval ends."""
    return [row[name], row[f"{name}_low"], row[f"{name}_high"]]


def test_every_number_by_hand() -> None:
    """Opus supports its own in 3 of 4 and others in 1 of 4; Gemini 2 and 2: preference 0.5, adjusted 0.5."""
    rows = judged("opus", {"opus": [True, True, True, False], "gpt": [True, False, False, False]}) + judged(
        "gemini", {"opus": [True, True, False, False], "gpt": [False, False, True, True]}
    )
    row = table(rows)["opus"]
    assert (row["family"], row["questions"], row["rows"], row["other_judges"]) == ("anthropic", 4, 8, 1)
    assert (row["own_supported"], row["others_supported"]) == (0.75, 0.25)
    assert (row["preference"], row["adjusted"]) == (0.5, 0.5)
    assert (row["differing"], row["wins_own"], row["wins_others"], row["p_sign"]) == (2, 2, 0, 0.5)
    assert row["adjusted_low"] < 0.5 < row["adjusted_high"]
    assert row["caution"] == FEW_CAUTION


def test_a_judge_that_always_supports_its_own() -> None:
    """Own always, others never, a neutral judge alike on both: preference and adjusted are 1, without spread."""
    rows = judged("opus", {"opus": [True] * 12, "gpt": [False] * 12}) + judged(
        "gemini", {"opus": [True, False] * 6, "gpt": [True, False] * 6}
    )
    row = table(rows)["opus"]
    assert estimate(row, "preference") == estimate(row, "adjusted") == [1.0, 1.0, 1.0]
    assert (row["wins_own"], row["p_sign"], row["caution"]) == (12, pytest.approx(2 / 2**12), None)


def test_better_answers_are_no_preference() -> None:
    """Where every judge sees the same difference, the raw preference stands and the adjusted one is zero."""
    seen: Seen = {"opus": [True] * 12, "gpt": [False] * 11 + [True]}
    rows = judged("opus", seen) + judged("gemini", seen)
    row = table(rows)["opus"]
    assert row["preference"] == pytest.approx(11 / 12)
    assert row["preference_low"] > 0
    assert estimate(row, "adjusted") == [0.0, 0.0, 0.0]


def test_known_favour_is_recovered_over_better_answers() -> None:
    """Own answers 20 points better in truth, 15 points of favour: adjusted holds 0.15, the raw one 0.35."""
    rng = np.random.default_rng(11)

    def seen(own: float, other: float) -> Seen:
        return {name: (rng.random(600) < share).tolist() for name, share in (("opus", own), ("gpt", other))}

    rows = judged("opus", seen(0.85, 0.5)) + judged("gemini", seen(0.7, 0.5)) + judged("gemini2", seen(0.7, 0.5))
    row = table(rows, FAMILIES | {"gemini2": "google"})["opus"]
    assert row["other_judges"] == 2
    assert row["preference_low"] < 0.35 < row["preference_high"]
    assert row["adjusted_low"] < 0.15 < row["adjusted_high"]
    assert row["adjusted_low"] > 0


def test_families_count_and_not_models() -> None:
    """Answers of every generator of the judge's family are own; judges of the family are no control."""
    rows = judged("gpt", {"gpt": [True] * 3, "gpt-mini": [False] * 3, "opus": [False] * 3}) + judged(
        "gpt-mini", {"gpt": [False] * 3, "gpt-mini": [False] * 3, "opus": [False] * 3}
    )
    row = table(rows)["gpt"]
    assert (row["rows"], row["own_supported"], row["others_supported"]) == (9, 0.5, 0.0)
    assert (row["other_judges"], row["adjusted"], row["adjusted_low"]) == (0, None, None)
    assert row["caution"] == f"{FEW_CAUTION}; {NO_OTHER_CAUTION}"


def test_two_judges_that_wrote_add_up_and_are_cautioned() -> None:
    """With nobody neutral the adjusted preference holds both favours, and the caution says so."""
    rows = judged("opus", {"opus": [True] * 12, "gpt": [False] * 12}) + judged(
        "gpt", {"opus": [False] * 12, "gpt": [True] * 12}
    )
    found = table(rows)
    assert {name: (row["preference"], row["adjusted"]) for name, row in found.items()} == {
        "opus": (1.0, 2.0),
        "gpt": (1.0, 2.0),
    }
    assert {row["caution"] for row in found.values()} == {WRITER_CAUTION}


def test_judges_that_wrote_nothing_or_are_not_known_have_no_preference() -> None:
    """They stand in the table with nulls and the reason; answers of an unknown family are nobody's."""
    seen: Seen = {"opus": [True] * 3, "gpt": [True] * 3, "mystery": [False] * 3}
    found = table(judged("gemini", seen) + judged("lexical", seen) + judged("opus", seen))
    for name, reason in (("gemini", NO_OWN_CAUTION), ("lexical", UNKNOWN_CAUTION)):
        row = found[name]
        assert (row["questions"], row["rows"], row["preference"], row["p_sign"], row["caution"]) == (
            0, 0, None, None, reason,
        )  # fmt: skip
    assert (found["opus"]["rows"], found["opus"]["others_supported"], found["opus"]["other_judges"]) == (6, 1.0, 1)


def test_missing_verdicts_drop_their_question() -> None:
    """A question counts where both kinds of answers have a verdict, for the judge and for its controls."""
    rows = judged("opus", {"opus": [True, True, None], "gpt": [False, None, False]}) + judged(
        "gemini", {"opus": [None, True, True], "gpt": [False, False, False]}
    )
    row = table(rows)["opus"]
    assert (row["questions"], row["rows"], row["preference"], row["preference_low"]) == (1, 2, 1.0, None)
    assert (row["adjusted"], row["other_judges"]) == (None, 0)


def test_partial_answers_and_other_conditions_say_nothing() -> None:
    """Only whole answers in the main condition count."""
    rows = judged("opus", {"opus": [True] * 3, "gpt": [False] * 3})
    more = judged("opus", {"opus": [False] * 3, "gpt": [True] * 3}, condition="padding")
    partial = [answer_row(q, "opus", "partial", right=False, judge="opus") for q in range(3)]
    assert table(rows + more + partial) == table(rows)


def test_scores_are_contrasted_the_same_way() -> None:
    """Mean scores 5 and 3 against a control of 4 and 3: preference 2, adjusted 1; unscored rows are left out."""
    scores = {("opus", "opus"): 5.0, ("opus", "gpt"): 3.0, ("gemini", "opus"): 4.0, ("gemini", "gpt"): 3.0}
    rows = [
        answer_row(question, generator, "full", right=True, judge=judge, score=score)
        for (judge, generator), score in scores.items()
        for question in range(4)
    ]
    rows += [answer_row(9, generator, "full", right=True, judge="opus") for generator in ("opus", "gpt")]
    row = table(rows)["opus"]
    assert (row["questions"], row["score_questions"], row["own_score"], row["others_score"]) == (5, 4, 5.0, 3.0)
    assert estimate(row, "score_preference") == [2.0, 2.0, 2.0]
    assert estimate(row, "score_adjusted") == [1.0, 1.0, 1.0]


def test_replicates_are_answers_and_questions_weigh_the_same() -> None:
    """Own 1 of 2 and others 0 of 1 in one question, 1 and 1 in the other: a mean difference of one quarter."""
    rows = judged("opus", {"opus": [True, True], "gpt": [False, True]})
    rows.append(answer_row(0, "opus", "full", right=False, judge="opus", replicate=1))
    row = table(rows)["opus"]
    assert (row["questions"], row["rows"], row["own_supported"], row["others_supported"]) == (2, 5, 0.75, 0.5)
    assert row["preference"] == 0.25


def test_designs_and_datasets_stand_apart() -> None:
    """Each dataset and design has its own row and its own controls."""
    rows = judged("opus", {"opus": [True], "gpt": [False]}) + judged(
        "opus", {"opus": [True], "gpt": [True]}, design="C"
    )
    rows += judged("gemini", {"opus": [True], "gpt": [True]}, design="C")
    found = self_preference(make_log(rows), FAMILIES).filter(pl.col("judge") == "opus")
    assert found.select("design", "preference", "other_judges").rows() == [("C", 0.0, 1), ("H", 1.0, 0)]


def test_no_generated_answers_give_an_empty_table() -> None:
    """The columns stay."""
    full = self_preference(make_log(judged("opus", {"opus": [True]})), FAMILIES)
    none = self_preference(make_log([{"variant": "pos"}]), {})
    assert (none.height, none.schema) == (0, full.schema)


@given(st.randoms())
@settings(max_examples=10, deadline=None)
def test_order_of_rows_and_compact_types_have_no_effect(random: Any) -> None:
    """The same rows in any order give the same table to the last bit."""
    rng = np.random.default_rng(5)
    rows = [
        answer_row(n, generator, "full", bool(rng.random() < 0.6), judge=judge, replicate=replicate)
        | {"score": float(rng.integers(1, 6)) / 3}
        for n in range(8)
        for generator in ("opus", "gpt", "gemini")
        for judge in FAMILIES
        for replicate in range(2)
    ]
    expected = self_preference(make_log(rows), FAMILIES)
    random.shuffle(rows)
    assert_frame_equal(self_preference(compact(make_log(rows)), FAMILIES), expected, check_exact=True)
