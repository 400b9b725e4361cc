"""All tables of a log together: which there are, that order is nothing, and what they take."""

from __future__ import annotations

import polars as pl

from judgeray.analysis.averaging.annotation_files import SCHEMA
from judgeray.analysis.averaging.tables import averaging_tables
from judgeray.analysis.write import csv_text
from tests.analysis.averaging.made_sentences import claims_said, drawn_log, mixture, said, sentence_log

OF_SENTENCES = [
    "subsets",
    "aggregation", "mean_against_min", "suspicious", "suspicious_sentences", "composition", "diagnostic",
    "gap_simulation",
]  # fmt: skip
OF_CLAIMS = ["aggregation", "mean_against_min", "suspicious", "suspicious_sentences", "composition"]


def test_tables_are_those_that_the_log_has() -> None:
    """Those of claims with claims, that of reviews with reviews."""
    assert list(averaging_tables(sentence_log(said({"a:1": ("11", 1)})))) == [*OF_SENTENCES, "caching"]
    rows = said({"a:1": ("11", 1)}) + claims_said({"a:1/0": ("10", 1)})
    reviews = pl.DataFrame([("p", "d", "a:1", 0, None, "x", "Unclear")], schema=SCHEMA, orient="row")
    assert list(averaging_tables(sentence_log(rows), reviews=reviews)) == [
        *OF_SENTENCES, "confirmed", *(f"claim_{name}" for name in OF_CLAIMS), "claim_statistics", "caching"
    ]  # fmt: skip


def test_the_same_log_in_any_order_gives_the_same_bytes() -> None:
    """Every table, spelled out."""
    log, annotations = drawn_log(mixture(0.5), {"a": 0.1, "b": 0.2}, summaries=50)
    claims = sentence_log(claims_said({"a:1/0": ("10", 1), "b:1/0": ("11", 0), "c:1/0": ("011", 1)}))
    whole = pl.concat([log, claims])
    mixed, mixed_annotations = (frame.sample(fraction=1, shuffle=True, seed=9) for frame in (whole, annotations))
    tables, again = averaging_tables(whole, annotations), averaging_tables(mixed, mixed_annotations)
    assert {name: csv_text(table) for name, table in tables.items()} == {
        name: csv_text(table) for name, table in again.items()
    }


def test_one_summary_has_tables() -> None:
    """Nothing can be estimated and nothing breaks."""
    tables = averaging_tables(sentence_log(said({"a:1": ("10", 1)})))
    assert tables["aggregation"]["pearson"].to_list() == [None] * 4
    assert tables["diagnostic"]["conclusion"].to_list() == ["unknown: no annotations"]
    assert tables["composition"]["mixed"].to_list() == [1, 1]


def test_a_log_of_claims_alone_has_tables() -> None:
    """Tables of sentences are empty then."""
    tables = averaging_tables(sentence_log(claims_said({"a:1/0": ("10", 1), "b:1/0": ("11", 0)})))
    assert tables["aggregation"].is_empty()
    assert tables["diagnostic"].is_empty()
    assert tables["claim_aggregation"].height == 4
