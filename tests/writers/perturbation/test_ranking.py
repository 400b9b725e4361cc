"""Laws of the ranking: only a complete order of the terms is one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgeray.writers.perturbation.odd import OddReplyError
from judgeray.writers.perturbation.rank import RANK, read_ranking
from tests.writers.perturbation.made import reply_of

orders = st.integers(1, 30).flatmap(lambda terms: st.permutations(range(terms)))


def read(output: str, terms: int) -> tuple[int, ...]:
    """Read an order from between the tags."""
    return read_ranking(reply_of(f"<thinking>7, 8</thinking>\n<output>{output}</output>"), terms)


@given(orders, st.sampled_from([", ", ",", "\n", " ", "; ", ",\n"]))
def test_every_permutation_is_read(order: list[int], between: str) -> None:
    """Whatever the order and whatever parts the numbers, it comes back."""
    assert read(between.join(map(str, order)), len(order)) == tuple(order)


@pytest.mark.parametrize(
    "output", ["[2, 0, 1]", "[2], [0], [1]", "[term:2], [term:0], [term:1]", "2, 0, 1.", "(2,0,1)"]
)
def test_numbers_may_keep_their_brackets(output: str) -> None:
    """A list in brackets, and terms written as the text marks them, are read."""
    assert read(output, 3) == (2, 0, 1)


@given(orders, st.data())
def test_nothing_but_a_permutation_is_read(order: list[int], data: st.DataObject) -> None:
    """An order that lacks a term, names one twice or names another is odd."""
    place = data.draw(st.integers(0, len(order) - 1))
    other = data.draw(st.integers(0, 2 * len(order)).filter(lambda number: number != order[place]))
    for wrong in (
        [*order[:place], *order[place + 1 :]],
        [*order, other],
        [*order[:place], other, *order[place + 1 :]],
    ):
        with pytest.raises(OddReplyError):
            read(", ".join(map(str, wrong)), len(order))


@pytest.mark.parametrize(
    ("output", "reason"),
    [
        ("0, 1", "the order does not hold each term once"),
        ("0, 1, 1", "the order does not hold each term once"),
        ("1, 2, 3", "the order does not hold each term once"),
        ("0, 1, two", "the order is no list of numbers"),
        ("0: the date, 1, 2", "the order is no list of numbers"),
        ("0, -1, 2", "the order is no list of numbers"),
        ("0 > 1 > 2", "the order is no list of numbers"),
        ("0, 1, 2.0", "the order is no list of numbers"),
        ("\u0660, \u0661, \u0662", "the order is no list of numbers"),
        ("[ ]", "the order is no list of numbers"),
        (" ", "a blank <output>"),
    ],
)
def test_other_orders_say_what_is_wrong(output: str, reason: str) -> None:
    """Words among the numbers, and numbers that are not the terms', are odd for different reasons."""
    with pytest.raises(OddReplyError, match=f"^{reason}$"):
        read(output, 3)


def test_example_of_the_ranking_prompt_is_right() -> None:
    """The prompt's own example is an order that would be read."""
    example = RANK.system[RANK.system.index("Example") :]
    assert read_ranking(reply_of(example), example.count("[")) == (1, 2, 5, 4, 0, 3)
