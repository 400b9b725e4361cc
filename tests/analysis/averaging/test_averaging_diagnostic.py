"""The diagnostic: raters of known rule are found out, and a judge that errs too much says nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

from judgeray.analysis.averaging.annotations import located
from judgeray.analysis.averaging.comparisons import compare
from judgeray.analysis.averaging.diagnostic import diagnostic
from judgeray.analysis.averaging.error_rates import faithful_shares, judge_errors
from judgeray.analysis.averaging.gap_simulation import gap_simulation
from judgeray.analysis.averaging.thresholds import dataset_lengths
from judgeray.analysis.write import csv_text
from judgeray.stats.averaging_moments import lengths_of, unbiased_correlations
from judgeray.stats.averaging_threshold import error_threshold
from judgeray.stats.bootstrap import clustered_ratios
from judgeray.stats.rater_simulation import gap_curve
from tests.analysis.averaging.made_sentences import (
    Rater,
    Rows,
    drawn_log,
    marks,
    mean_rater,
    minimum_rater,
    mixture,
    said,
    sentence_log,
)

FITTING = "averaging bias"
TOO_WRONG = "does not apply: judge error not below threshold"


def concluded(log: pl.DataFrame, annotations: pl.DataFrame | None) -> dict[str, dict[str, Any]]:
    """Rows of table `diagnostic` by judge."""
    where = None if annotations is None else located(annotations, log)
    table = diagnostic(log, compare(log, resamples=400), where)
    return {row["judge"]: row for row in table.to_dicts()}


def annotated(rows: Rows, said_by: dict[tuple[str, int], bool | None]) -> tuple[pl.DataFrame, pl.DataFrame]:
    """A log, and annotations of its sentences by summary and index; None is unclear."""
    log = sentence_log(rows)
    given = marks({
        "dataset": ["d"] * len(said_by), "summary_id": [summary for summary, _ in said_by],
        "sentence_index": [index for _, index in said_by], "faithful": list(said_by.values()),
    })  # fmt: skip
    unclear = [value is None for value in said_by.values()]
    text = pl.when(pl.Series(unclear, dtype=pl.Boolean)).then(pl.lit("Unclear")).otherwise(pl.col("annotation"))
    return log, given.with_columns(annotation=text)


@pytest.mark.parametrize(
    ("rater", "conclusion"),
    [(minimum_rater, "no evidence"), (mean_rater, FITTING), (mixture(0.8), FITTING), (mixture(0.1), "no evidence")],
)
def test_raters_of_known_rule_are_found_out(rater: Rater, conclusion: str) -> None:
    """Good judges tell raters who average from raters who take the minimum; few who average stay hidden."""
    log, annotations = drawn_log(rater, {"best": 0.02, "good": 0.06})
    for row in concluded(log, annotations).values():
        assert row["valid"] is True
        assert row["conclusion"] == conclusion
        assert row["beyond_chance"] is True


@pytest.mark.parametrize("rater", [minimum_rater, mean_rater, mixture(0.8)])
def test_a_judge_above_the_threshold_says_nothing(rater: Rater) -> None:
    """Whatever the raters do: the mean wins with such a judge even where nobody averages."""
    log, annotations = drawn_log(rater, {"bad": 0.35, "good": 0.03}, summaries=4_000)
    found = concluded(log, annotations)
    assert found["bad"]["eps_high"] > found["bad"]["epsilon_0"]
    assert (found["bad"]["valid"], found["bad"]["conclusion"]) == (False, TOO_WRONG)
    assert found["bad"]["mean_at_least_min"] is True
    assert found["good"]["conclusion"] != TOO_WRONG


def test_numbers_are_those_of_their_estimators() -> None:
    """p and eps from annotations, clustered by document; the threshold and the model's difference from both."""
    log, annotations = drawn_log(mean_rater, {"j": 0.1}, summaries=120)
    row = concluded(log, annotations)["j"]
    first = log.sort("summary_id", "sentence_index")
    truth = annotations.sort("summary_id", "sentence_index")["annotation"] == "Faithful"
    documents = np.unique(first["document_id"].to_numpy(), return_inverse=True)[1]
    wrong = truth.cast(pl.Int64) != first["faithful"]
    counts = np.bincount(documents)
    (p,) = clustered_ratios(np.bincount(documents, weights=truth), counts, "")
    (eps,) = clustered_ratios(np.bincount(documents, weights=wrong), counts, "")
    assert (row["p"], row["p_low"], row["p_high"]) == (p.value, p.low, p.high)
    assert (row["eps"], row["eps_low"], row["eps_high"]) == (eps.value, eps.low, eps.high)
    assert (row["annotated"], row["unclear"], row["compared"]) == (first.height, 0, first.height)
    lengths = lengths_of(first.unique("summary_id")["sentences"].to_numpy())
    assert row["epsilon_0"] == error_threshold(lengths, row["p"]).error_rate
    assert row["epsilon_0_low"] == error_threshold(lengths, row["p_high"]).error_rate
    assert row["epsilon_0_high"] == error_threshold(lengths, row["p_low"]).error_rate
    with_min, with_mean = unbiased_correlations(lengths, row["p"], row["eps"])
    assert row["unbiased_difference"] == with_mean[0] - with_min[0]
    assert row["unbiased_difference"] < 0 < row["difference_low"]


def test_unconditional_datasets_ask_for_better_than_guessing() -> None:
    """Lengths of 2 and 12: no threshold, so a judge wrong in 35 % may speak and one that guesses may not."""
    log, annotations = drawn_log(mean_rater, {"poor": 0.35, "guess": 0.5}, lengths=(2, 12))
    found = concluded(log, annotations)
    assert {row["unconditional"] for row in found.values()} == {True}
    assert {row["epsilon_0"] for row in found.values()} == {None}
    assert (found["poor"]["valid"], found["poor"]["conclusion"]) == (True, FITTING)
    assert (found["guess"]["valid"], found["guess"]["conclusion"]) == (False, TOO_WRONG)


def test_unclear_sentences_are_dropped_and_counted() -> None:
    """Four annotated, one unclear; the judge is wrong on one of the two that it labelled and people made clear."""
    rows = said({"a:1": ("11", 1), "b:1": ("1-", 0), "c:1": ("00", 0), "d:1": ("10", 1)})
    log, annotations = annotated(rows, {("a:1", 0): True, ("a:1", 1): None, ("b:1", 0): False, ("b:1", 1): True})
    where = located(annotations, log)
    share = faithful_shares(where).row(0, named=True)
    assert (share["annotated"], share["unclear"], share["p"]) == (3, 1, 2 / 3)
    error = judge_errors(where, log).row(0, named=True)
    assert (error["compared"], error["eps"]) == (2, 0.5)


def test_replicates_and_annotators_are_pairs_of_their_own() -> None:
    """Two replicates and two annotators of one sentence: four pairs, of which two disagree."""
    log = sentence_log(said({"a:1": ("10", 1)}) + said({"a:1": ("00", 1)}, replicate=1))
    one = marks({"dataset": ["d"], "summary_id": ["a:1"], "sentence_index": [0], "faithful": [True]})
    two = one.with_columns(annotator=pl.lit("other"), annotation=pl.lit("Unfaithful"))
    where = located(pl.concat([one, two]), log)
    error = judge_errors(where, log).row(0, named=True)
    assert (error["compared"], error["eps"]) == (4, 0.5)
    assert faithful_shares(where)["p"].to_list() == [0.5]


RIGHT = {("a:1", 0): True, ("b:1", 0): False, ("c:1", 0): True, ("c:1", 1): False}
MIXED = {"a:1": ("110", 1), "b:1": ("000", 0), "c:1": ("101", 1), "d:1": ("111", 1), "e:1": ("100", 0)}


@pytest.mark.parametrize(
    ("summaries", "people", "conclusion"),
    [
        (MIXED, {}, "unknown: no annotations"),
        (MIXED, {("a:1", 0): None}, "unknown: no annotations"),
        (MIXED, {("a:1", 0): True, ("c:1", 0): True}, "unknown: all annotated sentences are alike"),
        (MIXED, {("a:1", 0): True, ("a:1", 2): False}, "unknown: judge error without interval"),
        ({name: (letters, 1) for name, (letters, _) in MIXED.items()}, RIGHT, "unknown: no correlation"),
        ({"a:1": ("111", 1), "b:1": ("000", 0), "c:1": ("11", 1), "d:1": ("00", 1)},
         {("a:1", 0): True, ("b:1", 0): False, ("d:1", 0): False},
         "unknown: minimum and mean order summaries alike"),
    ],
)  # fmt: skip
def test_what_is_not_known_is_said(
    summaries: dict[str, tuple[str, int]], people: dict[tuple[str, int], bool | None], conclusion: str
) -> None:
    """No annotations, or none that tell; no interval, no correlation, no choice: never a verdict."""
    log, annotations = annotated(said(summaries), people)
    row = concluded(log, annotations)["j"]
    assert row["conclusion"] == conclusion
    if conclusion == "unknown: no annotations":
        assert (row["valid"], row["epsilon_0"], row["unconditional"], row["eps"]) == (None, None, None, None)


def test_annotations_of_one_dataset_leave_the_other_unknown() -> None:
    """Two datasets, one annotated: each has its row; without any file both are unknown."""
    first, annotations = drawn_log(mean_rater, {"j": 0.05}, summaries=100, dataset="x")
    second, _ = drawn_log(mean_rater, {"j": 0.05}, summaries=100, dataset="y")
    log = pl.concat([first, second])
    table = diagnostic(log, compare(log, resamples=100), located(annotations, first))
    assert table.select("dataset", "conclusion").rows() == [("x", FITTING), ("y", "unknown: no annotations")]
    without = diagnostic(log, compare(log, resamples=100))
    assert without["conclusion"].to_list() == ["unknown: no annotations"] * 2
    assert without.schema == table.schema


def test_lengths_are_those_of_all_summaries_of_several_sentences() -> None:
    """Whoever judged them and whatever came of it; single sentences are left out."""
    others = said({"c:1": ("1", 0), "a:1": ("11", 1)}, judge="k")
    log = sentence_log(said({"a:1": ("1-", 1), "b:1": ("111", 1)}) + others)
    found = dataset_lengths(log)["d"]
    assert (found.sentences.tolist(), found.shares.tolist()) == ([2, 3], [0.5, 0.5])


def test_simulated_raters_have_their_table() -> None:
    """A curve for a perfect judge and one for the judges' mean error rate, as `gap_curve` gives them."""
    log, annotations = drawn_log(mean_rater, {"a": 0.05, "b": 0.15}, summaries=200)
    where = located(annotations, log)
    table = gap_simulation(log, where, fractions=(0.0, 0.5, 1.0), summaries=5_000)
    errors = judge_errors(where, log)["eps"].to_list()
    mean_error = sum(errors) / 2
    p = faithful_shares(where)["p"][0]
    assert table["judge_kind"].to_list() == ["perfect"] * 3 + ["measured"] * 3
    assert table["judges"].to_list() == [None] * 3 + [2] * 3
    assert table["eps"].to_list() == [0.0] * 3 + [mean_error] * 3
    points = gap_curve(p, dataset_lengths(log)["d"], mean_error, (0.0, 0.5, 1.0), 5_000)
    measured = table.filter(judge_kind="measured")
    assert measured["gap"].to_list() == [point.gap for point in points]
    assert measured["simulated_gap"].to_list() == [point.simulated_gap for point in points]
    assert ((table["gap"] - table["simulated_gap"]).abs() < 4 * table["simulated_error"]).all()


def test_datasets_that_cannot_be_simulated_have_no_rows() -> None:
    """Nobody annotated, all alike, or no judge better than guessing: nothing is made up."""
    log, annotations = drawn_log(mean_rater, {"worst": 0.9}, summaries=50)
    assert gap_simulation(log).is_empty()
    alike = annotations.with_columns(annotation=pl.lit("Faithful"))
    assert gap_simulation(log, located(alike, log)).is_empty()
    assert set(gap_simulation(log, located(annotations, log), summaries=100)["judge_kind"]) == {"perfect"}


def test_claims_have_a_diagnostic_of_their_own() -> None:
    """The same judgments told as claims of sentences: the same numbers, from annotations of claims."""
    log, annotations = drawn_log(mean_rater, {"j": 0.05}, summaries=80)
    index = pl.col("sentence_index")
    claims = log.with_columns(unit=pl.lit("claim"), claim_index=index, sentence_index=pl.lit(0, pl.Int64))
    of_claims = annotations.with_columns(claim_index=index, sentence_index=pl.lit(0, pl.Int64))
    found = diagnostic(claims, compare(claims, "claim", 100), located(of_claims, claims, "claim"), "claim")
    assert found.equals(diagnostic(log, compare(log, resamples=100), located(annotations, log)))


def test_the_order_of_rows_has_no_effect() -> None:
    """Log and annotations shuffled: the same bytes."""
    log, annotations = drawn_log(mixture(0.5), {"a": 0.1, "b": 0.2}, summaries=80)
    mixed, mixed_annotations = (frame.sample(fraction=1, shuffle=True, seed=4) for frame in (log, annotations))
    texts = []
    for rows, given in ((log, annotations), (mixed, mixed_annotations)):
        where = located(given, rows)
        texts.append(csv_text(diagnostic(rows, compare(rows, resamples=100), where)))
        texts.append(csv_text(gap_simulation(rows, where, summaries=500)))
    assert texts[:2] == texts[2:]
