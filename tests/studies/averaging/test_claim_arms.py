"""Laws of claim arms: lists are written once and stand by themselves, claims are rows of their own."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from judgeray.core.call import Call
from judgeray.core.reply import Answer
from judgeray.engine.layout import RepliesFolder
from judgeray.run.plan import plan
from judgeray.run.resolve import read_experiment
from judgeray.run.survey import survey
from judgeray.studies.averaging.claim_arm import EXPECTED_CLAIMS, NO_FACT, NO_LIST, ClaimArm
from judgeray.studies.averaging.claim_list_arm import ClaimListArm
from judgeray.studies.averaging.sentence_arm import SentenceArm
from judgeray.writers.subclaims import SUBCLAIMS
from tests.studies.averaging.scripted_summaries import (
    GPT,
    HAIKU,
    SIX,
    Scripted,
    annotations_csv,
    asks_for_claims,
    honest,
    manifest_of,
    noting,
    said,
    scripted,
    shown_sentence,
    summary,
    write_summaries,
    written,
)
from tests.studies.scripted_judges import Judges, failure_of, reply_to

CLAIMS = "annotations: '{folder}/marks.csv', claims: {writer: haiku, judges: [gpt]}"
BOTH = f"{GPT}, {HAIKU}"
TWO = (summary("a:1", "10", 1), summary("b:1", "11", 0))
SENTENCES = [
    "Point 0 of a:1 is right.", "Point 1 of a:1 is wrong.", "Point 0 of b:1 is right.", "Point 1 of b:1 is right."
]  # fmt: skip


def study(folder: Path, judges: Judges, claims: str = CLAIMS, marks: str | None = None) -> Scripted:
    """Two summaries of two sentences, all annotated unless marks are given."""
    write_summaries(folder, TWO)
    (folder / "marks.csv").write_text(annotations_csv(TWO) if marks is None else marks)
    return scripted(folder, manifest_of(claims, BOTH), judges)


def test_a_claim_is_a_row_with_the_label_of_its_sentence(tmp_path: Path) -> None:
    """Claims stand in order under their sentence; the label is what people said of the sentence."""
    rows = study(tmp_path, honest).records(ClaimArm)
    found = [(row["summary_id"], row["sentence_index"], row["claim_index"], row["label"], row["faithful"])
             for row in rows]  # fmt: skip
    assert found == [
        ("a:1", 0, 0, 1, 1), ("a:1", 0, 1, 1, 1), ("a:1", 1, 0, 0, 1), ("a:1", 1, 1, 0, 0),
        ("b:1", 0, 0, 1, 1), ("b:1", 0, 1, 1, 1), ("b:1", 1, 0, 1, 1), ("b:1", 1, 1, 1, 1),
    ]  # fmt: skip
    assert {(row["unit"], row["judge"], row["status"]) for row in rows} == {("claim", "gpt", "ok")}
    assert rows[3]["sentence"] == "Point 1 of a:1 is wrong."


def test_the_writer_does_not_see_the_document(tmp_path: Path) -> None:
    """The sentence is all that a list is made from."""
    calls: list[Call] = []
    study(tmp_path, noting(calls))
    asked = [call for call in calls if asks_for_claims(call)]
    assert {call.user for call in asked} == {f"Sentence: {shown_sentence(call)}" for call in asked}
    assert {call.model for call in asked} == {"claude-haiku-4-5"}
    assert len(asked) == 4


def test_lists_have_rows_of_their_own(tmp_path: Path) -> None:
    """What the writer said and cost is recorded once a sentence, and with no judge."""
    made = study(tmp_path, honest, CLAIMS.replace("[gpt]", "[gpt, haiku]"))
    lists = made.records(ClaimListArm)
    assert [row["text"].splitlines()[1] for row in lists] == SENTENCES
    assert {(row["status"], row["generator"], row["writer"]) for row in lists} == {("ok", "haiku", "subclaims v1")}
    written_keys = {key for row in lists for key in row["call_keys"]}
    judged_keys = {key for row in made.records(ClaimArm) for key in row["call_keys"]}
    assert len(written_keys) == 4
    assert not written_keys & judged_keys
    assert {made.asked[key] for key in written_keys} == {1}
    own = [reply.key for part, states in made.made for state in states for reply in part.arm.own(state)]
    assert sum(key in written_keys for key in own) == 4


def test_costs_are_told_where_they_belong(tmp_path: Path) -> None:
    """Rows of claims carry their own call; lists theirs; the report adds both up."""
    made = study(tmp_path, honest)
    line = made.line("claim_lists")
    lists = made.records(ClaimListArm)
    assert (line["writer"], line["sentences"], line["ok"], line["calls"]) == ("haiku", 4, 4, 4)
    assert line["cost_usd"] == pytest.approx(sum(row["cost_usd"] for row in lists))
    once = {row["call_keys"][0]: row["cost_usd"] for kind in (SentenceArm, ClaimArm) for row in made.records(kind)}
    total = sum(once.values()) + line["cost_usd"]
    assert f"Cost: {total:.4f} USD" in (made.run / "report.md").read_text("utf-8")
    assert set(once) | {row["call_keys"][0] for row in lists} == set(made.asked)


def spoilt(call: Call) -> str | Answer | None:
    """Each sentence has a misfortune of its own."""
    sentence = shown_sentence(call)
    if not asks_for_claims(call):
        if "Point 1 of b:1" in sentence:
            return failure_of(call, "broken line")
        return said(1)
    if "Point 0 of a:1" in sentence:
        return reply_to(call, "I cannot help with that.", "refused")
    if "Point 1 of a:1" in sentence:
        return "NONE"
    if "Point 0 of b:1" in sentence:
        return failure_of(call, "no writer")
    return honest(call)


def test_sentences_without_judged_claims_have_one_row(tmp_path: Path) -> None:
    """A refused list, a sentence without facts, a failed list and a failed claim: one row each, no index."""
    rows = study(tmp_path, spoilt).records(ClaimArm)
    found = [(row["status"], row["error"], row["claim_index"], row["faithful"], row["cost_usd"] is None)
             for row in rows]  # fmt: skip
    assert found == [
        ("refused", NO_LIST, None, None, True),
        ("ok", NO_FACT, None, None, True),
        ("undelivered", "no writer", None, None, True),
        ("undelivered", "broken line", None, None, False),
    ]
    assert [row["sentence"] for row in rows] == SENTENCES


def test_lists_tell_what_became_of_them(tmp_path: Path) -> None:
    """Refused, empty, failed and listed; an empty list is no missing one."""
    made = study(tmp_path, spoilt)
    rows = [(row["status"], row["text"], row["error"]) for row in made.records(ClaimListArm)]
    assert rows == [
        ("refused", None, None), ("ok", "", None), ("undelivered", None, "no writer"),
        ("ok", "There is something right.\nPoint 1 of b:1 is right.", None),
    ]  # fmt: skip
    line = made.line("claim_lists")
    counted = ("ok", "refused", "undelivered", "without_fact", "calls")
    assert [line[name] for name in counted] == [2, 1, 1, 1, 3]
    statistics = made.line("claim_statistics")
    assert (statistics["sentences"], statistics["without_claims"]) == (0, 4)


def test_claims_wait_for_their_list(tmp_path: Path) -> None:
    """Until a list is there nothing is asked about its claims, and the row is pending."""
    made = study(tmp_path, lambda call: None if asks_for_claims(call) else honest(call))
    assert Counter(row["status"] for row in made.records(ClaimArm)) == {"pending": 4}
    assert len(made.asked) == 4 * 2 + 4
    assert {tuple(row["call_keys"]) for row in made.records(ClaimArm)} == {
        tuple(row["call_keys"]) for row in made.records(ClaimListArm)
    }


def test_a_claim_without_a_label_is_a_row_of_its_own(tmp_path: Path) -> None:
    """A refused judgment of one claim leaves the others as they are."""

    def judge(call: Call) -> str | Answer:
        fact = not asks_for_claims(call) and shown_sentence(call).startswith("There is")
        return reply_to(call, None, "refused") if fact else honest(call)

    rows = study(tmp_path, judge).records(ClaimArm)
    assert [row["status"] for row in rows] == ["refused", "ok"] * 4


def test_a_claim_that_is_its_sentence_is_bought_once(tmp_path: Path) -> None:
    """Its judgment is the sentence's: the same call."""
    made = study(tmp_path, honest)
    sentences = {row["sentence"]: row["call_keys"] for row in made.records(SentenceArm) if row["judge"] == "gpt"}
    claims = [row for row in made.records(ClaimArm) if row["sentence"] in sentences]
    assert len(claims) == 4
    assert all(row["call_keys"] == sentences[row["sentence"]] for row in claims)


def test_labels_are_those_of_clear_marks(tmp_path: Path) -> None:
    """Unclear sentences and those on which annotators differ evenly have no label; most marks decide."""
    marks = [
        "a:1,0,Unclear,x", "a:1,1,Faithful,x", "a:1,1,Unfaithful,y", "b:1,0,Faithful,x", "b:1,0,Unclear,y",
        "b:1,1,Unfaithful,x", "b:1,1,Unfaithful,y", "b:1,1,Faithful,z",
    ]  # fmt: skip
    text = "\n".join(["summary_id,sentence_index,annotation,annotator", *marks, ""])
    rows = study(tmp_path, honest, marks=text).records(ClaimArm)
    assert {(row["summary_id"], row["sentence_index"], row["label"]) for row in rows} == {
        ("b:1", 0, 1), ("b:1", 1, 0)
    }  # fmt: skip


def test_a_plan_expects_claims_as_the_study_found_them(tmp_path: Path) -> None:
    """Lists are counted where they are written; before any is known, five claims a sentence are expected."""
    made = study(tmp_path, honest)
    facts = survey(made.experiment.sources, made.experiment.arms, made.experiment.study)
    assert facts["mine"].labelled == 4
    experiment = read_experiment(written(tmp_path, manifest_of(CLAIMS, BOTH)))
    plans = plan(experiment, RepliesFolder(tmp_path / "replies"))
    assert {key: arm.wanted for key, arm in plans.items()} == {
        ("gpt", "F"): 4, ("haiku", "F"): 4, ("haiku", SUBCLAIMS.name): 4, ("gpt", "F.claims"): 4 * EXPECTED_CLAIMS
    }  # fmt: skip


def test_single_sentences_are_taken_apart_too(tmp_path: Path) -> None:
    """One level down, a summary of one sentence has something to tell beside those that are judged whole."""
    rows = [*SIX[:2], summary("e:1", "1", 0)]
    write_summaries(tmp_path, rows)
    (tmp_path / "marks.csv").write_text(annotations_csv(rows))
    made = scripted(tmp_path, manifest_of(CLAIMS, BOTH), honest)
    assert {row["summary_id"] for row in made.records(ClaimArm)} == {"a:1", "b:1", "e:1"}
    assert {row["summary_id"] for row in made.records(SentenceArm)} == {"a:1", "b:1"}
    assert made.line("claim_aggregation", score="hard", aggregator="min")["sentences"] == 5
    assert made.line("aggregation", score="hard", aggregator="min", judge="gpt")["summaries"] == 2


def test_claims_need_no_labels_of_summaries(tmp_path: Path) -> None:
    """A benchmark that labels sentences alone is judged by its claims alone, and has its report."""
    unlabelled = [{name: value for name, value in row.items() if name != "label"} for row in SIX]
    write_summaries(tmp_path, unlabelled)
    (tmp_path / "marks.csv").write_text(annotations_csv(SIX))
    made = scripted(tmp_path, manifest_of(CLAIMS, BOTH), honest)
    assert made.records(SentenceArm) == []
    assert len(made.records(ClaimArm)) == 16 * 2
    assert made.line("claim_mean_against_min", score="hard")["pearson_min"] == 1.0
    assert made.table("aggregation") == []
    assert "One level down" in (made.run / "report.html").read_text("utf-8")


def test_votes_of_a_benchmark_label_its_sentences(tmp_path: Path) -> None:
    """Without a file, claims are held against the verdicts that come with the benchmark's own sentences."""
    votes = {"yes": [{"response": "yes"}] * 3, "no": [{"response": "no"}] * 2 + [{"response": "yes"}]}
    told = [("It is right.", "yes"), ("It is wrong.", "no")]
    quotes = {"article": "So.", "summary_sentences": [{"sentence": s, "responses": votes[v]} for s, v in told]}
    write_summaries(tmp_path, [quotes], "votes.jsonl")
    source = "quotes: {layout: qags, path: '{folder}/votes.jsonl'}"
    made = scripted(tmp_path, manifest_of("sentences: own, claims: {writer: gpt}", GPT, source), honest)
    assert {(row["sentence_index"], row["label"]) for row in made.records(ClaimArm)} == {(0, 1), (1, 0)}
