"""Laws of all arms: rows x arms are recorded, under names of their own, however the dataset is cut."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgeray.conditions.registry import CONDITIONS
from judgeray.core.call import Call
from judgeray.rows import Row
from judgeray.run.survey import survey
from judgeray.studies import parts as parts_module
from judgeray.studies.arm import Arm, arm_name
from judgeray.studies.generated_arm import GeneratedArm
from judgeray.studies.grid import GridArm
from judgeray.studies.pair_arm import PairArm
from judgeray.studies.slices import slices
from judgeray.studies.study import GRID
from judgeray.studies.text_arm import TextArm
from tests.studies.scripted import GPT, OPUS, OVERLAP, Scripted, manifest_of, scripted
from tests.studies.scripted_judges import data_rows, honest, write_rows

GOLDEN = Path(__file__).parent / "golden" / "call_keys.json"
KINDS: tuple[type[Arm], ...] = (GridArm, PairArm, TextArm, GeneratedArm)
THREE = {"pos": "supported", "mid": "partially_supported", "neg": "unsupported"}
EVERYTHING = manifest_of(
    "pairwise_order: {replicates: 2}, generated_answers: {designs: [H, R], generators: {gpt: {}, opus: {}}}",
    f"{GPT}, {OPUS}, {OVERLAP}",
    f"grid:\n- {{designs: [C, H], judges: [gpt, opus], conditions: [{', '.join(CONDITIONS)}, cap_256]}}\n"
    "- {designs: [R], judges: [overlap], replicates: 2}\n",
)


def uneven(questions: int) -> list[dict[str, Any]]:
    """Rows of questions with one to three candidates."""
    rows = data_rows(questions, THREE)
    return [row for number, row in enumerate(rows) if number % 3 <= number // 3 % 3]


def everything(folder: Path, rows: list[dict[str, Any]]) -> Scripted:
    """Every class of arm under every condition."""
    write_rows(folder, rows)
    return scripted(folder, EVERYTHING, {"gpt-4.1": honest, "claude-opus-4-6": honest, "coverage-v1": lexical})


def lexical(call: Call) -> str:
    """A stand-in for the judge in process, which gets JSON."""
    texts = json.loads(call.user)
    return json.dumps({"verdict": "supported" if texts["candidate"] == texts["reference"] else "unsupported"})


def test_rows_times_arms_are_recorded(tmp_path: Path) -> None:
    """Each arm records as many rows as its size says, and each class as many as the data makes of it."""
    made = everything(tmp_path, uneven(7))
    facts = survey(made.experiment.sources, made.experiment.arms)
    sizes = Counter[str]()
    for part, states in made.made:
        sizes[arm_name(part.arm)] += len(states)
    assert sizes == {arm_name(arm): arm.size(facts[arm.dataset].sizes) for arm in made.experiment.arms}
    rows, pairs, questions = 1 + 2 + 3 + 1 + 2 + 3 + 1, 2 + 2 * 2, 7
    counted = [len(made.records(kind)) for kind in KINDS]
    grids = 2 * 2 * (len(CONDITIONS) + 1) + 2
    assert counted == [rows * grids, pairs * 2 * 2 * 2, questions * 2, questions * 2 * 2 * 2 * 2]


def test_cases_name_the_recorded_rows(tmp_path: Path) -> None:
    """A case's key is what its row says of itself, and no two rows of a run have the same."""
    made = everything(tmp_path, uneven(4))
    keys = []
    for part, states in made.made:
        table = part.table(states, made.experiment.prices)
        names = ("dataset", "row_id", "design", "judge", "condition", "replicate")
        if not isinstance(part.arm, TextArm):
            found = [tuple(row[name] for name in names) for row in table.select(names).to_pylist()]
            assert found == [tuple(getattr(case.key, name) for name in names) for case in part.cases()]
        keys += [case.key for case in part.cases()]
    assert len(set(keys)) == len(keys) > 100


def test_tasks_are_named_by_their_rows(tmp_path: Path) -> None:
    """A task has the id under which its row is recorded."""
    made = everything(tmp_path, uneven(3))
    for part, _ in made.made:
        assert [task.name for task in part.shard().tasks] == [case.key.row_id for case in part.cases()]


def test_every_part_has_a_file_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Folder and name are unique, stay below the run, and shards are named by both."""
    monkeypatch.setattr(parts_module, "SLICE_ROWS", 2)
    made = [part for part, _ in everything(tmp_path, uneven(6)).made]
    files = [f"{part.arm.partition}/{part.file_name}" for part in made]
    assert len({file.casefold() for file in files}) == len(files)
    assert [part.shard().name for part in made] == files
    assert {file.split("/")[0] for file in files} == {"verdicts", "pairs", "texts"}
    assert all(".." not in file.split("/") and len(file.split("/")) == 5 for file in files)


def test_names_of_judges_never_meet_in_a_file(tmp_path: Path) -> None:
    """Judges and generators named like parts of file names keep files apart."""
    write_rows(tmp_path, data_rows(2))
    names = ("a", "r0-a", "full-r0", "x00000", "a.full")
    judges = ", ".join(f"{name}: {{provider: openai, model: gpt-4.1}}" for name in names)
    generators = ", ".join(f"{name}: {{}}" for name in names)
    made = scripted(tmp_path, manifest_of(f"generated_answers: {{generators: {{{generators}}}}}", judges), honest)
    files = [f"{part.arm.partition}/{part.file_name}" for part, _ in made.made]
    ids = [case.key for part, _ in made.made for case in part.cases()]
    assert len(set(files)) == len(files) == 5 + 5 * 5 * 3
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize("size", [1, 2, 4, 100])
def test_cutting_changes_nothing_that_is_recorded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    """Any size of slices gives the same calls and the same rows."""
    (tmp_path / "whole").mkdir()
    whole = everything(tmp_path / "whole", uneven(5))
    monkeypatch.setattr(parts_module, "SLICE_ROWS", size)
    cut = everything(tmp_path, uneven(5))
    assert set(cut.asked) == set(whole.asked)
    for kind in KINDS:
        assert sorted(map(str, cut.records(kind))) == sorted(map(str, whole.records(kind)))


def row_of(question: int, number: int) -> Row:
    """One row of a numbered question."""
    name = f"q{question}"
    return Row("d", name, f"d:{name}:{number}", str(number), "supported", "Q?", "R.", "C.")


@given(sizes=st.lists(st.integers(1, 6), max_size=12), most=st.integers(1, 9))
def test_slices_never_cut_a_question(sizes: list[int], most: int) -> None:
    """Slices hold all rows in order and whole questions; each is as short as that allows."""
    rows = [row_of(question, number) for question, size in enumerate(sizes) for number in range(size)]
    cut = list(slices(rows, most, GRID.unit))
    assert [row for chunk in cut for row in chunk] == rows
    questions = [{row.question_id for row in chunk} for chunk in cut]
    assert sum(map(len, questions)) == len(sizes)
    assert all(len(chunk) >= most for chunk in cut[:-1])
    for chunk, names in zip(cut, questions, strict=True):
        last = chunk[-1].question_id
        assert len(names) == 1 or sum(row.question_id != last for row in chunk) < most


def test_ids_do_not_depend_on_the_other_arms(tmp_path: Path) -> None:
    """A row has the same id and the same call whether its arm is alone or among all others."""
    made = everything(tmp_path, uneven(3))
    alone = scripted(tmp_path, manifest_of(more="grid: [{designs: [H], judges: [gpt]}]\n"), honest)
    (part, states), among = alone.made[0], {arm_name(part.arm): (part, states) for part, states in made.made}
    same, same_states = among[arm_name(part.arm)]
    assert same.cases() == part.cases()
    assert [state.replies for state in same_states] == [state.replies for state in states]


def test_call_keys_are_pinned(tmp_path: Path) -> None:
    """The calls of one row under every arm are those of the golden file: a reply bought once is found for ever."""
    write_rows(tmp_path, data_rows(3, THREE))
    made = scripted(tmp_path, EVERYTHING, {"gpt-4.1": honest, "claude-opus-4-6": honest, "coverage-v1": lexical})
    found = {
        f"{arm_name(part.arm)} {case.key.row_id}": [reply.key for reply in state.replies]
        for part, states in made.made
        for case, state in zip(part.cases(), states, strict=True)
        if ":q001:" in case.key.row_id and not case.key.row_id.endswith((":pos", ":neg", "-neg"))
    }
    assert found == json.loads(GOLDEN.read_text(encoding="utf-8"))
