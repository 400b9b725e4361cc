"""Laws of pairs: who is compared with whom, and that the order shown is undone where the winner is recorded."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgeray.core.call import Call
from judgeray.pairs import Pair
from judgeray.rows import LABELS, Row
from judgeray.studies.pair_arm import PairArm, pairs_of
from tests.studies.scripted import Scripted, manifest_of, scripted
from tests.studies.scripted_judges import (
    Judge,
    data_rows,
    failure_of,
    label_said,
    reply_to,
    shown,
    winner,
    write_rows,
)

THREE = {"neg": "unsupported", "pos": "supported", "mid": "partially_supported", "again": "supported"}


def compared(folder: Path, judge: Judge, rows: Sequence[dict[str, Any]] | None = None) -> Scripted:
    """Compare candidates in both orders."""
    write_rows(folder, data_rows(3, THREE) if rows is None else rows)
    return scripted(folder, manifest_of("pairwise_order: {}"), judge)


def by_order(made: Scripted) -> dict[str, list[dict[str, Any]]]:
    """Recorded rows by the order shown."""
    rows = made.records(PairArm)
    return {order: [row for row in rows if row["condition"] == order] for order in ("full", "reversed")}


def test_the_other_order_shows_the_other_candidate_first(tmp_path: Path) -> None:
    """The same pair, the same question and reference; Answer A and Answer B change places."""
    calls: list[Call] = []

    def judge(call: Call) -> str:
        calls.append(call)
        return winner("tie")

    compared(tmp_path, judge)
    half = len(calls) // 2
    for full, turned in zip(map(shown, calls[:half]), map(shown, calls[half:]), strict=True):
        assert (full.question, full.reference) == (turned.question, turned.reference)
        assert (full.candidate, full.second) == (turned.second, turned.candidate)
        assert label_said(full.candidate) == "supported" != label_said(full.second or "")


@pytest.mark.parametrize("preferred", ["supported", "partially_supported", "unsupported"])
def test_a_judge_that_follows_content_is_the_same_in_both_orders(tmp_path: Path, preferred: str) -> None:
    """Winner and scores are the candidates', wherever they stood; the position is what was said."""

    def judge(call: Call) -> str:
        texts = shown(call)
        named = [label_said(text) for text in (texts.candidate, texts.second or "")]
        return winner("AB"[named.index(preferred)]) if preferred in named else winner("tie")

    full, turned = by_order(compared(tmp_path, judge)).values()
    assert [row["verdict"] for row in full] == [row["verdict"] for row in turned]
    for row in (*full, *turned):
        other = {"neg": "unsupported", "mid": "partially_supported"}[row["variant"].partition("-")[2]]
        expected = "first" if preferred == "supported" else "second" if preferred == other else "tie"
        assert row["verdict"] == expected
        shown_first = expected == ("first" if row["condition"] == "full" else "second")
        assert row["position"] == ("tie" if expected == "tie" else "A" if shown_first else "B")
        scores = row["score_first"], row["score_second"]
        assert scores == ((4, 2) if row["condition"] == "full" else (2, 4))


def test_a_judge_that_follows_the_place_is_another_in_each_order(tmp_path: Path) -> None:
    """Always A: the first candidate wins in one order, the second in the other."""
    full, turned = by_order(compared(tmp_path, lambda call: winner("A"))).values()
    assert {row["verdict"] for row in full} == {"first"}
    assert {row["verdict"] for row in turned} == {"second"}
    assert {row["position"] for row in (*full, *turned)} == {"A"}


def test_what_is_recorded_of_a_pair(tmp_path: Path) -> None:
    """The label is the first candidate, ids and variants name both, a score of the pair is not known."""
    row = by_order(compared(tmp_path, lambda call: winner("B")))["full"][1]
    named = {name: row[name] for name in ("row_id", "question_id", "variant", "label", "design", "judge", "status")}
    assert named == {
        "row_id": "mine:q000:pos-mid", "question_id": "q000", "variant": "pos-mid", "label": "first",
        "design": "P", "judge": "gpt", "status": "ok",
    }  # fmt: skip
    assert (row["score"], row["complexity"], row["confidence"], row["parse_branch"]) == (None, None, 0.5, "whole")
    assert len(row["call_keys"]) == 1


SILENT: dict[str, tuple[Judge, str, str | None]] = {
    "refused": (lambda call: reply_to(call, winner("A"), "refused"), "refused", None),
    "cut": (lambda call: reply_to(call, '{"win', "truncated"), "truncated", None),
    "mute": (lambda call: "I cannot tell them apart.", "unparsed", None),
    "failed": (failure_of, "undelivered", "out of luck"),
    "waiting": (lambda call: None, "pending", None),
}


@pytest.mark.parametrize("name", SILENT)
def test_a_silent_judge_has_no_winner(tmp_path: Path, name: str) -> None:
    """Each way of saying nothing is a status of its own, without winner, position or scores."""
    judge, status, error = SILENT[name]
    rows = compared(tmp_path, judge).records(PairArm)
    assert {(row["status"], row["error"]) for row in rows} == {(status, error)}
    empty = ("verdict", "position", "score_first", "score_second", "confidence", "parse_branch")
    assert {row[column] for row in rows for column in empty} == {None}
    assert all(len(row["call_keys"]) == 1 for row in rows)


def row_of(question: int, number: int, label: str, row_id: str | None = None) -> Row:
    """One row of a numbered question."""
    name, variant = f"q{question}", f"v{number}"
    return Row("d", name, row_id or f"d:{name}:{variant}", variant, label, "Q?", f"R{question}.", f"C{number}.")


@given(st.lists(st.lists(st.sampled_from(LABELS), min_size=1, max_size=5), max_size=5))
def test_the_first_supported_row_meets_every_other_label(questions: list[list[str]]) -> None:
    """A question without a supported row, or with supported rows alone, gives no pair."""
    rows = [row_of(q, n, label) for q, labels in enumerate(questions) for n, label in enumerate(labels)]
    expected = [
        (f"q{q}", f"v{labels.index('supported')}", f"v{n}")
        for q, labels in enumerate(questions) if "supported" in labels
        for n, label in enumerate(labels) if label != "supported"
    ]  # fmt: skip
    pairs = list(pairs_of(rows))
    assert [(pair.question_id, pair.first_variant, pair.second_variant) for pair in pairs] == expected
    assert len({pair.pair_id for pair in pairs}) == len(pairs)
    assert all(pair.reference == f"R{pair.question_id[1:]}." and not pair.reversed for pair in pairs)


def test_pairs_of_a_table_are_named_by_its_own_row_ids() -> None:
    """Where a table brought ids, a pair's id joins both; variants alone would name several pairs alike."""
    rows = [row_of(0, 0, "supported", "a"), row_of(0, 0, "unsupported", "b"), row_of(0, 0, "unsupported", "c")]
    assert [pair.pair_id for pair in pairs_of(rows)] == ["a~b", "a~c"]


def test_a_table_without_variants_has_pairs(tmp_path: Path) -> None:
    """Row ids that count rows name the pairs."""
    rows = [{name: value for name, value in row.items() if name != "variant"} for row in data_rows(2)]
    made = compared(tmp_path, lambda call: winner("A"), rows).records(PairArm)
    assert [row["row_id"] for row in made[:2]] == ["mine:q000:1~mine:q000:2", "mine:q001:1~mine:q001:2"]


def test_the_case_of_a_pair_does_not_depend_on_the_order(tmp_path: Path) -> None:
    """Key and texts name the same pair in both orders, but for the condition."""
    made = compared(tmp_path, lambda call: winner("A")).made
    full, turned = (part.cases() for part, _ in made)
    assert [(case.question, case.reference, case.candidate) for case in full] == [
        (case.question, case.reference, case.candidate) for case in turned
    ]
    assert {case.key.condition for case in full} == {"full"}
    assert [case.key.row_id for case in full] == [case.key.row_id for case in turned]


def test_one_call_is_all_there_is(tmp_path: Path) -> None:
    """A pair that waits has no calls to follow."""
    ((part, states), *_) = compared(tmp_path, lambda call: None).made
    items: Sequence[Pair] = part.items
    assert [list(part.arm.follow_ups(item, state)) for item, state in zip(items, states, strict=True)] == [[]] * 6
