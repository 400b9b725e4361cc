"""Equal texts and equal parameters are one call, whoever asks for it and under whatever name."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given

from judgeray.conditions.condition import Setting, Swap
from judgeray.conditions.registry import CONDITIONS, find_condition
from judgeray.conditions.texts import DEFAULT_TEXTS
from judgeray.core.call import Call, Judge
from judgeray.designs.registry import DESIGNS
from judgeray.rows import Row
from judgeray.studies.arm import arm_name
from judgeray.studies.cast import with_parameters
from judgeray.studies.generated_arm import GeneratedArm
from judgeray.studies.grid import GridArm
from judgeray.studies.text_arm import TextArm
from tests.conditions.changed_rows import row_of, texts
from tests.studies.scripted import GPT, OPUS, OVERLAP, Scripted, manifest_of, scripted
from tests.studies.scripted_judges import data_rows, honest, write_rows

JUDGE = Judge("gpt", "openai", "gpt-4.1", {"temperature": 0})
SETTING = Setting(texts=DEFAULT_TEXTS, swaps={"q": Swap("other", "lent. And more.")})
NAMES = (*CONDITIONS, "cap_64")


def arm_under(name: str, judge: Judge = JUDGE) -> GridArm:
    """Design H under a condition."""
    condition = find_condition(name)
    assert condition is not None
    who = with_parameters(judge, condition.parameters)
    return GridArm("d", DESIGNS["H"], who, name, 0, condition.bind(SETTING))


def call_of(arm: GridArm, row: Row) -> Call:
    """The one call of a row under an arm."""
    (call,) = next(arm.task(row).start())
    return call


@pytest.mark.parametrize("name", NAMES)
@given(reference=texts, candidate=texts, other=texts)
def test_keys_change_exactly_where_the_call_does(name: str, reference: str, candidate: str, other: str) -> None:
    """A condition makes another call where texts or parameters are others, and the same one everywhere else."""
    row, arm = row_of(reference, candidate, other), arm_under(name)
    shown = arm.change(row)
    same_texts = (shown.question, shown.reference, shown.candidate) == (row.question, row.reference, row.candidate)
    same = same_texts and arm.judge.parameters == JUDGE.parameters
    assert (call_of(arm, row).key == call_of(arm_under("full"), row).key) == same


@pytest.mark.parametrize("name", NAMES)
@given(reference=texts, candidate=texts)
def test_cases_show_what_the_judge_sees(name: str, reference: str, candidate: str) -> None:
    """The texts behind a verdict are the changed ones, the row's id and label the old ones."""
    row, arm = row_of(reference, candidate, "other"), arm_under(name)
    case = arm.case(row)
    prompt = DESIGNS["H"].user(Row("d", "q", "i", "v", "supported", case.question, case.reference, case.candidate))
    assert prompt == call_of(arm, row).user
    assert (case.key.row_id, case.key.condition) == (row.row_id, name)


def test_a_reference_that_cannot_be_reduced_shares_its_call() -> None:
    """One sentence is its own beginning: the reply that was bought for the unchanged row serves again."""
    whole, cut = row_of("One sentence only."), row_of("One. Two.")
    reduced, full = arm_under("reduced_reference"), arm_under("full")
    assert call_of(reduced, whole) == call_of(full, whole)
    assert call_of(reduced, cut).key == call_of(full, row_of("One.")).key != call_of(full, cut).key


def test_a_judge_in_process_knows_no_cap() -> None:
    """It writes nothing, so that a cap is no other call."""
    overlap = Judge("overlap", "lexical", "coverage-v1", in_process=True)
    assert call_of(arm_under("cap_64", overlap), row_of()) == call_of(arm_under("full", overlap), row_of())


CAPPED = "capped: {provider: openai, model: gpt-4.1, max_output_tokens: 256}"


@pytest.mark.parametrize(
    "diagnostic", ["output_caps: {judges: [gpt], designs: [H], caps: [256]}",
                   "schema_control: {judges: [gpt], designs: [H], max_output_tokens: 256}"]
)  # fmt: skip
def test_a_cap_is_the_judges_own_cap(tmp_path: Path, diagnostic: str) -> None:
    """`cap_256` of a diagnostic and a judge whose manifest says 256 make the same calls."""
    write_rows(tmp_path, data_rows(3))
    grid = "grid: [{designs: [H], judges: [capped]}]\n"
    made = scripted(tmp_path, manifest_of(diagnostic, f"{GPT}, {CAPPED}", grid), honest)
    assert [part.arm.variant for part, _ in made.made] == ["full-r0", "cap_256-r0"]
    assert len(made.asked) == len(made.records(GridArm)) / 2 == 6


ALL = (
    "grounding: {}, perturbations: {}, verbosity: {}, formats: {}, second_reference: {}, schema_control: {}, "
    "prompt_variants: {}, canary: {waves: 2}, test_retest: {replicates: 3}"
)


def all_of(folder: Path) -> Scripted:
    """Every diagnostic that judges unchanged rows, beside a grid that does so too."""
    write_rows(folder, data_rows(2))
    return scripted(
        folder, manifest_of(ALL, f"{GPT}, {OPUS}", "grid: [{designs: [C, H], judges: [gpt]}]\n"), honest
    )


def test_the_unperturbed_arm_stands_once(tmp_path: Path) -> None:
    """However many diagnostics compare with it, the unchanged row is judged once by an arm and a replicate."""
    arms = all_of(tmp_path).experiment.arms
    assert max(Counter(map(arm_name, arms)).values()) == 1
    unchanged = [arm.variant for arm in arms if arm.partition.endswith("design=H/judge=gpt")]
    assert sorted(unchanged)[:3] == ["distractor-r0", "full-r0", "full-r1"]
    assert [variant for variant in sorted(unchanged) if variant.startswith("full")] == [
        "full-r0", "full-r1", "full-r2"
    ]  # fmt: skip


def test_written_answers_are_bought_once(tmp_path: Path) -> None:
    """Two diagnostics, three designs and two lengths share one answer of each generator to each question."""
    write_rows(tmp_path, data_rows(4))
    same = "{generators: {gpt: {}, opus: {}}, judges: [gpt, overlap]}"
    both = f"generated_answers: {same}, self_preference: {same}"
    made = scripted(tmp_path, manifest_of(both, f"{GPT}, {OPUS}, {OVERLAP}"), {
        "gpt-4.1": honest, "claude-opus-4-6": honest, "coverage-v1": lambda call: '{"verdict": "supported"}'
    })  # fmt: skip
    assert len(made.records(TextArm)) == 2 * 4
    assert len(made.records(GeneratedArm)) == 2 * 4 * 2 * 3 * 2
    assert len(made.asked) == 2 * 4 + 2 * 4 * 2 * 3 * 2
