"""How far metrics follow degradation: by hand, against SciPy, and metrics of known sensitivity."""

from __future__ import annotations

import math

import numpy as np
import polars as pl
import pytest
from scipy.stats import kendalltau, pearsonr

from judgeray.analysis.scores.sheets import sheets_of
from judgeray.analysis.scores.tracking import tracking
from judgeray.stats.bootstrap import clustered_means
from tests.analysis.scores.made_scores import Rows, ladder, ladders, make_log, one

PERFECT, INVERTED, EQUAL = (4, 3, 2, 1, 0), (0, 1, 2, 3, 4), (2, 2, 2, 2, 2)


def table(rows: Rows) -> pl.DataFrame:
    """Compute the table of a made log."""
    return tracking(sheets_of(make_log(rows)))


def test_three_questions_by_hand() -> None:
    """Scores that fall, that tie once, and that rise once: tau-b -1, -9/sqrt(90), -0.8."""
    rows = ladders(PERFECT, (4, 3, 2, 1, 1), (4, 3, 2, 0, 1))
    found = one(table(rows))
    taus = [-1, -9 / math.sqrt(90), -0.8]
    assert found["kendall"] == pytest.approx(sum(taus) / 3)
    (interval,) = clustered_means(taus, [1, 1, 1], "tau-b")
    assert (found["kendall_low"], found["kendall_high"]) == pytest.approx((interval.low, interval.high))
    assert found["falling_pair_share"] == pytest.approx((1 + 0.9 + 0.9) / 3)
    assert found["strict_order_share"] == pytest.approx(1 / 3)
    levels, scores = zip(*((row["level"], row["value"]) for row in rows), strict=True)
    assert found["pearson"] == pytest.approx(pearsonr(levels, scores).statistic)
    assert (found["questions"], found["answers"], found["missing"]) == (3, 15, 0)
    assert (found["questions_undefined"], found["questions_incomplete"], found["reason"]) == (0, 0, None)


def test_metrics_of_known_sensitivity_are_ranked_rightly() -> None:
    """Perfect before little noise before much noise before inverted; a constant metric stands nowhere."""
    rng = np.random.default_rng(2)
    rows = []
    for name, noise, sign in (("a", 0.0, -1), ("b", 0.5, -1), ("c", 3.0, -1), ("d", 0.0, 1), ("e", 0.0, 0)):
        for question in range(60):
            scores = [sign * level + noise * rng.normal() for level in range(5)]
            rows += ladder(f"q{question}", scores, metric=name)
    found = table(rows)
    for measure in ("kendall", "pearson"):
        a, b, c, d, e = found[measure]
        assert a == pytest.approx(-1)
        assert a < b < c < 0
        assert d == pytest.approx(1)
        assert e is None
    for measure in ("falling_pair_share", "strict_order_share"):
        a, b, c, d, e = found[measure]
        assert 1 == a > b > c > d == e == 0


def test_equal_scores_are_undefined_and_counted() -> None:
    """The mean tau is over the other questions; nothing about the constant one is taken for zero."""
    found = one(table(ladders(PERFECT, EQUAL, PERFECT)))
    assert (found["kendall"], found["questions_undefined"]) == (-1, 1)
    assert found["falling_pair_share"] == pytest.approx(2 / 3)
    assert found["strict_order_share"] == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        (ladders((None, None), (None, None)), "no score"),
        (ladders(EQUAL, EQUAL), "all scores are equal"),
        (ladders((1, None), (2, None)), "scores at one level only"),
        (ladders((1, 1), (2, 2)), "no question has two scores that differ"),
    ],
)
def test_a_correlation_that_is_null_has_its_reason(rows: Rows, reason: str) -> None:
    """Null, never zero, and the table says why."""
    found = one(table(rows))
    assert (found["kendall"], found["kendall_low"], found["reason"]) == (None, None, reason)
    assert (found["pearson"] is None) == (reason != "no question has two scores that differ")


def test_missing_levels_leave_what_they_must() -> None:
    """Tau is over the levels that are there; strict order needs them all; both kinds of gap are counted."""
    rows = ladders(PERFECT, (4, None, 2, None, 3), (5, None, None, None, None))
    rows += ladder("q3", (3, 2))
    found = one(table(rows))
    assert found["kendall"] == pytest.approx((-1 + kendalltau([0, 2, 4], [4, 2, 3]).statistic - 1) / 3)
    assert found["falling_pair_share"] == pytest.approx((1 + 2 / 3 + 1) / 3)
    assert (found["questions"], found["answers"], found["missing"]) == (4, 17, 6)
    assert (found["questions_undefined"], found["questions_incomplete"]) == (1, 3)
    assert found["strict_order_share"] == 1
    assert (found["ok"], found["unparsed"]) == (11, 6)


def test_levels_are_those_of_the_dataset() -> None:
    """A metric that never scored the last level has no complete question, whatever it scored."""
    found = table(ladders(PERFECT, metric="a") + ladders((4, 3, 2, 1), metric="b"))
    assert found["questions_incomplete"].to_list() == [0, 1]
    assert found["strict_order_share"].to_list() == [1, None]


def test_one_question_has_values_without_intervals() -> None:
    """Correlations are there, how far they would vary is not known."""
    found = one(table(ladders((4, 3, 2, 0, 1))))
    assert (found["kendall"], found["kendall_low"], found["pearson_high"]) == (pytest.approx(-0.8), None, None)
    assert found["pearson"] is not None


def test_replicates_are_averaged_before_all_else() -> None:
    """Two replicates of an answer are one score; a missing one leaves the other; statuses count every row."""
    rows = ladder("q", (4, 2)) + ladder("q", (0, None), replicate=1)
    found = one(table(rows))
    assert (found["answers"], found["missing"], found["reason"]) == (2, 0, "all scores are equal")
    assert (found["ok"], found["unparsed"]) == (3, 1)


def test_rounding_parts_no_tie_between_replicates() -> None:
    """Replicates .1 .2 .3 in any order, and .2 thrice, have one mean."""
    rows = [
        row for number, scores in enumerate(((0.1, 0.3, 0.2), (0.2, 0.1, 0.2), (0.3, 0.2, 0.2)))
        for row in ladder("q", scores, replicate=number)
    ]  # fmt: skip
    assert one(table(rows))["reason"] == "all scores are equal"


def test_costs_are_over_the_rows_that_report_them() -> None:
    """A row that does not say is not taken for free; controls cost apart."""
    rows = ladder("q", (1, 0), cost_usd=0.25, total_tokens=10)
    rows[1] |= {"cost_usd": None, "total_tokens": 20}
    rows += ladder("q", (), {"control.padded": 1}, cost_usd=9.0, total_tokens=900)
    found = one(table(rows))
    assert (found["mean_cost_usd"], found["mean_total_tokens"]) == (0.25, 15)
    silent = one(table(ladders(PERFECT)))
    assert (silent["mean_cost_usd"], silent["mean_total_tokens"]) == (None, None)


def test_models_behind_a_judge_are_named() -> None:
    """Several are joined; none is null."""
    rows = ladder("q", (1, 0), model="y") + ladder("p", (1, 0), model="x") + ladder("q", (1, 0), judge="k")
    assert table(rows)["models"].to_list() == ["x+y", None]
