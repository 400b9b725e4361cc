"""Laws of a set of keys: it holds what was added, whenever that was sorted in."""

from __future__ import annotations

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgeray.engine import key_set
from judgeray.engine.key_set import KeySet


def key(number: int) -> str:
    """A key as calls have them."""
    return sha256(str(number).encode("ascii")).hexdigest()


@given(numbers=st.lists(st.integers(0, 60)), late=st.integers(1, 20))
def test_it_holds_what_was_added(numbers: list[int], late: int) -> None:
    """Adding tells whether the key was new; then it is there, and counted once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(key_set, "LATE_KEYS", late)
        keys, expected = KeySet(), set[int]()
        for number in numbers:
            assert keys.add(key(number)) == (number not in expected)
            expected.add(number)
            assert len(keys) == len(expected)
        assert [number for number in range(61) if key(number) in keys] == sorted(expected)


@pytest.mark.parametrize("edge", ["0" * 64, "f" * 64, "7" + "f" * 63, "8" + "0" * 63])
def test_keys_at_the_edges_of_the_numbers(edge: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The smallest and the largest key are held like any other, early or late."""
    monkeypatch.setattr(key_set, "LATE_KEYS", 2)
    keys = KeySet()
    assert edge not in keys
    assert keys.add(edge)
    assert edge in keys
    assert keys.add(key(1))
    assert edge in keys
    assert not keys.add(edge)
