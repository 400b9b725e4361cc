"""Cached input: what is told, what it cost, and what it would have cost."""

from __future__ import annotations

from typing import Any

import pytest

from judgeray.analysis.averaging.caching import UncachedCost, caching
from tests.analysis.averaging.made_sentences import Rows, said, sentence_log


def used(key: str, tokens: tuple[int | None, int | None, int | None], cost: float | None, **more: Any) -> Rows:
    """One sentence whose call took input, output and cached tokens."""
    names = ("input_tokens", "output_tokens", "cached_tokens")
    usage: dict[str, Any] = dict(zip(names, tokens, strict=True)) | {"call_keys": [key], "cost_usd": cost}
    return said({f"{key}:1": ("1", 1)}, **usage, **more)


def row(rows: Rows, price: UncachedCost | None = None) -> dict[str, Any]:
    """The only row of the table."""
    return caching(sentence_log(rows), price).row(0, named=True)


def dear(judge: str, input_tokens: int, output_tokens: int) -> float | None:
    """A dollar a token, whatever is cached."""
    return float(input_tokens + output_tokens)


def test_tokens_add_up_over_told_calls() -> None:
    """A call that does not tell its cached tokens is counted and left out of the share."""
    found = row(used("a", (100, 5, 0), None) + used("b", (100, 5, 90), None) + used("c", (50, 5, None), None))
    assert (found["calls"], found["told"], found["input_tokens"], found["cached_tokens"]) == (3, 2, 200, 90)
    assert found["cached_share"] == 0.45
    silent = row(used("c", (50, 5, None), None))
    assert (silent["told"], silent["input_tokens"], silent["cached_share"]) == (0, None, None)


def test_savings_compare_the_same_calls() -> None:
    """Billed 60 and 30 of 105 and 105: a saving of 120; without prices nothing is said of it."""
    rows = used("a", (100, 5, 50), 60.0) + used("b", (100, 5, 80), 30.0) + used("c", (100, 5, 0), None)
    found = row(rows, dear)
    assert (found["priced"], found["cost_usd"], found["uncached_cost_usd"]) == (2, 90.0, 210.0)
    assert (found["saving_usd"], found["saving_share"]) == (120.0, pytest.approx(120 / 210))
    without = row(rows)
    assert (without["cost_usd"], without["uncached_cost_usd"], without["saving_share"]) == (90.0, None, None)


def test_one_unknown_price_leaves_the_saving_unknown() -> None:
    """A sum with an unknown part is unknown; free calls have no share."""

    def some(judge: str, input_tokens: int, output_tokens: int) -> float | None:
        return None if input_tokens == 7 else 1.0

    rows = used("a", (100, 5, 50), 0.5) + used("b", (7, 5, 0), 0.5)
    assert row(rows, some)["saving_usd"] is None
    assert row(used("a", (100, 5, 50), 0.0), lambda *_: 0.0)["saving_share"] is None


def test_shared_calls_count_once() -> None:
    """Two sentences answered by one call, in one dataset and under one judge."""
    rows = used("a", (100, 5, 50), 1.0) + [row | {"summary_id": "other"} for row in used("a", (100, 5, 50), 1.0)]
    assert row(rows)["calls"] == 1
    table = caching(sentence_log(rows + used("a", (100, 5, 50), 1.0, judge="k")))
    assert table.select("judge", "calls").rows() == [("j", 1), ("k", 1)]


def test_rows_without_keys_are_calls_of_their_own() -> None:
    """A log that does not tell its calls has one a row."""
    rows = used("a", (100, 5, 50), 1.0) + used("b", (100, 5, 50), 1.0)
    unkeyed = [rows[0] | {"call_keys": []}, rows[1] | {"call_keys": None}]
    assert row(unkeyed)["calls"] == 2


def test_unanswered_calls_are_no_calls() -> None:
    """Pending rows have keys and no tokens; free in-process judges have a cost of 0 and no tokens."""
    assert caching(sentence_log(used("a", (None, None, None), None, status="pending"))).is_empty()
    found = row(used("a", (None, None, None), 0.0))
    assert (found["calls"], found["told"], found["cost_usd"]) == (1, 0, 0.0)
