"""The conditions that give the judge another reference, or none."""

from __future__ import annotations

import re

import pytest
from hypothesis import given

from judgeray.conditions.condition import Setting, Swap
from judgeray.core.errors import BadInputError
from tests.conditions.changed_rows import changed, row_of, texts


@pytest.mark.parametrize(
    ("reference", "expected"),
    [
        ("One. Two. Three.", "One."),
        ("One.", "One."),
        ("One. ", "One."),
        (". One. Two.", "."),
        ("Really? Yes! No", "Really?"),
        ("Oh! Really? Yes", "Oh! Really?"),
        ("Oh! Why? It was so. And so on", "Oh! Why? It was so."),
        ("Oh! Yes", "Oh!"),
        ("? ", "?"),
        ("! ", "!"),
        ("3.5 km?no!no.no", "3.5 km?no!no.no"),
        ("One.\nTwo.", "One.\nTwo."),
        ("One.\u00a0Two.", "One.\u00a0Two."),
        ("Wait... What", "Wait..."),
        ("James A. Garfield", "James A."),
        ("  One.  Two", "  One."),
        ("漢字。 です. é", "漢字。 です."),
        ("one, two", "one, two"),
        ("", ""),
        (" ", " "),
    ],
)
def test_reduced_reference(reference: str, expected: str) -> None:
    """Periods decide before question marks, these before exclamation marks, wherever they stand; marks stay."""
    assert changed("reduced_reference", row_of(reference)).reference == expected


@given(texts)
def test_reduced_reference_is_a_beginning(reference: str) -> None:
    """What is left is the reference's beginning, without the deciding separator, or all of it."""
    left = changed("reduced_reference", row_of(reference)).reference
    assert reference.startswith(left)
    assert (left == reference) == (re.search(r"[.?!] ", reference) is None)


@pytest.mark.parametrize("reference", ["", " ", "Long. One.", "(missing)", "\ud800"])
def test_no_reference(reference: str) -> None:
    """The slot reads "(missing)" whatever stood there."""
    assert changed("no_reference", row_of(reference)).reference == "(missing)"


def test_swapped_reference() -> None:
    """A row takes the reference that its question is given, to the letter."""
    setting = Setting(swaps={"q": Swap("p", " Of p. "), "p": Swap("q", "Of q.")})
    assert changed("swapped_reference", row_of("Of q."), setting).reference == " Of p. "
    assert changed("swapped_reference", row_of("Of p.", question_id="p"), setting).reference == "Of q."


def test_swap_without_partner() -> None:
    """A question that was not there when partners were drawn is refused by name."""
    with pytest.raises(BadInputError, match="dataset 'd': swapped_reference: question 'q' was not there"):
        changed("swapped_reference", row_of(), Setting())


@given(texts)
def test_second_reference(other: str) -> None:
    """A row takes its second reference, to the letter, and keeps it."""
    assert changed("second_reference", row_of("First.", other=other)) == row_of(other, other=other)


def test_no_second_reference() -> None:
    """A row without a second reference is refused: dataset, row, and where one can come from."""
    expected = "dataset 'd': second_reference: row 'd:q:v' has no second reference.*'asqa'.*'other_reference'"
    with pytest.raises(BadInputError, match=expected):
        changed("second_reference", row_of(other=None))
