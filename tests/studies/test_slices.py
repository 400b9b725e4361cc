"""Laws of reading slices: by number, in any order, the same rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any
from weakref import WeakSet

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgeray.core.errors import BadInputError
from judgeray.studies.slices import OPEN_READINGS, SliceReader, slices


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


@pytest.mark.parametrize("passes", range(1, OPEN_READINGS + 1))
def test_rounds_read_a_dataset_once_for_each_pass_however_many_they_are(passes: int) -> None:
    """Rounds that go over their window, and over the next one after it, never come back to the first row."""
    read: list[int] = []

    def start() -> Iterator[list[int]]:
        for number in range(100):
            read.append(number)
            yield [number]

    reader = SliceReader("d", start)
    for window in range(0, 100, 10):
        for _ in range(passes):
            assert [reader.rows(number) for number in range(window, window + 10)] == [
                [n] for n in range(window, window + 10)
            ]
    assert Counter(read) == dict.fromkeys(range(100), passes)


class Row:
    """A row that can be watched."""

    def __init__(self, number: int) -> None:
        self.number = number


def test_one_slice_is_held() -> None:
    """However many readings are open, the rows of the last slice asked for are all that is in memory."""
    alive: WeakSet[Row] = WeakSet()

    def rows() -> Iterator[Row]:
        for number in range(900):
            row = Row(number)
            alive.add(row)
            yield row

    reader = SliceReader("d", lambda: slices(rows(), 100, lambda row: str(row.number)))
    for number in (8, 2, 5, 0, 6):
        assert reader.rows(number)[0].number == 100 * number
        assert len(alive) < 110


def test_a_dataset_that_became_shorter_is_said() -> None:
    """A slice that is not there any more is a clear message, not a wrong row."""
    with pytest.raises(BadInputError, match="dataset 'd': its file has changed"):
        SliceReader("d", cut).rows(7)
