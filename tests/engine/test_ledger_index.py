"""Laws of the ledger's index: it finds exactly what is there."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgeray.engine.ledger_index import PartitionIndex


def key(number: int) -> str:
    """A key as calls have them."""
    return sha256(str(number).encode()).hexdigest()


def write(path: Path, keys: list[str], at: str = "2026-01-01") -> Path:
    """A file of a ledger with small row groups."""
    lines = [f"{at} {name}".encode() for name in keys]
    table = pa.table({"key": keys, "received_at": [at] * len(keys), "reply": lines})
    pq.write_table(table, path, row_group_size=3)
    return path


@given(kept=st.sets(st.integers(0, 60)), more=st.sets(st.integers(0, 60)), asked=st.sets(st.integers(0, 80)))
def test_an_index_finds_what_is_there_and_nothing_else(
    tmp_path_factory: pytest.TempPathFactory, kept: set[int], more: set[int], asked: set[int]
) -> None:
    """Every asked key is found once in each file that has it, with its own reply, in whatever order it stands."""
    folder = tmp_path_factory.mktemp("ledger")
    files = [
        write(folder / f"part-{n}.parquet", [key(each) for each in sorted(mine, key=key)])
        for n, mine in enumerate((kept, more))
        if mine
    ]
    index = PartitionIndex()
    index.refresh(files)
    found = sorted(index.find({key(each) for each in asked}))
    expected = [key(each) for mine in (kept, more) for each in mine & asked]
    assert [name for name, _, _ in found] == sorted(expected)
    assert all(line.decode().endswith(name) for name, _, line in found)


def test_keys_that_begin_alike_are_told_apart(tmp_path: Path) -> None:
    """Only the whole key counts: of two with the same beginning each gets its own reply."""
    twins = ["ab" * 8 + "0" * 48, "ab" * 8 + "1" * 48, "ab" * 8 + "2" * 48]
    index = PartitionIndex()
    index.refresh([write(tmp_path / "part-0.parquet", [key(1), twins[0], key(2), twins[1]])])
    assert [name for name, _, _ in index.find({twins[1]})] == [twins[1]]
    assert [name for name, _, _ in index.find({twins[2]})] == []
    assert sorted(name for name, _, _ in index.find(set(twins))) == twins[:2]


def test_an_index_follows_its_files(tmp_path: Path) -> None:
    """A new file is found, and one that is gone is forgotten."""
    first, second = (write(tmp_path / f"part-{n}.parquet", [key(n)]) for n in range(2))
    index = PartitionIndex()
    index.refresh([first])
    assert not list(index.find({key(1)}))
    index.refresh([second])
    assert [name for name, _, _ in index.find({key(0), key(1)})] == [key(1)]
