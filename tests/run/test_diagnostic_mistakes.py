"""Every mistake in what a manifest says of diagnostics is one clear message, before any call and any file."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.studies.scripted import GPT, GRID, OPUS, OVERLAP, complaint, manifest_of
from tests.studies.scripted_judges import data_rows

ALL_THREE = f"{GPT}, {OPUS}, {OVERLAP}"

NAMES = {
    "a dataset": ("grounding: {datasets: [yours]}", "grounding: datasets: found 'yours', allowed: mine."),
    "a design": ("grounding: {designs: [Q]}", "grounding: designs: found 'Q', allowed: B, C, C.v2, C.v3, H,"),
    "a pairwise design alone": ("grounding: {designs: [P]}", "grounding: designs: found 'P', allowed: B, C,"),
    "a judge": (
        "grounding: {judges: [gpd]}",
        "grounding: judges: found 'gpd', allowed: gpt, opus, overlap. Did you mean 'gpt'?",
    ),
    "a judge twice": ("grounding: {judges: [gpt, gpt]}", "grounding: judges: 'gpt' stands more than once."),
    "a cap twice": ("output_caps: {caps: [8, 8]}", "output_caps: conditions: 'cap_8' stands more than once."),
    "a cap too large": (
        "schema_control: {max_output_tokens: 1000001}",
        "schema_control: conditions: found 'cap_1000001', allowed: cap_N, distractor,",
    ),
    "a wording": (
        "prompt_variants: {designs: [C, C.v4]}",
        "prompt_variants: designs: found 'C.v4', allowed: B, C,",
    ),
    "a pointwise design in pairs": (
        "pairwise_order: {designs: [H]}",
        "pairwise_order: designs: found 'H', allowed: P.",
    ),
    "a dataset of pairs": (
        "pairwise_order: {datasets: [x]}",
        "pairwise_order: datasets: found 'x', allowed: mine.",
    ),
    "pairs by a judge in process": (
        "pairwise_order: {judges: [gpt, overlap]}",
        "pairwise_order: judges: found 'overlap', allowed: gpt, opus.",
    ),
    "a generator": (
        "generated_answers: {generators: {gpd: {}}}",
        "generated_answers: generators: found 'gpd', allowed: gpt, opus. Did you mean 'gpt'?",
    ),
    "a generator in process": (
        "self_preference: {generators: {overlap: {}}}",
        "self_preference: generators: found 'overlap', allowed: gpt, opus.",
    ),
    "a writer": (
        "generated_answers: {generators: {gpt: {}}, writer: essay}",
        "generated_answers: writer: found 'essay', allowed: answer.",
    ),
    "a judge of answers": (
        "generated_answers: {generators: {gpt: {}}, judges: [x]}",
        "generated_answers: judges: found 'x', allowed: gpt, opus, overlap.",
    ),
    "a dataset of answers": (
        "generated_answers: {generators: {gpt: {}}, datasets: [x]}",
        "generated_answers: datasets: found 'x', allowed: mine.",
    ),
    "a cap of nobody": (
        "generated_answers: {generators: {gpt: {}}, judges: [gpt], caps: {opus: {C: 9}}}",
        "generated_answers.caps: judges: found 'opus', allowed: gpt.",
    ),
    "a cap of no design": (
        "generated_answers: {generators: {gpt: {}}, caps: {opus: {B: 9}}}",
        "generated_answers.caps: designs: found 'B', allowed: C, H, R.",
    ),
}


@pytest.mark.parametrize("name", NAMES)
def test_a_name_that_is_not_known(tmp_path: Path, name: str) -> None:
    """Place, value found, values allowed."""
    diagnostic, expected = NAMES[name]
    message = complaint(tmp_path, manifest_of(diagnostic, ALL_THREE))
    assert message.startswith(f"scripted.yaml: diagnostics.{expected}")
    assert "\n" not in message


SHAPES = {
    "unknown key": ("grounding: {desings: [C]}", "diagnostics.grounding: unknown key: found 'desings', allowed: "),
    "unknown diagnostic": (
        "groundings: {}", "diagnostics: unknown key: found 'groundings', allowed: canary, formats,"
    ),
    "no datasets": ("grounding: {datasets: []}", "diagnostics.grounding.datasets: found [], "),
    "one replicate": ("test_retest: {replicates: 1}", "diagnostics.test_retest.replicates: found 1, "),
    "no wave": ("canary: {waves: 0}", "diagnostics.canary.waves: found 0, "),
    "no cap": ("output_caps: {caps: [0]}", "diagnostics.output_caps.caps.0: found 0, "),
    "no generators": ("generated_answers: {}", "diagnostics.generated_answers.generators: is missing."),
    "no generator": ("generated_answers: {generators: {}}", "diagnostics.generated_answers.generators: found {}, "),
    "too hot": (
        "generated_answers: {generators: {gpt: {temperature: 3}}}",
        "diagnostics.generated_answers.generators.gpt.temperature: found 3, ",
    ),
    "no share": ("label_noise: {rates: [1.0]}", "diagnostics.label_noise.rates.0: found 1.0, "),
    "no file": ("label_standards: {}", "diagnostics.label_standards.path: is missing."),
    "nothing": ("", "found neither grid nor diagnostics"),
}  # fmt: skip


@pytest.mark.parametrize("name", SHAPES)
def test_a_value_of_another_shape(tmp_path: Path, name: str) -> None:
    """What no diagnostic can be given is said by place and value."""
    diagnostic, expected = SHAPES[name]
    message = complaint(tmp_path, manifest_of(diagnostic))
    assert message.startswith(f"scripted.yaml: {expected}")


@pytest.mark.parametrize("name", ["grounding", "perturbations", "verbosity", "formats", "second_reference"])
def test_a_changed_row_has_no_cap_beside(tmp_path: Path, name: str) -> None:
    """A cap is a condition, and a row has one: capped and uncapped calls would be compared."""
    message = complaint(tmp_path, manifest_of(f"{name}: {{max_output_tokens: 256}}"))
    assert message.startswith(f"scripted.yaml: diagnostics.{name}.max_output_tokens: found 256, ")


@pytest.mark.parametrize("field", ["datasets", "judges", "max_output_tokens"])
@pytest.mark.parametrize("name", ["label_noise", "label_standards"])
def test_what_reads_a_log_takes_all_of_it(tmp_path: Path, name: str, field: str) -> None:
    """A choice that would have no effect is refused."""
    value = 9 if field == "max_output_tokens" else "[mine]"
    path = "path: x.csv, " if name == "label_standards" else ""
    message = complaint(tmp_path, manifest_of(f"{name}: {{{path}{field}: {value}}}", more=GRID))
    assert message.startswith(f"scripted.yaml: diagnostics.{name}.{field}: found ")


def test_mistakes_of_several_diagnostics_are_told_together(tmp_path: Path) -> None:
    """One line each, with the place of each, and the grid's with them."""
    manifest = manifest_of(
        "perturbations: {}, verbosity: {judges: [x]}, pairwise_order: {designs: [H]}",
        more="grid: [{designs: [H], judges: [gpt], conditions: [swapped_reference]}]\n",
    )
    lines = complaint(tmp_path, manifest, data_rows(1)).splitlines()
    assert [line.split(": ")[1] for line in lines] == [
        "grid.0", "diagnostics.perturbations", "diagnostics.pairwise_order", "diagnostics.verbosity"
    ]  # fmt: skip
