"""Table `subsets`: what there is of each part of a benchmark, counted once whatever the number of judges."""

from __future__ import annotations

import polars as pl
import pytest

from judgeray.analysis.averaging.subsets import subsets


def sentence_rows(summary: str, document: str, subset: str, label: int, sentences: int) -> list[dict[str, object]]:
    """Rows of one summary under two judges; its last sentence is a fragment."""
    return [
        {"dataset": "d", "subset": subset, "document_id": document, "summary_id": summary, "label": label,
         "sentences": sentences, "sentence_index": index, "fragment": index == sentences - 1, "unit": "sentence",
         "judge": judge}
        for judge in ("one", "two")
        for index in range(sentences)
    ]  # fmt: skip


def test_subsets_are_counted_by_hand() -> None:
    """Documents, summaries, labels, sentences; mean and standard deviation (n - 1) of the lengths."""
    rows = [
        *sentence_rows("a", "x", "cnn", 1, 2),
        *sentence_rows("b", "x", "cnn", 0, 4),
        *sentence_rows("c", "y", "xsum", 1, 3),
    ]
    claims = [{**row, "unit": "claim"} for row in sentence_rows("e", "z", "cnn", 1, 2)]
    found = subsets(pl.DataFrame(rows + claims)).rows()
    assert found == [
        ("d", "cnn", 1, 2, 1, 1, 6, 2, 3.0, pytest.approx(2**0.5)),
        ("d", "xsum", 1, 1, 1, 0, 3, 1, 3.0, None),
    ]
    assert subsets(pl.DataFrame(claims)).is_empty()
