"""Every condition changes what it says and nothing else, and is found by its name."""

from __future__ import annotations

from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgeray.conditions.registry import CONDITIONS, condition_names, find_condition
from judgeray.rows import Row
from tests.conditions.changed_rows import changed, row_of, texts

CHANGES = {
    "full": None,
    "reduced_reference": "reference",
    "no_reference": "reference",
    "swapped_reference": "reference",
    "second_reference": "reference",
    "distractor": "candidate",
    "padding": "candidate",
    "padding_true": "candidate",
    "padding_false": "candidate",
    "markdown": "candidate",
    "upper_case": "candidate",
    "lower_case": "candidate",
    "whitespace": "candidate",
    "cap_128": None,
}


def others(row: Row, but: str | None) -> list[object]:
    """All values of a row but one."""
    return [getattr(row, field.name) for field in fields(row) if field.name != but]


def test_every_condition_is_tested() -> None:
    """No condition is left out of the table of what each may change."""
    assert set(CONDITIONS) == CHANGES.keys() - {"cap_128"}
    assert all(name == condition.name for name, condition in CONDITIONS.items())


@pytest.mark.parametrize("name", CHANGES)
@given(reference=texts, candidate=texts, other=texts)
def test_all_else_stays(name: str, reference: str, candidate: str, other: str) -> None:
    """Ids, variant, label, question, complexity and the side that a condition leaves alone stay as they were."""
    row = row_of(reference, candidate, other)
    assert others(changed(name, row), CHANGES[name]) == others(row, CHANGES[name])


@pytest.mark.parametrize("name", CHANGES)
@given(reference=texts, candidate=texts)
def test_changes_are_repeatable(name: str, reference: str, candidate: str) -> None:
    """The same row is changed the same way every time."""
    row = row_of(reference, candidate, "other")
    assert changed(name, row) == changed(name, row)


def test_full_is_the_row() -> None:
    """`full` gives the row as it was constructed."""
    assert changed("full", row_of(" a. b ", "")) == row_of(" a. b ", "")


@pytest.mark.parametrize("name", CHANGES)
def test_meanings_are_sentences(name: str) -> None:
    """A condition tells its meaning in one sentence for reports."""
    condition = find_condition(name)
    assert condition is not None
    assert condition.meaning[0].isupper()
    assert condition.meaning.endswith(".")
    assert "\n" not in condition.meaning


def test_needs() -> None:
    """Only a swap needs partners, only a second reference needs rows that have one, only a cap sets parameters."""
    assert [name for name, condition in CONDITIONS.items() if condition.needs_swaps] == ["swapped_reference"]
    assert [name for name, condition in CONDITIONS.items() if condition.needs_other] == ["second_reference"]
    assert not [name for name, condition in CONDITIONS.items() if condition.parameters]


@given(st.integers(1, 1_000_000))
def test_caps(tokens: int) -> None:
    """`cap_N` sets N output tokens, leaves the row alone and keeps its name."""
    condition = find_condition(f"cap_{tokens}")
    assert condition is not None
    assert (condition.name, condition.parameters) == (f"cap_{tokens}", {"max_output_tokens": tokens})
    assert changed(f"cap_{tokens}", row_of()) == row_of()


@pytest.mark.parametrize(
    "name",
    [
        *("cap_0", "cap_007", "cap_", "cap_-1", "cap_+1", "cap_1.5", "cap_1_0", "cap_1000001", "cap_" + "9" * 5000),
        *("cap_N", "cap_12\n", " cap_12", "cap_12 ", "Cap_12", "cap_١٢", "cap_²", "xcap_12", "", "Full"),
    ],
)
def test_unknown_names(name: str) -> None:
    """Numbers written otherwise, out of range, or beyond ASCII are no caps; other names find nothing."""
    assert find_condition(name) is None


def test_cap_in_words() -> None:
    """The meaning of a cap names its number."""
    meanings = [condition.meaning for condition in map(find_condition, ("cap_1", "cap_4096")) if condition]
    assert ["at most 1 output token;" in meanings[0], "at most 4,096 output tokens;" in meanings[1]] == [True, True]


def test_names_for_messages() -> None:
    """Names for a message are those of the registry, the family of caps last."""
    assert condition_names() == [*CONDITIONS, "cap_N"]
