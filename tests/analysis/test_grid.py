"""The grid: cells and pairs hold what joining rows by name would give."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judgeray.analysis import analyze
from judgeray.analysis.arms import settled_rows
from judgeray.analysis.consistency import is_consistent
from judgeray.analysis.grid import grid_of
from judgeray.analysis.pairs import PAIR
from tests.analysis.made_logs import make_log

ROWS = ("question_id", "row_id", "replicate")


def _arms(picked: list[tuple[int, ...]], replicates: list[int]) -> list[dict[str, Any]]:
    """Rows of four designs; each of `picked` says design, row, replicate and outcome (2 is pending)."""
    seen: dict[tuple[int, int, int], dict[str, Any]] = {}
    for design, row, replicate, outcome, tokens in picked:
        seen[design, row, replicate] = {
            "design": "CHRz"[design], "question_id": f"q{9 - row // 2}", "row_id": f"r{row}",
            "replicate": replicates[replicate], "right": None if outcome == 2 else bool(outcome),
            "status": "pending" if outcome == 2 else "ok", "total_tokens": tokens or None,
        }  # fmt: skip
    return list(seen.values())


picked_rows = st.lists(st.tuples(*(st.integers(0, most) for most in (3, 9, 1, 2, 90))), min_size=1, max_size=60)


@settings(max_examples=100, deadline=None)
@given(picked=picked_rows, replicates=st.sampled_from([[0, 1], [7, 3], [10**12, 0], [70_000, 70_001]]))
def test_pairs_are_what_a_join_gives(picked: list[tuple[int, ...]], replicates: list[int]) -> None:
    """Whatever rows each arm holds, in whatever order: sums over the rows that both settled, by question."""
    log = make_log(_arms(picked, replicates))
    settled = settled_rows(log)
    for pair in grid_of(log).pairs:
        a, b = (settled.filter(pl.col("design") == design) for design in (pair.a, pair.b))
        both = a.join(b, on=ROWS, suffix="_b")
        tokens = pl.col("total_tokens") - pl.col("total_tokens_b")
        expected = (
            both.group_by("question_id")
            .agg(
                pl.len(),
                (pl.col("correct").cast(pl.Int64) - pl.col("correct_b").cast(pl.Int64)).sum().alias("difference"),
                tokens.count().alias("known"),
                tokens.sum().alias("tokens"),
            )
            .sort("question_id")
        )
        found = (pair.rows, pair.differences, pair.token_rows, pair.token_differences)
        names = ("len", "difference", "known", "tokens")
        assert [array.tolist() for array in found] == [expected[name].to_list() for name in names]
        right, other = both["correct"], both["correct_b"]
        assert (pair.only_a, pair.only_b, pair.both) == (
            (right & ~other).sum(), (other & ~right).sum(), (right & other).sum()
        )  # fmt: skip


def test_arms_that_judged_the_same_rows_share_their_layout() -> None:
    """Forty arms on the same rows take the room of one; another dataset with the same names has its own."""
    rows = [
        {"dataset": dataset, "design": design, "judge": judge, "question_id": f"q{n}"}
        for dataset in ("d", "e") for design in "CHRB" for judge in "xyz" for n in range(5)
    ]  # fmt: skip
    cells = grid_of(make_log(rows)).cells
    assert len(cells) == 24
    assert len({id(cell.layout) for cell in cells}) == 2


def test_rows_that_stand_together_are_viewed_and_not_copied() -> None:
    """A cell whose rows stand together and in order is a view of the log."""
    log = make_log([{"design": d, "question_id": f"q{n}", "total_tokens": n} for d in "CH" for n in range(4)])
    cells = grid_of(log).cells
    assert all(isinstance(cell.place, slice) and cell.layout.order is None for cell in cells)
    shuffled = grid_of(log.reverse().gather([3, 0, 7, 1, 2, 4, 6, 5])).cells
    assert all(isinstance(cell.place, np.ndarray) for cell in shuffled)
    assert [c.numbers("total_tokens").tolist() for c in shuffled] == [[0.0, 1.0, 2.0, 3.0]] * 2


def test_questions_and_rows_stand_in_the_order_of_their_ids() -> None:
    """Whatever appears first, resampling sees questions sorted as strings, and rows within them."""
    ids = [("zz-10", "b"), ("zz-9", "x"), ("aa-1", "d"), ("zz-10", "a")]
    rows = [{"question_id": q, "row_id": r, "total_tokens": n} for n, (q, r) in enumerate(ids)]
    (cell,) = grid_of(make_log(rows)).cells
    assert cell.numbers("total_tokens").tolist() == [2.0, 3.0, 0.0, 1.0]
    assert cell.layout.sizes.tolist() == [1, 2, 1]


counts = st.none() | st.integers(0, 3) | st.sampled_from([200, 40_000, 10**10])


@settings(max_examples=60, deadline=None)
@given(rows=st.lists(st.tuples(counts, st.sampled_from([None, "whole", "regex"])), min_size=1, max_size=9))
def test_columns_read_as_the_log_has_them(rows: list[tuple[int | None, str | None]]) -> None:
    """Counts of any width become floats with NaN for null, text the places of its values with -1 for null."""
    log = make_log(
        [
            {"question_id": f"q{n}", "total_tokens": tokens, "parse_branch": text}
            for n, (tokens, text) in enumerate(rows)
        ]
    )
    (cell,) = grid_of(log).cells
    known = [None if np.isnan(number) else number for number in cell.numbers("total_tokens").tolist()]
    names = [*cell.categories("parse_branch"), None]
    assert [(count, names[code]) for count, code in zip(known, cell.codes("parse_branch"), strict=True)] == rows


identities = st.lists(
    st.tuples(st.integers(0, 1), st.integers(0, 2), st.integers(0, 3), st.integers(0, 1), st.integers(0, 1)),
    min_size=1,
    max_size=14,
)


@settings(max_examples=200, deadline=None)
@given(rows=identities)
def test_consistency_is_what_counting_finds(rows: list[tuple[int, ...]]) -> None:
    """True exactly where no row stands twice and each has one label and one question."""
    log = make_log(
        [
            {
                "dataset": "de"[dataset], "design": "CHR"[design], "row_id": f"r{row}",
                "question_id": f"q{question}", "label": ("supported", "unsupported")[label],
            }
            for dataset, design, row, question, label in rows
        ]
    )  # fmt: skip
    twice = len({row[:3] for row in rows}) < len(rows)
    labels: dict[tuple[int, int], set[tuple[int, int]]] = {}
    for dataset, _, row, question, label in rows:
        labels.setdefault((dataset, row), set()).add((question, label))
    assert is_consistent(log) == (not twice and all(len(found) == 1 for found in labels.values()))


def test_a_log_of_one_row_has_every_table() -> None:
    """Nothing needs a second row, question, design, judge or condition to be computed."""
    tables = analyze(make_log([{}]))
    assert tables["accuracy"].height == 1
    assert tables["contrasts"].is_empty()


@pytest.mark.parametrize("name", ["standard_errors", "mcnemar", "permutation", "equivalence", "power"])
def test_designs_without_a_common_row_stand_in_every_table_of_pairs(name: str) -> None:
    """A pair that cannot be compared is shown with nothing known, never left out."""
    rows = [{"design": "C", "question_id": "a"}, {"design": "H", "question_id": "b"}]
    table = analyze(make_log(rows))[name].filter(pl.col("b") == "C")
    assert table.height == 1
    known = {*PAIR, "unit", "method", "caution", "margin", "alpha", "target_power"}
    values = [value for column, value in table.row(0, named=True).items() if column not in known]
    assert set(values) <= {None, 0}
