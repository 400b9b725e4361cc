"""What people call faithful and every judge objects to: counted, listed, and laid out for annotators."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

from judgeray.analysis.averaging.flagged import flagged_wholes
from judgeray.analysis.averaging.review_rows import SHEET, sampled_rows, suspicious_rows
from judgeray.analysis.averaging.suspicious import suspicious, suspicious_sentences
from judgeray.analysis.write import csv_text
from tests.analysis.averaging.made_sentences import (
    claims_said,
    drawn_log,
    mean_rater,
    said,
    sentence_log,
)

FIRST = {
    "a:1": ("01", 1), "a:2": ("01", 1), "b:1": ("101", 1), "c:1": ("11", 1), "d:1": ("00", 0), "e:1": ("0-", 1),
    "f:1": ("1-", 1), "g:1": ("0", 1),
}  # fmt: skip
SECOND = {
    "a:1": ("01", 1), "a:2": ("10", 1), "b:1": ("000", 1), "c:1": ("00", 1), "d:1": ("00", 0), "e:1": ("0-", 1),
    "f:1": ("00", 1), "g:1": ("0", 1),
}  # fmt: skip


def log(**more: Any) -> pl.DataFrame:
    """Two judges on eight summaries."""
    return sentence_log(said(FIRST, judge="first", **more) + said(SECOND, judge="second", **more))


def test_every_judge_must_flag_a_sentence_not_the_same() -> None:
    """Flags on different sentences count (a:2); one judge that clears a summary is enough; else it is not known."""
    found = flagged_wholes(log()).select("summary_id", "suspicious").rows()
    assert found == [("a:1", True), ("a:2", True), ("b:1", True), ("c:1", False), ("e:1", True), ("f:1", None)]


def test_counts_are_of_human_faithful_summaries_of_several_sentences() -> None:
    """Six summaries, one unknown, four of five suspicious; the interval resamples documents."""
    row = suspicious(log()).row(0, named=True)
    counted = ("judges", "summaries", "unknown", "suspicious", "flagged_by_all", "fragments", "reviewable")
    assert [row[name] for name in counted] == [2, 6, 1, 4, 3, 0, 3]
    assert row["share"] == 4 / 5
    assert row["share_low"] < 4 / 5 < row["share_high"]


def test_fragments_are_not_reviewed() -> None:
    """Fragments that all judges flag are counted and left out of lists."""
    rows = said({"a:1": ("01", 1)}) + said({"b:1": ("00", 1)})
    rows[0]["fragment"] = True
    rows[2]["fragment"] = True
    table = sentence_log(rows)
    row = suspicious(table).row(0, named=True)
    assert [row[name] for name in ("suspicious", "flagged_by_all", "fragments", "reviewable")] == [2, 3, 2, 1]
    assert suspicious_sentences(table).select("summary_id", "sentence_index").rows() == [("b:1", 1)]


def test_flagged_sentences_are_listed_in_order() -> None:
    """By document, summary, index; those that every judge flags are marked."""
    found = suspicious_sentences(log())
    columns = ("summary_id", "sentence_index", "claim_index", "judges_flagging", "judges", "by_every_judge")
    assert found.select(columns).rows() == [
        ("a:1", 0, None, 2, 2, True), ("a:2", 0, None, 1, 2, False), ("a:2", 1, None, 1, 2, False),
        ("b:1", 0, None, 1, 2, False), ("b:1", 1, None, 2, 2, True), ("b:1", 2, None, 1, 2, False),
        ("e:1", 0, None, 2, 2, True),
    ]  # fmt: skip
    assert found["sentence"][0] == "a:1 says 0."


def test_most_replicates_decide() -> None:
    """Two of three replicates flag; one of two is no majority; a silent one has no voice."""
    rows = [row for number, letters in enumerate(("00-", "01-", "10-"))
            for row in said({"a:1": (letters, 1)}, replicate=number)]  # fmt: skip
    flagged = suspicious_sentences(sentence_log(rows))
    assert flagged["sentence_index"].to_list() == [0, 1]
    tied = sentence_log(said({"a:1": ("01", 1)}) + said({"a:1": ("11", 1)}, replicate=1))
    assert suspicious(tied)["suspicious"].to_list() == [0]


def test_no_judge_objects() -> None:
    """Nothing suspicious is a share of 0, nothing known is no share at all."""
    clean = suspicious(sentence_log(said({"a:1": ("11", 1), "b:1": ("11", 1)}))).row(0, named=True)
    assert (clean["share"], clean["share_low"], clean["share_high"], clean["reviewable"]) == (0, 0, 0, 0)
    unknown = suspicious(sentence_log(said({"a:1": ("1-", 1)}))).row(0, named=True)
    assert (unknown["suspicious"], unknown["unknown"], unknown["share"]) == (0, 1, None)
    none = sentence_log(said({"a:1": ("00", 0)}))
    assert suspicious(none).is_empty()
    assert suspicious_sentences(none).is_empty()
    assert suspicious_rows(none, {}).schema == pl.Schema(SHEET)


def test_claims_are_judged_as_sentences_are() -> None:
    """One level down wholes are sentences, and the claim that is flagged is named."""
    rows = claims_said(
        {"a:1/0": ("101", 1), "a:1/1": ("11", 1), "a:1/2": ("", 1), "b:1/0": ("0", 1), "b:1/1": ("00", 0)}
    )
    table = suspicious(sentence_log(rows), "claim").row(0, named=True)
    assert (table["sentences"], table["suspicious"], table["unknown"]) == (2, 1, 0)
    found = suspicious_sentences(sentence_log(rows), "claim")
    assert found.select("summary_id", "sentence_index", "claim_index", "sentence").rows() == [
        ("a:1", 0, 1, "a:1/0 claims 1.")
    ]


def test_review_rows_show_whole_summaries_and_ask_for_what_all_flag() -> None:
    """The first summaries by document id, all their sentences, with the document where it is at hand."""
    found = suspicious_rows(log(), {("d", "a"): "The text of a."}, most=2)
    assert found.schema == pl.Schema(SHEET)
    assert found.select("summary_id", "sentence_index", "asked", "document").rows() == [
        ("a:1", 0, True, "The text of a."), ("a:1", 1, False, "The text of a."),
        ("b:1", 0, False, None), ("b:1", 1, True, None), ("b:1", 2, False, None),
    ]  # fmt: skip
    assert suspicious_rows(log(), {})["summary_id"].n_unique() == 3


def test_review_rows_of_claims_belong_to_their_sentence() -> None:
    """A sentence is shown with its claims; the other sentences of the summary are not."""
    rows = claims_said({"a:1/0": ("11", 1), "a:1/2": ("10", 1)})
    found = suspicious_rows(sentence_log(rows), {}, "claim")
    assert found.select("sentence_index", "claim_index", "asked").rows() == [(2, 0, False), (2, 1, True)]


def test_a_sample_is_drawn_whatever_judges_say() -> None:
    """So many summaries of several sentences from each dataset, every sentence asked, the same in any order."""
    logs = [drawn_log(mean_rater, {"j": 0.1}, summaries=40, dataset=name)[0] for name in "xy"]
    table = pl.concat(logs)
    found = sampled_rows(table, {}, most=5)
    assert found.group_by("dataset").agg(pl.col("summary_id").n_unique()).sort("dataset").rows() == [
        ("x", 5),
        ("y", 5),
    ]
    assert found["asked"].all()
    summaries = found.unique(("dataset", "summary_id")).height
    assert summaries == 10
    sizes = found.group_by("dataset", "summary_id").len().join(
        table.unique(("dataset", "summary_id")).select("dataset", "summary_id", "sentences"),
        on=("dataset", "summary_id"),
    )  # fmt: skip
    assert (sizes["len"] == sizes["sentences"]).all()
    shuffled = table.sample(fraction=1, shuffle=True, seed=2)
    assert csv_text(sampled_rows(shuffled, {}, most=5)) == csv_text(found)
    other = sampled_rows(table, {}, most=5, seed=1)
    assert csv_text(other) != csv_text(found)
    assert sampled_rows(table, {}, most=99)["summary_id"].n_unique() == 40


def test_a_sample_leaves_single_sentences_out() -> None:
    """They tell nothing of minimum and mean."""
    rows = said({"a:1": ("1", 1), "b:1": ("11", 1)})
    assert set(sampled_rows(sentence_log(rows), {})["summary_id"]) == {"b:1"}


@pytest.mark.parametrize(("flagged", "of"), [(3, 4), (0, 4)])
def test_shares_are_clustered_by_document(flagged: int, of: int) -> None:
    """Summaries of one document stand and fall together: alone they have no interval."""
    letters = {f"a:{n}": ("01" if n < flagged else "11", 1) for n in range(of)}
    row = suspicious(sentence_log(said(letters))).row(0, named=True)
    assert (row["share"], row["share_low"]) == (flagged / of, None)
