"""Laws of doors: whole units in file order, no id twice, and reading errors in clear words."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgeray.core.errors import BadInputError
from judgeray.datasets.loaded import first_units, loaded
from judgeray.datasets.source import DatasetSource
from judgeray.rows import Skip

SOURCE = DatasetSource("d", "table", "rows.csv")
units = st.lists(
    st.sampled_from("abc") | st.builds(Skip, st.just("d"), st.sampled_from("xyz"), st.just("no label"))
)


@given(units, st.integers(1, 4))
def test_first_units_are_whole_and_in_order(items: list[str | Skip], limit: int) -> None:
    """Every item of the first units is kept, wherever it stands, and none of another; skips count for nothing."""
    kept = [item for item in first_units(iter(items), limit, str) if not isinstance(item, Skip)]
    names = [item for item in items if not isinstance(item, Skip)]
    first = list(dict.fromkeys(names))[:limit]
    assert kept == [name for name in names if name in first]


@given(units)
def test_without_a_limit_all_is_kept(items: list[str | Skip]) -> None:
    """No limit keeps items and skips alike."""
    assert list(first_units(iter(items), None, str)) == items


def test_an_id_that_comes_twice_is_named() -> None:
    """Two things of one id would share a verdict, so that the file is refused where the second one stands."""
    items = loaded(SOURCE, lambda: iter(["a", "b", "a"]), "row", str)
    assert [next(items), next(items)] == ["a", "b"]
    with pytest.raises(BadInputError, match=r"dataset 'd', rows\.csv: row id 'a' comes twice"):
        next(items)


@pytest.mark.parametrize("late", [False, True])
def test_a_file_that_cannot_be_read_is_named(late: bool) -> None:
    """Whether a reader fails when it is made or on the way, the message names dataset and file."""

    def fail() -> Iterator[str]:
        yield "a"
        raise OSError("the disk is gone")

    def refuse() -> Iterator[str]:
        raise OSError("the disk is gone")

    with pytest.raises(BadInputError, match=r"rows\.csv"):
        list(loaded(SOURCE, fail if late else refuse, "row", str))
