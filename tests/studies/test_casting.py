"""Casting reads what conditions need once, says where a mistake stands, and gives judges their parameters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from judgeray.conditions.swaps import swaps_of
from judgeray.core.call import Judge
from judgeray.core.errors import BadInputError
from judgeray.datasets.registry import load
from judgeray.datasets.source import DatasetSource
from judgeray.rows import Row, Skip
from judgeray.studies import cast as cast_module
from judgeray.studies.cast import Cast, Choice, with_parameters
from judgeray.studies.grid import GridArm
from judgeray.studies.spec import DesignSpec
from tests.studies.scripted_judges import data_rows, write_rows

GPT = Judge("gpt", "openai", "gpt-4.1", {"temperature": 0})
OVERLAP = Judge("overlap", "lexical", "coverage-v1", in_process=True)
EVERYONE = ("gpt", "overlap")


def cast_of(folder: Path, rows: list[dict[str, Any]] | None = None) -> Cast:
    """One dataset, a judge over an API and one in process."""
    write_rows(folder, data_rows(3) if rows is None else rows)
    source = DatasetSource("mine", "table", str(folder / "rows.jsonl"))
    judges = {"gpt": GPT, "overlap": OVERLAP}
    return Cast("m.yaml", {"mine": source}, judges, lambda name, _: judges[name], texts={"padding": "Um."})


def choice(*conditions: str, designs: tuple[str, ...] = ("C", "H"), **more: Any) -> Choice:
    """All arms of both judges under these conditions."""
    return Choice("grid.0", ("mine",), designs, more.pop("judges", EVERYONE), conditions or ("full",), **more)


def test_arms_are_the_product_in_the_order_named(tmp_path: Path) -> None:
    """Datasets, designs, judges, conditions, replicates: the last turns fastest."""
    arms = list(cast_of(tmp_path).arms(choice("full", "padding", replicates=2)))
    found = [(arm.design_name, arm.judge.name, arm.variant) for arm in arms]
    assert found[:5] == [
        ("C", "gpt", "full-r0"), ("C", "gpt", "full-r1"), ("C", "gpt", "padding-r0"), ("C", "gpt", "padding-r1"),
        ("C", "overlap", "full-r0"),
    ]  # fmt: skip
    assert len(set(found)) == len(found) == 2 * 2 * 2 * 2


def test_a_dataset_is_read_once_for_each_need(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Swaps and second references cost one reading each, however many arms and places ask for them."""
    reads = Counter[str]()

    def counted(source: DatasetSource) -> Iterator[Row | Skip]:
        reads[source.name] += 1
        return load(source)

    monkeypatch.setattr(cast_module, "load", counted)
    cast = cast_of(tmp_path)
    for _ in range(2):
        list(cast.arms(choice("full", "swapped_reference", "second_reference", "padding")))
    assert reads == {"mine": 2}


def test_nothing_is_read_where_no_condition_needs_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Most conditions look at a row alone."""
    monkeypatch.setattr(cast_module, "load", lambda source: pytest.fail("read"))
    assert len(list(cast_of(tmp_path).arms(choice("full", "padding", "cap_9", "no_reference")))) == 2 * 2 * 4


def test_settings_hold_what_was_used(tmp_path: Path) -> None:
    """The swaps that a run records are those that its arms apply, drawn with the manifest's seed."""
    cast = cast_of(tmp_path)
    (arm,) = cast.arms(choice("swapped_reference", designs=("H",), judges=("gpt",)))
    rows = [item for item in load(cast.sources["mine"]) if isinstance(item, Row)]
    assert cast.settings["mine"].swaps == swaps_of("mine", rows, 42)
    assert [arm.change(row).reference for row in rows] == [
        cast.settings["mine"].swaps[row.question_id].reference for row in rows
    ]


def test_own_texts_reach_the_rows(tmp_path: Path) -> None:
    """A manifest's wording is what a condition appends."""
    (arm,) = cast_of(tmp_path).arms(choice("padding", designs=("H",), judges=("gpt",)))
    row = next(item for item in load(cast_of(tmp_path).sources["mine"]) if isinstance(item, Row))
    assert arm.change(row).candidate == f"{row.candidate} Um."


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (choice("fool"), "m.yaml: grid.0: conditions: found 'fool', allowed: cap_N, distractor, full,"),
        (choice("full", "full"), "m.yaml: grid.0: conditions: 'full' stands more than once."),
        (choice(designs=("P",)), "m.yaml: grid.0: designs: found 'P', allowed: B, C, C.v2,"),
        (choice(judges=("opus",)), "m.yaml: grid.0: judges: found 'opus', allowed: gpt, overlap."),
        (Choice("x", ("yours",), ("C",), ("gpt",)), "m.yaml: x: datasets: found 'yours', allowed: mine."),
    ],
)
def test_a_mistake_is_told_with_its_place(tmp_path: Path, bad: Choice, message: str) -> None:
    """File, place, field, value found, values allowed."""
    with pytest.raises(BadInputError) as caught:
        list(cast_of(tmp_path).arms(bad))
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize("condition", ["swapped_reference", "second_reference"])
def test_a_dataset_that_does_not_allow_a_change_is_told_with_the_place(tmp_path: Path, condition: str) -> None:
    """What the data lacks is said of the place that asked, each time it is asked for."""
    rows = [{name: value for name, value in row.items() if name != "other_reference"} for row in data_rows(1)]
    cast = cast_of(tmp_path, rows)
    for _ in range(2):
        with pytest.raises(BadInputError, match=rf"^m\.yaml: grid\.0: conditions: dataset 'mine': {condition}: "):
            list(cast.arms(choice(condition)))


def test_an_output_cap_takes_the_place_of_full(tmp_path: Path) -> None:
    """A diagnostic's own cap is the condition under which its unchanged rows are judged."""
    cast = cast_of(tmp_path)
    capped = cast.choice("diagnostics.x", DesignSpec(max_output_tokens=64), ("H",), replicates=2)
    assert capped == Choice("diagnostics.x", ("mine",), ("H",), ("gpt",), ["cap_64"], 2)
    assert [dict(arm.judge.parameters) for arm in cast.arms(capped)] == [
        {"temperature": 0, "max_output_tokens": 64}
    ] * 2  # fmt: skip


def test_judges_in_process_are_taken_where_they_are_named(tmp_path: Path) -> None:
    """Left open, a diagnostic takes the judges over an API; named, any judge."""
    cast = cast_of(tmp_path)
    assert cast.judge_names("x", DesignSpec()) == ("gpt",)
    assert cast.judge_names("x", DesignSpec(judges=("overlap",))) == ("overlap",)


def test_parameters_of_a_condition_go_before_the_judges_own() -> None:
    """A cap replaces the judge's cap and leaves the rest; a judge in process has none."""
    capped = Judge("gpt", "openai", "gpt-4.1", {"temperature": 0, "max_output_tokens": 9})
    assert with_parameters(capped, {"max_output_tokens": 5}).parameters == {
        "temperature": 0,
        "max_output_tokens": 5,
    }
    assert with_parameters(OVERLAP, {"max_output_tokens": 5}) is OVERLAP
    assert with_parameters(capped, {}) is capped


def test_arms_of_one_name_must_be_the_same(tmp_path: Path) -> None:
    """The first place is named to the second; equal arms are given back."""
    cast = cast_of(tmp_path)
    (arm,) = cast.arms(choice(designs=("H",), judges=("gpt",)))
    assert cast.once("a", arm) is arm
    assert cast.once("b", arm) is arm
    other = GridArm(arm.dataset, arm.design, with_parameters(arm.judge, {"temperature": 1}))
    with pytest.raises(BadInputError, match=r"^m\.yaml: b: asks for verdicts/.*/full-r0 with other .* than a; "):
        cast.once("b", other)
