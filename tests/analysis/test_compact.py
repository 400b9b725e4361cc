"""Compact columns: other types, the same values."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from judgeray.analysis.columns import KINDS, Kind
from judgeray.analysis.compact import compact, enum_values, id_type, joined
from judgeray.analysis.id_columns import IdColumns
from judgeray.core.status import STATUSES
from tests.analysis.made_logs import make_log

texts = st.text(st.characters(codec="utf-8"), max_size=3)
rows = st.fixed_dictionaries(
    {
        **dict.fromkeys(("dataset", "question_id", "row_id", "label", "design", "judge", "condition"), texts),
        **{name: st.none() | texts for name in ("verdict", "parse_branch")},
        "status": st.sampled_from(STATUSES),
        **{name: st.none() | st.integers(0, 10**12) for name, kind in KINDS.items() if kind is Kind.COUNT},
        **{name: st.none() | st.floats(allow_nan=False) for name, kind in KINDS.items() if kind is Kind.NUMBER},
        "simulated": st.none() | st.booleans(),
    }
)


def plain(frame: pl.DataFrame) -> pl.DataFrame:
    """Give columns their widest types."""
    wide = {Kind.TEXT: pl.String, Kind.COUNT: pl.Int64, Kind.NUMBER: pl.Float64, Kind.FLAG: pl.Boolean}
    return frame.select(pl.col(name).cast(wide[kind]) for name, kind in KINDS.items())


def _frame(records: list[dict[str, Any]]) -> pl.DataFrame:
    wide = {Kind.TEXT: pl.String, Kind.COUNT: pl.Int64, Kind.NUMBER: pl.Float64, Kind.FLAG: pl.Boolean}
    return pl.DataFrame(records, schema={name: wide[kind] for name, kind in KINDS.items()})


@settings(max_examples=80, deadline=None)
@given(parts=st.lists(st.lists(rows, min_size=1, max_size=6), min_size=1, max_size=4))
def test_no_value_changes(parts: list[list[dict[str, Any]]]) -> None:
    """Compacting parts and joining them gives the values and nulls of all parts, in their order."""
    frames = [_frame(records) for records in parts]
    log = joined([compact(frame) for frame in frames])
    assert_frame_equal(plain(log), pl.concat(frames))
    assert_frame_equal(compact(log), log)
    assert log["label"].dtype == log["verdict"].dtype


@settings(max_examples=60, deadline=None)
@given(parts=st.lists(st.lists(rows, min_size=1, max_size=6), min_size=1, max_size=4))
def test_codes_are_in_the_order_of_strings(parts: list[list[dict[str, Any]]]) -> None:
    """Sorting by code is sorting by text, which tables and resampling stand on."""
    log = joined([compact(_frame(records)) for records in parts])
    for name in ("dataset", "design", "judge", "condition", "label", "parse_branch"):
        assert enum_values(log[name]) == sorted(enum_values(log[name]))


def test_more_values_than_a_byte_holds() -> None:
    """Three hundred designs are as good as three."""
    designs = [f"d{n}" for n in range(300)]
    log = make_log([{"design": design} for design in designs])
    assert compact(log)["design"].to_list() == designs


@pytest.mark.parametrize(
    ("largest", "kind"), [(127, pl.Int8), (128, pl.Int16), (32_768, pl.Int32), (10**12, pl.Int64), (None, pl.Int8)]
)
def test_counts_are_as_wide_as_their_largest(largest: int | None, kind: type[pl.DataType]) -> None:
    """No count is cut, none takes more room than needed."""
    column = compact(make_log([{"total_tokens": 1}, {"total_tokens": largest}]))["total_tokens"]
    assert column.dtype == (kind if largest != 1 else pl.Int8)
    assert column.to_list() == [1, largest]


def test_a_row_takes_little_memory() -> None:
    """A log of the usual columns takes less than 64 bytes a row beside its ids."""
    log = compact(make_log([{"total_tokens": 900, "cost_usd": 0.1, "confidence": 0.9, "score": 4.0}] * 10_000))
    assert log.estimated_size() / log.height < 64


def test_an_optional_column_that_is_lacking_is_null() -> None:
    """Logs made elsewhere need not know every column."""
    log = make_log([{}, {}]).drop("cost_usd", "simulated", "parse_branch", "complexity")
    found = compact(log)
    assert found.columns == list(KINDS)
    assert found.select("cost_usd", "simulated", "parse_branch", "complexity").null_count().row(0) == (2,) * 4


def test_ids_that_come_again_are_looked_up_once() -> None:
    """Equal columns of later files become the very same column; others keep their own values."""
    ids = IdColumns()
    first = pl.DataFrame({"question_id": ["a", "b", "c"], "row_id": ["x", "y", "z"]})
    other = pl.DataFrame({"question_id": ["a", "B", "c"], "row_id": ["x", "y", "z"]})
    frames = [ids.compacted(frame) for frame in (first, other, first)]
    assert [frame["question_id"].to_list() for frame in frames] == [
        ["a", "b", "c"],
        ["a", "B", "c"],
        ["a", "b", "c"],
    ]
    assert all(frame["row_id"].dtype == id_type() for frame in frames)
    assert ids.compacted(pl.DataFrame({"question_id": [1], "row_id": ["x"]}))["question_id"].dtype == pl.Int64
