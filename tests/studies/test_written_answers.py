"""Laws of written answers: what a generator does shows in its text and in every verdict on it, and nowhere else."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from judgeray.core.call import Call
from judgeray.core.reply import Answer, Reply
from judgeray.studies.generated_arm import GeneratedArm
from judgeray.studies.text_arm import TextArm
from judgeray.writers.answer import nominal_partial
from tests.studies.scripted import GPT, OPUS, Scripted, manifest_of, scripted
from tests.studies.scripted_judges import (
    asks_for_an_answer,
    data_rows,
    failure_of,
    reply_to,
    shown,
    verdict,
    write_rows,
)

ANSWER = "One is here. Two is here. Three is here."
YES = verdict("supported")
WRITERS = "generated_answers: {designs: [H], judges: [gpt], generators: {opus: {temperature: 0.5}}}"


def written(folder: Path, writer: str | Answer | None, judge: str | Answer | None = YES, **more: Any) -> Scripted:
    """One generator, one judge; both always say the same. Keys of replies are set to the call's."""
    write_rows(folder, data_rows(2))
    manifest = manifest_of(more.pop("diagnostics", WRITERS), f"{GPT}, {OPUS}", **more)
    return scripted(folder, manifest, lambda call: answered(call, writer if asks_for_an_answer(call) else judge))


def answered(call: Call, said: str | Answer | None) -> str | Answer | None:
    """Make a reply or failure that of the call."""
    if isinstance(said, Reply):
        return reply_to(call, said.text, said.outcome)
    return said if said is None or isinstance(said, str) else failure_of(call, said.error)


SOME = Call("openai", "gpt-4.1", None, "some call")


def texts_and_verdicts(made: Scripted) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The first text, and the verdicts on it."""
    text = made.records(TextArm)[0]
    return text, [row for row in made.records(GeneratedArm) if row["question_id"] == text["question_id"]]


WRITTEN: dict[str, tuple[str | Answer | None, tuple[str, str | None], tuple[str, str | None]]] = {
    "answer": (f" {ANSWER}\n", ("ok", None), ("ok", None)),
    "cut": (reply_to(SOME, ANSWER, "truncated"), ("ok", None), ("ok", None)),
    "refusal": (
        reply_to(SOME, "I will not.", "refused"),
        ("refused", "the writer refused"), ("undelivered", "no candidate: the writer refused"),
    ),
    "blank": (" \n", ("unparsed", "no text"), ("undelivered", "no candidate: no text")),
    "cut before any text": (
        reply_to(SOME, "", "truncated"),
        ("truncated", "cut before any text"), ("undelivered", "no candidate: cut before any text"),
    ),
    "failure": (
        failure_of(SOME, "no such model"),
        ("undelivered", "no such model"), ("undelivered", "no candidate: no such model"),
    ),
    "waiting": (None, ("pending", None), ("pending", None)),
}  # fmt: skip


@pytest.mark.parametrize("name", WRITTEN)
def test_what_the_writer_did_shows_in_both(tmp_path: Path, name: str) -> None:
    """A text's status is its call's; verdicts without a candidate were never judged, and say why."""
    writer, text_outcome, verdict_outcome = WRITTEN[name]
    text, verdicts = texts_and_verdicts(written(tmp_path, writer))
    assert (text["status"], text["error"]) == text_outcome
    assert (text["text"], text["partial"]) == (
        (ANSWER, "One is here.") if text_outcome[0] == "ok" else (None, None)
    )
    assert text["identical"] == (False if text_outcome[0] == "ok" else None)
    assert [(row["status"], row["error"]) for row in verdicts] == [verdict_outcome] * 2
    assert {row["verdict"] for row in verdicts} == {"supported" if verdict_outcome[0] == "ok" else None}


JUDGED: dict[str, tuple[str | Answer | None, str, str | None]] = {
    "refusal": (reply_to(SOME, verdict("supported"), "refused"), "refused", None),
    "cut": (reply_to(SOME, '{"ver', "truncated"), "truncated", None),
    "mute": ("Nothing to say.", "unparsed", None),
    "failure": (failure_of(SOME, "out of money"), "undelivered", "out of money"),
    "waiting": (None, "pending", None),
}


@pytest.mark.parametrize("name", JUDGED)
def test_what_the_judge_did_leaves_the_text_alone(tmp_path: Path, name: str) -> None:
    """A judge that fails or says nothing costs verdicts, not the answer."""
    judge, status, error = JUDGED[name]
    text, verdicts = texts_and_verdicts(written(tmp_path, ANSWER, judge))
    assert (text["status"], text["text"]) == ("ok", ANSWER)
    assert [(row["status"], row["error"], row["verdict"]) for row in verdicts] == [(status, error, None)] * 2


def test_judges_see_the_whole_answer_and_its_first_third(tmp_path: Path) -> None:
    """The candidate is the text as it was written, or its nominal part; question and reference stay."""
    seen: list[str] = []

    def judge(call: Call) -> str:
        if asks_for_an_answer(call):
            return ANSWER
        texts = shown(call)
        seen.append(f"{texts.question}|{texts.reference}|{texts.candidate}")
        return verdict("supported")

    write_rows(tmp_path, data_rows(1))
    made = scripted(tmp_path, manifest_of(WRITERS, f"{GPT}, {OPUS}"), judge)
    before = "Question 0?|Say supported to 0. It has a second sentence.|"
    assert seen == [before + ANSWER, before + nominal_partial(ANSWER)]
    full, part = made.records(GeneratedArm)
    assert (full["variant"], full["label"]) == ("opus.full", "supported")
    assert (part["variant"], part["label"]) == ("opus.partial", "partially_supported")
    assert part["row_id"] == "mine.generated:q000:opus.partial"
    assert {row["dataset"] for row in (full, part)} == {"mine.generated"}


def test_tokens_and_cost_are_the_judges_alone(tmp_path: Path) -> None:
    """A verdict's calls, tokens, cost and served model leave the generator's out; those stand with the text."""
    made = written(tmp_path, ANSWER, verdict("supported"))
    text, verdicts = texts_and_verdicts(made)
    replies = {reply.key: reply for _, states in made.made for state in states for reply in state.replies}
    for row in (text, *verdicts):
        (key,) = row["call_keys"]
        assert (row["total_tokens"], row["attempts"]) == (replies[key].usage.total_tokens, 1)
        assert row["cost_usd"] == made.experiment.prices(replies[key])
        assert row["served_model"] == replies[key].served_model
    assert text["model"] == "claude-opus-4-6"
    assert {(row["judge"], row["model"], row["served_model"]) for row in verdicts} == {
        ("gpt", "gpt-4.1", "gpt-4.1-2026")
    }


def test_a_verdict_without_candidate_costs_nothing(tmp_path: Path) -> None:
    """The writer's refusal was paid for with the text; no judge was asked, so nothing is known of its tokens."""
    made = written(tmp_path, reply_to(SOME, "No.", "refused"))
    text, verdicts = texts_and_verdicts(made)
    assert text["cost_usd"] > 0
    names = ("input_tokens", "output_tokens", "total_tokens", "cost_usd", "served_model", "simulated")
    assert {row[name] for row in verdicts for name in names} == {None}
    assert [row["call_keys"] for row in verdicts] == [[], []]


@pytest.mark.parametrize(
    ("given", "parameters"),
    [
        ("{}", {"max_output_tokens": 256, "temperature": 0.7}),
        ("{temperature: 0.5, max_output_tokens: 99}", {"max_output_tokens": 99, "temperature": 0.5}),
        ("{temperature: null, max_output_tokens: null}", {"top_p": 0.9}),
    ],
)
def test_a_text_records_what_its_generator_was_sent(
    tmp_path: Path, given: str, parameters: dict[str, float]
) -> None:
    """Temperature and cap are the generator's own; what its judge's entry says besides is sent as well."""
    write_rows(tmp_path, data_rows(1))
    diagnostics = f"generated_answers: {{designs: [H], generators: {{gpt: {given}}}}}"
    judges = "gpt: {provider: openai, model: gpt-4.1, temperature: 0, top_p: 0.9}"
    calls: list[Call] = []

    def judge(call: Call) -> str:
        calls.append(call)
        return ANSWER if asks_for_an_answer(call) else verdict("supported")

    made = scripted(tmp_path, manifest_of(diagnostics, judges), judge)
    (text,) = made.records(TextArm)
    assert json.loads(text["parameters"]) == {"top_p": 0.9} | parameters
    assert dict(calls[0].parameters) == {"top_p": 0.9} | parameters
    assert dict(calls[1].parameters) == {"temperature": 0.0, "top_p": 0.9}
    assert text["writer"] == "answer v1"


@pytest.mark.parametrize(("answer", "identical"), [("One only", True), ("One. Two.", False), ("One.", True)])
def test_a_part_that_is_the_whole_is_flagged(tmp_path: Path, answer: str, identical: bool) -> None:
    """An answer of one segment has no smaller part: the partial is the whole and a period."""
    text, verdicts = texts_and_verdicts(written(tmp_path, answer))
    assert text["identical"] is identical
    assert len(verdicts) == 2


CAPS = (
    "generated_answers: {designs: [C, H], judges: [gpt], generators: {opus: {}}, caps: {gpt: {H: 200}}}"
)  # fmt: skip


def test_a_cap_holds_for_its_judge_and_design(tmp_path: Path) -> None:
    """Study 1 capped one judge under two designs; all other calls go without."""
    made = written(tmp_path, ANSWER, diagnostics=CAPS)
    caps = {
        (arm.design_name, arm.judge.name): arm.judge.parameters.get("max_output_tokens")
        for arm in made.experiment.arms if isinstance(arm, GeneratedArm)
    }  # fmt: skip
    assert caps == {("C", "gpt"): None, ("H", "gpt"): 200}


def test_calls_to_follow_are_told_to_plans_alone(tmp_path: Path) -> None:
    """Until the answer is there, a call of the length expected stands for the judge's; it is never asked."""
    made = written(tmp_path, None)
    coming = [
        call
        for part, states in made.made
        for item, state in zip(part.items, states, strict=True)
        for call in part.arm.follow_ups(item, state)
    ]
    assert len({call.key for call in coming}) == len(coming) == 4
    assert not {call.key for call in coming} & set(made.asked)
    writer = made.experiment.arms[0]
    assert {call.model for call in coming} == {"gpt-4.1"}
    assert {len(shown(call).candidate) for call in coming} == {4 * writer.output_tokens}


@pytest.mark.parametrize("writer", [ANSWER, reply_to(SOME, "No.", "refused"), failure_of(SOME)])
def test_nothing_follows_once_the_writer_is_done(tmp_path: Path, writer: str | Answer) -> None:
    """The judge's call is wanted itself by then, or will never be."""
    made = written(tmp_path, writer, None)
    for part, states in made.made:
        for item, state in zip(part.items, states, strict=True):
            assert list(part.arm.follow_ups(item, state)) == []


def test_the_case_of_a_generated_row_has_the_rows_texts(tmp_path: Path) -> None:
    """Question and reference are the row's; in place of the candidate it says whose reply holds it."""
    made = written(tmp_path, ANSWER)
    case = next(case for part, _ in made.made if isinstance(part.arm, GeneratedArm) for case in part.cases())
    assert (case.question, case.candidate) == ("Question 0?", "(full text by opus: the reply to call 1)")
    assert case.reference.startswith("Say supported to 0.")


def test_text_with_lone_surrogates_is_stored(tmp_path: Path) -> None:
    """Whatever a generator writes can be kept and judged."""
    text, verdicts = texts_and_verdicts(written(tmp_path, "Odd \ud800 text. \0 More."))
    assert text["text"] == "Odd \\ud800 text. \0 More."
    assert {row["status"] for row in verdicts} == {"ok"}
