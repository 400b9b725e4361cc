"""Minimum and mean against the label of the whole: what counts, what is missing, and what cannot be known."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from judgeray.analysis.averaging.aggregation import aggregation, mean_against_min
from judgeray.analysis.averaging.comparisons import compare
from judgeray.analysis.averaging.parts import parts_of
from judgeray.analysis.averaging.whole_scores import whole_scores
from judgeray.analysis.write import csv_text
from judgeray.core.errors import BadInputError
from judgeray.stats.label_correlations import resampled_correlations
from judgeray.stats.ordered_items import Items
from tests.analysis.averaging.made_sentences import Rows, drawn_log, mixture, said, sentence_log

MEASURES = ("pearson", "spearman", "kendall", "roc_auc")
SUMMARIES = {
    "a:1": ("11", 1), "a:2": ("10", 0), "b:1": ("111", 1), "b:2": ("100", 1), "c:1": ("00", 0), "c:2": ("0110", 0),
    "d:1": ("1-", 1), "e:1": ("1", 1), "f:1": ("1111", 1), "g:1": ("011", 1),
}  # fmt: skip
COMPLETE = [name for name, (letters, _) in SUMMARIES.items() if len(letters) > 1 and "-" not in letters]


def table(rows: Rows) -> list[dict[str, Any]]:
    """The rows of table `aggregation`."""
    return aggregation(compare(sentence_log(rows), resamples=200)).to_dicts()


def contrast(rows: Rows) -> dict[str, Any]:
    """The row of table `mean_against_min` for hard labels, of a log with one judge."""
    found = mean_against_min(compare(sentence_log(rows), resamples=200)).filter(pl.col("score") == "hard")
    return found.row(0, named=True)


def by_hand(name: str) -> tuple[float, float, int]:
    """Minimum, mean and label of a summary."""
    letters, label = SUMMARIES[name]
    labels = [int(letter) for letter in letters]
    return min(labels), sum(labels) / len(labels), label


def test_correlations_are_those_of_complete_summaries() -> None:
    """Of ten summaries one lacks a label and one has a single sentence; the rest are as SciPy has them."""
    minimum, mean = table(said(SUMMARIES))[:2]
    hand = np.array([by_hand(name) for name in COMPLETE])
    for found, column in ((minimum, 0), (mean, 1)):
        scores, labels = hand[:, column], hand[:, 2]
        assert found["score"] == "hard"
        assert (found["summaries"], found["documents"], found["judgments"]) == (8, 5, 8)
        assert (found["missing"], found["single"]) == (1, 1)
        assert found["pearson"] == pytest.approx(stats.pearsonr(scores, labels)[0])
        assert found["spearman"] == pytest.approx(stats.spearmanr(scores, labels)[0])
        assert found["kendall"] == pytest.approx(stats.kendalltau(scores, labels)[0])
        wins = scores[labels == 1][:, None] - scores[labels == 0][None]
        assert found["roc_auc"] == pytest.approx(((wins > 0) + (wins == 0) / 2).mean())
    assert (minimum["aggregator"], mean["aggregator"]) == ("min", "mean")


def test_soft_scores_are_probabilities_of_their_own() -> None:
    """They come with or without hard labels, and have their own missing ones."""
    soft = {name: [0.9 - 0.1 * n for n in range(len(letters))] for name, (letters, _) in SUMMARIES.items()}
    rows = said(SUMMARIES, soft)
    rows[0]["soft"] = None
    found = {(row["score"], row["aggregator"]): row for row in table(rows)}
    scored = [(min(soft[name]), sum(soft[name]) / len(soft[name]), SUMMARIES[name][1])
              for name in SUMMARIES if name not in ("a:1", "e:1")]  # fmt: skip
    for aggregator, column in (("min", 0), ("mean", 1)):
        row = found["soft", aggregator]
        expected = stats.pearsonr([s[column] for s in scored], [s[2] for s in scored])[0]
        assert (row["summaries"], row["missing"]) == (8, 1)
        assert row["pearson"] == pytest.approx(expected)
    without = {row["score"]: row for row in table(said(SUMMARIES))}["soft"]
    assert (without["summaries"], without["missing"], without["single"]) == (0, 9, 1)
    assert (without["pearson"], without["roc_auc"]) == (None, None)
    assert without["reason"] == "no whole is complete"


def test_intervals_resample_documents() -> None:
    """Those of `resampled_correlations` with documents as clusters, in the order of their ids."""
    log, _ = drawn_log(mixture(0.5), {"j": 0.1}, summaries=80)
    found = aggregation(compare(log, resamples=300)).to_dicts()[1]
    scores = whole_scores(parts_of(log), "hard").sort("document_id")
    labels = scores["label"].to_numpy().astype(np.intp)
    documents = np.unique(scores["document_id"].to_numpy(), return_inverse=True)[1]
    (expected,) = resampled_correlations([Items(labels, scores["mean"].to_numpy(), documents)], 300)
    for name, estimate in expected.estimates().items():
        ends = (estimate.value, estimate.low, estimate.high)
        assert (found[name], found[f"{name}_low"], found[f"{name}_high"]) == ends
        assert estimate.low is not None
        assert estimate.value is not None
        assert estimate.high is not None
        assert estimate.low < estimate.value < estimate.high
    assert found["reason"] is None


def test_a_summary_counts_where_all_its_sentences_have_a_value() -> None:
    """Unread, pending, absent, or there twice: the judgment is missing, whatever the other sentences say."""
    rows = said({"a:1": ("11", 1), "b:1": ("00", 0), "c:1": ("1-", 1), "d:1": ("1?", 1), "e:1": ("1 ", 1)})
    rows += said({"f:1": ("10", 0)}) + said({"f:1": ("1", 0)}, sentences=2)
    found = table(rows)[0]
    assert (found["summaries"], found["missing"], found["single"]) == (2, 4, 0)
    assert found["pearson"] == pytest.approx(1)


def test_replicates_judge_anew() -> None:
    """Two complete replicates count twice, with one document to resample; they are not averaged."""
    first, second = {"a:1": ("11", 1), "b:1": ("01", 0)}, {"a:1": ("10", 1), "b:1": ("0-", 0)}
    minimum, mean = table(said(first) + said(second, replicate=1))[:2]
    assert (mean["summaries"], mean["documents"], mean["judgments"], mean["missing"]) == (2, 2, 3, 1)
    assert minimum["pearson"] == pytest.approx(stats.pearsonr([1, 0, 0], [1, 0, 1])[0])
    assert mean["pearson"] == pytest.approx(stats.pearsonr([1, 0.5, 0.5], [1, 0, 1])[0])


@pytest.mark.parametrize(
    ("summaries", "reason", "auc"),
    [
        ({"a:1": ("11", 1), "b:1": ("10", 1)}, "all labels are alike", None),
        ({"a:1": ("10", 1), "b:1": ("10", 0)}, "all scores are alike", 0.5),
        ({"a:1": ("1-", 1), "b:1": ("-1", 0)}, "no whole is complete", None),
    ],
)
def test_without_variation_nothing_is_known(
    summaries: dict[str, tuple[str, int]], reason: str, auc: float | None
) -> None:
    """Null with the reason, never 0; the AUC of equal scores is one half by definition."""
    for found in table(said(summaries))[:2]:
        assert [found[name] for name in MEASURES] == [None, None, None, auc]
        assert (found["pearson_low"], found["kendall_high"], found["reason"]) == (None, None, reason)
    compared = contrast(said(summaries))
    assert (compared["difference"], compared["mean_at_least_min"], compared["reason"]) == (None, None, reason)


def test_values_can_stand_without_interval() -> None:
    """One document, or few: the value is there, and the reason says what is missing."""
    alone = table(said({"a:1": ("11", 1), "a:2": ("01", 0), "a:3": ("11", 0)}))[1]
    assert alone["pearson"] == pytest.approx(0.5)
    assert (alone["pearson_low"], alone["reason"]) == (None, "one document shows no spread")
    few = table(said({"a:1": ("11", 1), "b:1": ("01", 0), "c:1": ("10", 0)}))[1]
    assert few["pearson"] == pytest.approx(1)
    assert (few["pearson_low"], few["reason"]) == (None, "some resamples leave it undefined")


def test_the_contrast_is_paired_and_printed_as_the_study_prints() -> None:
    """rho +- delta with half of the interval; the difference has an interval of its own, narrower than both."""
    log, _ = drawn_log(mixture(1.0), {"j": 0.05}, summaries=200)
    comparisons = compare(log, resamples=400)
    minimum, mean = aggregation(comparisons).to_dicts()[:2]
    found = mean_against_min(comparisons).row(0, named=True)
    for name, row in (("min", minimum), ("mean", mean)):
        assert found[f"pearson_{name}"] == row["pearson"]
        assert found[f"half_width_{name}"] == pytest.approx((row["pearson_high"] - row["pearson_low"]) / 2)
    assert found["difference"] == pytest.approx(mean["pearson"] - minimum["pearson"])
    assert 0 < found["difference_low"] < found["difference"] < found["difference_high"]
    assert (found["mean_at_least_min"], found["told_apart"], found["reason"]) == (True, True, None)
    spread = found["difference_high"] - found["difference_low"]
    assert spread < 2 * (found["half_width_min"] + found["half_width_mean"])


def test_a_minimum_that_wins_is_told() -> None:
    """Raters who take the minimum, and a good judge: the difference is negative."""
    log, _ = drawn_log(mixture(0.0), {"j": 0.02}, summaries=200)
    found = mean_against_min(compare(log, resamples=200)).row(0, named=True)
    assert found["mean_at_least_min"] is False
    assert found["difference_high"] < 0


def test_a_tie_without_a_choice_says_so() -> None:
    """Whole summaries right or wrong, or two sentences of which one is: the mean is the minimum in other units."""
    whole = {"a:1": ("11", 1), "b:1": ("000", 0), "c:1": ("00", 1), "d:1": ("111", 1)}
    half = {"a:1": ("11", 1), "b:1": ("10", 0), "c:1": ("01", 1), "d:1": ("11", 1)}
    for summaries in (whole, half):
        found = contrast(said(summaries))
        assert (found["difference"], found["mean_at_least_min"], found["told_apart"]) == (0.0, True, False)
    assert contrast(said({**whole, "e:1": ("110", 1), "f:1": ("011", 0)}))["told_apart"] is True


def test_the_order_of_rows_has_no_effect() -> None:
    """Shuffled, or with texts as categories: the same bytes of both tables."""
    log, _ = drawn_log(mixture(0.5), {"a": 0.1, "b": 0.3}, summaries=60)
    shuffled = log.sample(fraction=1, shuffle=True, seed=1)
    compact = log.with_columns(pl.col("dataset", "judge", "unit", "document_id", "status").cast(pl.Categorical))
    expected = compare(log, resamples=200)
    for other in (shuffled, compact):
        found = compare(other, resamples=200)
        assert csv_text(aggregation(found)) == csv_text(aggregation(expected))
        assert csv_text(mean_against_min(found)) == csv_text(mean_against_min(expected))


def test_rows_are_sorted_by_name() -> None:
    """Dataset, judge, score; minimum before mean."""
    logs = [said({"a:1": ("11", 1), "b:1": ("00", 0)}, dataset=dataset, judge=judge)
            for dataset in ("y", "x") for judge in ("k", "j")]  # fmt: skip
    found = aggregation(compare(sentence_log([row for rows in logs for row in rows]), resamples=20))
    keys = found.select("dataset", "judge", "score").unique(maintain_order=True).rows()
    assert keys == [(d, j, s) for d in "xy" for j in "jk" for s in ("hard", "soft")]
    assert found["aggregator"].to_list() == ["min", "mean"] * 8


def test_an_empty_log_has_empty_tables() -> None:
    """No rows, all columns."""
    empty, full = compare(sentence_log([])), compare(sentence_log(said(SUMMARIES)), resamples=20)
    for tabulate in (aggregation, mean_against_min):
        assert tabulate(empty).is_empty()
        assert tabulate(empty).schema == tabulate(full).schema


def test_another_unit_is_refused() -> None:
    """Sentences and claims are what there is."""
    with pytest.raises(BadInputError, match="unit: found 'word', allowed: claim, sentence"):
        compare(sentence_log([]), "word")  # type: ignore[arg-type]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text("10-", min_size=2, max_size=5), min_size=1, max_size=6))
def test_scores_are_what_the_letters_say(summaries: list[str]) -> None:
    """Minimum and mean by hand, null with a letter missing; a minimum of 1 is a mean of 1."""
    named = {f"{number}:x": (letters, 1) for number, letters in enumerate(summaries)}
    found = whole_scores(parts_of(sentence_log(said(named))), "hard").rows(named=True)
    for row, letters in zip(found, summaries, strict=True):
        labels = [int(letter) for letter in letters if letter != "-"]
        complete = "-" not in letters
        assert row["minimum"] == (min(labels) if complete else None)
        assert row["mean"] == (sum(labels) / len(labels) if complete else None)
