"""Judges of known bias: what each is made to do comes out of arms, records, tables and chapter again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from judgeray.core.call import Call
from tests.studies.scripted import GPT, OPUS
from tests.studies.scripted_judges import (
    asks_for_an_answer,
    chance,
    data_rows,
    label_said,
    shown,
    verdict,
    winner,
)
from tests.studies.scripted_studies import holds, study

GEMINI = "gemini: {provider: google, model: gemini-3.1-flash-lite-preview}"
STEPS = ("supported", "partially_supported", "unsupported")


def test_always_a_follows_the_place(tmp_path: Path) -> None:
    """Every pair flips, every flip keeps the place, and A is preferred by the whole half."""
    line = study(tmp_path, "pairwise_order: {}", lambda call: winner("A")).line("pairwise_order")
    counts = {name: line[name] for name in ("pairs", "read", "flips", "winner_swaps", "position_a", "position_b")}
    assert counts == {
        "pairs": 12, "read": 12, "flips": 12, "winner_swaps": 12, "position_a": 12, "position_b": 0
    }  # fmt: skip
    assert (line["flip_rate"], line["preference"], line["accuracy"]) == (1.0, 0.5, 0.5)
    assert line["p_position"] == pytest.approx(2 * 0.5**12)


def test_a_place_preferred_now_and_then_is_found(tmp_path: Path) -> None:
    """A judge that names A in 70 of 100 answers and reads nothing has a preference of 0.2."""
    made = study(tmp_path, "pairwise_order: {}", lambda call: winner("A" if chance(call) < 0.7 else "B"), 150)
    line = made.line("pairwise_order")
    assert holds(line, "preference", 0.2)
    assert holds(line, "accuracy", 0.5)
    assert holds(line, "flip_rate", 0.7**2 + 0.3**2)


def longer(call: Call) -> str:
    """Prefer length: the longer answer wins, and 16 words more make a verdict a step softer."""
    texts = shown(call)
    if texts.second is not None:
        return winner("A" if len(texts.candidate) > len(texts.second) else "B")
    step = STEPS.index(label_said(texts.candidate)) - (len(texts.candidate.split()) > 16)
    return verdict(STEPS[max(step, 0)], 3 + (len(texts.candidate.split()) > 16))


def test_a_preference_for_length_shows_under_both_paddings(tmp_path: Path) -> None:
    """True or false, more words make unsupported rows softer, and nothing harsher."""
    made = study(tmp_path, "verbosity: {designs: [H]}", longer)
    for condition in ("padding_true", "padding_false"):
        line = made.line("verbosity", condition=condition)
        assert (line["rows"], line["flips"], line["softer"], line["harsher"]) == (24, 12, 12, 0)
        assert (line["score_shift"], line["delta_accuracy"]) == (1.0, -0.5)
        by_label = made.lines("verbosity", "verbosity_by_label", condition=condition)
        assert [(part["label"], part["softer"]) for part in by_label] == [("supported", 0), ("unsupported", 12)]


def test_a_judge_that_checks_facts_is_harsher_under_false_padding_alone(tmp_path: Path) -> None:
    """What is true and beside the point leaves a supported row as it is."""

    def checker(call: Call) -> str:
        candidate = shown(call).candidate
        return verdict("unsupported" if "seven sides" in candidate else label_said(candidate))

    made = study(tmp_path, "verbosity: {designs: [H]}", checker)
    flips = {line["condition"]: (line["softer"], line["harsher"]) for line in made.lines("verbosity")}
    assert flips == {"padding_true": (0, 0), "padding_false": (0, 12)}


def test_a_preference_for_length_does_not_flip_with_the_order(tmp_path: Path) -> None:
    """The longer answer wins wherever it stands; here it is the wrong one, so that no pair is right."""
    rows = data_rows(12)
    for row in rows:
        row["candidate"] += " And on." * 20 * (row["label"] == "unsupported")
    line = study(tmp_path, "pairwise_order: {}", longer, rows=rows).line("pairwise_order")
    assert (line["flips"], line["preference"], line["accuracy"], line["p_position"]) == (0, 0.0, 0.0, 1.0)


def partial_to(own: float, others: float, model: str) -> Any:
    """A judge that calls answers of its own model supported with one probability, others' with another."""

    def judge(call: Call) -> str:
        if asks_for_an_answer(call):
            return f"{call.model} says this to {call.user.splitlines()[0]}"
        mine = shown(call).candidate.startswith(model)
        return verdict("supported" if chance(call) < (own if mine else others) else "unsupported")

    return judge


def test_self_preference_is_found_and_a_fair_judge_has_none(tmp_path: Path) -> None:
    """GPT calls its own answers supported 30 points more often; Opus treats all alike; Gemini wrote none."""
    judges = {
        "gpt-4.1": partial_to(0.9, 0.6, "gpt-4.1"),
        "claude-opus-4-6": partial_to(0.7, 0.7, "claude"),
        "gemini-3.1-flash-lite-preview": partial_to(0.5, 0.5, "gemini"),
    }
    diagnostic = "self_preference: {designs: [H], generators: {gpt: {}, opus: {}}}"
    made = study(tmp_path, diagnostic, judges, 150, models=f"{GPT}, {OPUS}, {GEMINI}")
    gpt, opus = (made.line("self_preference", judge=name) for name in ("gpt", "opus"))
    assert (gpt["family"], gpt["questions"], gpt["other_judges"]) == ("openai", 150, 2)
    assert all(holds(gpt, name, 0.3) for name in ("preference", "adjusted"))
    assert gpt["preference_low"] > 0.1
    assert holds(opus, "preference", 0.0)
    assert made.line("self_preference", judge="gemini")["preference"] is None


def test_better_answers_are_not_taken_for_preference(tmp_path: Path) -> None:
    """GPT's answers are better and every judge says so: its own preference is large, the adjusted one nothing."""

    def fair(call: Call) -> str:
        if asks_for_an_answer(call):
            return f"{call.model} says this to {call.user.splitlines()[0]}"
        return verdict("supported" if shown(call).candidate.startswith("gpt-4.1") else "unsupported")

    diagnostic = "self_preference: {designs: [H], generators: {gpt: {}, opus: {}}}"
    made = study(tmp_path, diagnostic, fair, models=f"{GPT}, {OPUS}")
    line = made.line("self_preference", judge="gpt")
    assert (line["preference"], line["adjusted"]) == (1.0, 0.0)
