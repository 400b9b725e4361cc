"""Known effects of references, calls, models, caps, wordings and labels come out of records and tables again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from judgeray.core.call import Call
from judgeray.core.reply import Answer
from judgeray.designs.registry import DESIGNS
from tests.studies.scripted import GPT, GRID, OPUS
from tests.studies.scripted_judges import (
    asks_for_an_answer,
    chance,
    honest,
    label_said,
    reply_to,
    shown,
    verdict,
)
from tests.studies.scripted_studies import holds, study

GEMINI = "gemini: {provider: google, model: gemini-3.1-flash-lite-preview}"
STEPS = ("supported", "partially_supported", "unsupported")


def test_a_judge_that_ignores_the_reference_never_flips(tmp_path: Path) -> None:
    """Cut, gone or another's: without reading it, nothing changes."""
    made = study(tmp_path, "grounding: {designs: [H]}, perturbations: {designs: [H]}", honest)
    changed = {
        line["condition"]: line["flips"] for name in ("grounding", "perturbations") for line in made.lines(name)
    }
    assert changed == dict.fromkeys(
        ("reduced_reference", "no_reference", "swapped_reference", "distractor", "padding"), 0
    )


def copies(call: Call) -> str:
    """Support what the reference holds to the letter, and nothing else."""
    texts = shown(call)
    return verdict("supported" if texts.candidate == texts.reference else "unsupported")


def test_a_judge_that_looks_for_copies_flips_with_the_reference(tmp_path: Path) -> None:
    """A swap turns every supported row and no other; so does its absence."""
    made = study(tmp_path, "grounding: {designs: [H]}, perturbations: {designs: [H]}", copies)
    for name, condition in (("perturbations", "swapped_reference"), ("grounding", "no_reference")):
        line = made.line(name, condition=condition)
        assert (line["rows"], line["flips"], line["harsher"], line["softer"]) == (24, 12, 12, 0)
        assert (line["flip_rate"], line["delta_accuracy"], line["losses"]) == (0.5, -0.5, 12)
        flipped = {
            part["label"]: part["flips"] for part in made.lines(name, f"{name}_by_label", condition=condition)
        }
        assert flipped == {"supported": 12, "unsupported": 0}


def test_noise_between_calls_has_the_stability_of_its_rate(tmp_path: Path) -> None:
    """Wrong in one call of five, at random: three calls agree in 0.8^3 + 0.2^3 of rows, two in 0.8^2 + 0.2^2."""

    def noisy(call: Call) -> str:
        right = label_said(shown(call).candidate)
        wrong = "unsupported" if right == "supported" else "supported"
        return verdict(wrong if chance(call) < 0.2 else right)

    made = study(tmp_path, "test_retest: {designs: [H], replicates: 3}", noisy, 150)
    line = made.line("test_retest")
    assert (line["rows"], line["replicates"], line["complete_rows"]) == (300, 3, 300)
    assert holds(line, "stable_share", 0.8**3 + 0.2**3)
    assert holds(line, "pair_agreement", 0.8**2 + 0.2**2)
    assert line["accuracy_mean"] == pytest.approx(0.8, abs=0.05)
    assert line["share_within"] > 0.9


def drifting(call: Call) -> str | Answer:
    """From the second wave on another model answers, which says unsupported to one supported row in two."""
    if call.replicate == 0:
        return reply_to(call, honest(call), served_model="model-of-june")
    label = label_said(shown(call).candidate)
    worse = label == "supported" and int(shown(call).question.split()[1].rstrip("?")) % 2 == 0
    return reply_to(call, verdict("unsupported" if worse else label), served_model="model-of-july")


def test_a_drift_shows_in_its_wave(tmp_path: Path) -> None:
    """The wave with another served model flips a quarter of the rows, and no other cell is listed."""
    made = study(tmp_path, "canary: {designs: [H], waves: 3}, test_retest: {designs: [C], replicates: 2}", drifting)
    first, *later = made.lines("canary")
    assert {line["design"] for line in (first, *later)} == {"H"}
    assert (first["wave"], first["served_models"], first["new_model"], first["flips"]) == (
        0, "model-of-june", False, None
    )  # fmt: skip
    for line in later:
        assert (line["served_models"], line["new_model"]) == ("model-of-july", True)
        assert (line["flips"], line["flip_rate"], line["delta_accuracy"]) == (6, 0.25, -0.25)
        assert line["p_sign"] == pytest.approx(2 * 0.5**6)


def needs_room(call: Call) -> str | Answer:
    """Design C needs 200 tokens, H 100: with less, the reply ends before its verdict."""
    needed = 200 if call.system == DESIGNS["C"].system else 100
    cap = call.parameters["max_output_tokens"]
    assert isinstance(cap, int)
    return honest(call) if cap >= needed else reply_to(call, '{"atomic_claims": ["', "truncated")


def test_truncation_shows_where_a_cap_is_too_small(tmp_path: Path) -> None:
    """C loses all its verdicts at 128 tokens and none above; H none at all."""
    made = study(tmp_path, "output_caps: {caps: [128, 256, 512]}", needs_room)
    found = {
        (line["design"], line["cap"]): (line["truncated"], line["accuracy"]) for line in made.lines("output_caps")
    }
    assert found == {
        (design, cap): (24, 0.0) if (design, cap) == ("C", 128) else (0, 1.0)
        for design in ("C", "H") for cap in (128, 256, 512)
    }  # fmt: skip
    flips = made.lines("output_caps", "output_caps_flips", condition="cap_128")
    assert [(line["design"], line["unread"], line["delta_accuracy"]) for line in flips] == [
        ("C", 24, -1.0), ("H", 0, 0.0)
    ]  # fmt: skip


def knows(*designs: str) -> Any:
    """A judge that is right under some designs and calls everything supported under others."""
    systems = {DESIGNS[name].system for name in designs}
    return lambda call: honest(call) if call.system in systems else verdict("supported")


def test_wordings_of_a_better_design_are_all_ahead(tmp_path: Path) -> None:
    """Three wordings of H are right, three of C say supported: nine pairs, H ahead in all."""
    line = study(tmp_path, "prompt_variants: {}", knows("H", "H.v2", "H.v3")).line(
        "prompt_variants", "prompt_variant_contrasts"
    )
    assert (line["family_a"], line["family_b"]) == ("H", "C")
    assert (line["pairs"], line["pairs_a_ahead"], line["pairs_b_ahead"], line["delta"]) == (9, 9, 0, 0.5)


def test_one_wording_that_differs_is_seen(tmp_path: Path) -> None:
    """A contrast that hangs on one wording is ahead in a third of the pairs."""
    line = study(tmp_path, "prompt_variants: {}", knows("H")).line("prompt_variants", "prompt_variant_contrasts")
    assert (line["pairs_a_ahead"], line["pairs_b_ahead"], line["lowest_a"], line["highest_b"]) == (3, 0, 0.5, 0.5)


def test_the_format_alone_is_told_from_the_decomposition(tmp_path: Path) -> None:
    """S with C's keys fails as C does: against the control, C is even and H ahead."""
    made = study(tmp_path, "schema_control: {}", knows("H"))
    deltas = {
        (line["a"], line["b"]): line["delta_accuracy"]
        for line in made.lines("schema_control", "schema_control_contrasts")
    }
    assert deltas == {("S", "C"): 0.0, ("S", "H"): -0.5}


def test_an_annotator_can_turn_an_order_round(tmp_path: Path) -> None:
    """C agrees with construction and H with a person who calls every row supported."""
    ids = [f"mine:q{n:03d}:{variant}" for n in range(12) for variant in ("pos", "neg")]
    (tmp_path / "labels.csv").write_text("row_id,label\n" + "".join(f"{name},supported\n" for name in ids))
    labels = f"label_standards: {{path: '{tmp_path}/labels.csv'}}"
    made = study(tmp_path, labels, knows("C"), more=GRID)
    line = made.line("label_standards", "standard_contrasts", dataset="mine")
    assert (line["a"], line["b"], line["standard"], line["reversed"]) == ("H", "C", "annotator", True)
    assert (line["delta_construction"], line["delta_standard"]) == (-0.5, 0.5)
    accuracies = {
        (row["standard"], row["design"]): row["accuracy"]
        for row in made.lines("label_standards", "standard_accuracy", dataset="mine")
    }
    assert accuracies == {
        ("annotator", "C"): 0.5, ("annotator", "H"): 1.0, ("construction", "C"): 1.0, ("construction", "H"): 0.5
    }  # fmt: skip


def test_written_answers_are_scored_by_their_nominal_labels(tmp_path: Path) -> None:
    """A judge that counts sentences is right on both lengths; answers of one sentence have no part of their own."""

    def counts(call: Call) -> str:
        if asks_for_an_answer(call):
            return "One. Two. Three." if call.model == "gpt-4.1" else "Only one"
        return verdict("supported" if shown(call).candidate.count(".") > 1 else "partially_supported")

    diagnostic = "generated_answers: {designs: [H], judges: [gpt], generators: {gpt: {}, opus: {}}}"
    made = study(tmp_path, diagnostic, counts, models=f"{GPT}, {OPUS}")
    found = {
        line["generator"]: (
            line["full_accuracy"],
            line["partial_accuracy"],
            line["identical_rows"],
            line["self_judged"],
        )
        for line in made.lines("generated_answers")
    }
    assert found == {None: (0.5, 1.0, 12, True), "gpt": (1.0, 1.0, 0, True), "opus": (0.0, 1.0, 12, False)}


def test_label_noise_takes_its_share_off_a_difference(tmp_path: Path) -> None:
    """With two labels, noise of 10 % takes 20 % off a difference (rate K / (K - 1)); the sign stays."""
    made = study(tmp_path, "label_noise: {rates: [0.1]}", knows("H"), 40, more=GRID)
    line = made.line("label_noise")
    assert (line["delta_accuracy"], line["share_same_sign"]) == (0.5, 1.0)
    assert line["delta"] == pytest.approx(0.5 * 0.8, abs=0.01)
