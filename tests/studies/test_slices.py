"""Laws of reading slices: by number, in any order, the same rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgeray.core.errors import BadInputError
from judgeray.studies.slices import SliceReader, slices


def cut() -> Iterator[list[Any]]:
    """Twenty rows in slices of three."""
    return slices(range(20), 3, str)


@given(order=st.lists(st.integers(0, 6), max_size=20))
def test_slices_are_the_same_in_whatever_order_they_are_read(order: list[int]) -> None:
    """Going back starts the dataset again and gives what was there before."""
    reader, expected = SliceReader("d", cut), list(cut())
    assert [reader.rows(number) for number in order] == [expected[number] for number in order]
    assert list(reader.numbers()) == list(range(7))


def test_nothing_is_read_before_it_is_asked_for() -> None:
    """A reader that is never asked opens nothing."""
    opened: list[int] = []

    def start() -> Iterator[list[Any]]:
        opened.append(1)
        return cut()

    reader = SliceReader("d", start)
    assert opened == []
    reader.rows(0)
    reader.rows(5)
    assert opened == [1]


def test_a_dataset_that_became_shorter_is_said() -> None:
    """A slice that is not there any more is a clear message, not a wrong row."""
    with pytest.raises(BadInputError, match="dataset 'd': its file has changed"):
        SliceReader("d", cut).rows(7)
