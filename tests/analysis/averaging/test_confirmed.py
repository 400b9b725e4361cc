"""What annotators confirm: rates of filled-in sheets, with Wilson's interval."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl
import pytest
from scipy.stats import binomtest

from judgeray.analysis.averaging.annotation_files import SCHEMA
from judgeray.analysis.averaging.confirmed import confirmed

LETTERS = {"u": "Unfaithful", "f": "Faithful", "?": "Unclear", " ": None}


def sheet(summaries: Sequence[str], dataset: str | None = "d") -> pl.DataFrame:
    """One summary a text, one sentence a letter: u, f, ?, and a blank for what is not filled in."""
    rows = [
        ("sheet.csv: row 1", dataset, f"s{number}", index, None, "annotator", LETTERS[letter])
        for number, letters in enumerate(summaries)
        for index, letter in enumerate(letters)
    ]
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")


@pytest.mark.parametrize(("unfaithful", "of"), [(10, 13), (24, 27), (5, 10)])
def test_sentences_of_different_summaries_have_wilsons_interval(unfaithful: int, of: int) -> None:
    """The printed counts of study 3 (Figure 4), one sentence a summary."""
    row = confirmed(sheet(["u"] * unfaithful + ["f"] * (of - unfaithful))).row(0, named=True)
    interval = binomtest(unfaithful, of).proportion_ci(method="wilson")
    assert (row["sentences"], row["summaries"], row["unfaithful"]) == (of, of, unfaithful)
    assert row["confirmed_share"] == unfaithful / of
    assert (row["confirmed_share_low"], row["confirmed_share_high"]) == pytest.approx((interval.low, interval.high))


def test_sentences_of_one_summary_are_worth_less() -> None:
    """Summaries that are confirmed or not as a whole: the interval is that of as many summaries."""
    row = confirmed(sheet(["uu", "uu", "ff", "uu", "ff"])).row(0, named=True)
    interval = binomtest(3, 5).proportion_ci(method="wilson")
    assert (row["confirmed_share_low"], row["confirmed_share_high"]) == pytest.approx((interval.low, interval.high))


def test_unclear_is_not_confirmed_and_blank_is_not_there() -> None:
    """Of six sentences one is blank, one unclear: two of five are confirmed."""
    row = confirmed(sheet(["uu?", "ff "])).row(0, named=True)
    counted = ("sentences", "blank", "unfaithful", "faithful", "unclear")
    assert [row[name] for name in counted] == [6, 1, 2, 2, 1]
    assert row["confirmed_share"] == 2 / 5


def test_a_dataset_without_an_answer_is_not_known() -> None:
    """Null, beside one that is filled in; a sheet without datasets is one."""
    table = confirmed(pl.concat([sheet(["u"], "x"), sheet(["  "], "y")]))
    assert table["confirmed_share"].to_list() == [1.0, None]
    assert confirmed(sheet(["u", "f"], None)).select("dataset", "sentences").rows() == [(None, 2)]
