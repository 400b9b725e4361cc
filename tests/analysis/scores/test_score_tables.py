"""Level means, steps, controls, contrasts of metrics and sizes of models, by hand."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import polars as pl
import pytest

from judgeray.analysis.scores.controls import controls
from judgeray.analysis.scores.level_means import level_means
from judgeray.analysis.scores.metric_contrasts import metric_contrasts
from judgeray.analysis.scores.sheets import Sheet, sheets_of
from judgeray.analysis.scores.size_quality import size_billions, size_quality
from judgeray.analysis.scores.steps import steps
from judgeray.analysis.scores.tracking import tracking
from judgeray.stats.bootstrap import clustered_means
from judgeray.stats.sign_test import sign_test_p
from tests.analysis.scores.made_scores import Rows, ladder, ladders, make_log, one

PADDED = "control.padded"


def laid(rows: Rows) -> list[Sheet]:
    """Lay out a made log."""
    return sheets_of(make_log(rows))


def test_levels_by_hand() -> None:
    """Means over the questions that have the level, and their share of the mean of A0."""
    table = level_means(laid(ladders((1.0, 0.5), (0.6, None), (0.8, 0.3))))
    assert table.select("level", "questions", "missing").rows() == [(0, 3, 0), (1, 2, 1)]
    assert table["mean"].to_list() == pytest.approx([0.8, 0.4])
    assert table["share_of_first"].to_list() == pytest.approx([1.0, 0.5])
    (estimate,) = clustered_means([1.0, 0.6, 0.8], [1, 1, 1], "score")
    assert table.select("mean_low", "mean_high").row(0) == (estimate.low, estimate.high)


def test_a_share_of_nothing_is_not_known() -> None:
    """Where A0 scores nothing or is not there, no share is told; a level without scores has none either."""
    rows = ladders((0.0, 0.5), metric="zero") + ladders((None, 0.5), metric="gap") + ladders((1.0, None))
    table = level_means(laid(rows))
    assert table["share_of_first"].to_list() == [None, None, 1.0, None, None, None]


def test_steps_by_hand() -> None:
    """Of four questions with both levels two fall, one rises, one stays; the fifth lacks a side."""
    found = one(steps(laid(ladders((4, 1), (4, 3), (4, 5), (4, 4), (4, None)))))
    assert (found["from_level"], found["to_level"], found["questions"], found["missing"]) == (0, 1, 4, 1)
    assert found["change"] == pytest.approx((-3 - 1 + 1) / 4)
    assert (found["fell"], found["rose"], found["tied"]) == (2, 1, 1)
    assert (found["fell_share"], found["rose_share"], found["tied_share"]) == (0.5, 0.25, 0.25)
    assert found["p_sign"] == found["p_holm"] == 1.0


def test_steps_are_adjusted_over_the_table() -> None:
    """Eight questions that fall at each of two steps: p is 1/128 a step, and twice that after Holm."""
    table = steps(laid(ladders(*[(3, 2, 1)] * 8)))
    assert table["p_sign"].to_list() == [1 / 128] * 2
    assert table["p_holm"].to_list() == pytest.approx([2 / 128] * 2)
    assert table.select("change", "change_low", "change_high").rows() == [(-1, -1, -1)] * 2


def test_a_step_that_nobody_scored_is_shown_with_nothing_known() -> None:
    """No question, no change, no test, and no place in the family of tests."""
    table = steps(laid(ladders((3, 2, None), (3, 2, None))))
    unknown = one(table, from_level=1)
    assert (unknown["questions"], unknown["missing"]) == (0, 2)
    assert all(unknown[name] is None for name in ("change", "fell_share", "p_sign", "p_holm"))
    assert one(table, from_level=0)["p_holm"] == 0.5


def test_controls_by_hand() -> None:
    """A0 to A1 falls by 2 on the mean; a control moves questions by 0, 1, -3: two of three by less."""
    rows = ladder("a", (5, 3), {PADDED: 5}) + ladder("b", (5, 2), {PADDED: 6}) + ladder("c", (5, 4), {PADDED: 2})
    found = one(controls(laid(rows)))
    assert (found["control"], found["questions"], found["missing"]) == (PADDED, 3, 0)
    assert found["change"] == pytest.approx(-2 / 3)
    assert (found["fell"], found["rose"], found["tied"], found["first_fall"]) == (1, 1, 1, 2)
    assert found["still_share"] == pytest.approx(2 / 3)
    assert found["p_sign"] == 1.0


def test_a_metric_that_sees_nothing_is_still_by_no_measure() -> None:
    """Where scores do not fall from A0 to A1, no share of stillness is told, however still they are."""
    rows = ladder("a", (5, 5), {PADDED: 5}) + ladder("b", (5, 6), {PADDED: 5})
    found = one(controls(laid(rows)))
    assert (found["change"], found["first_fall"], found["still_share"]) == (0, -0.5, None)
    alone = one(controls(laid(ladder("a", (5,), {PADDED: 5}))))
    assert (alone["first_fall"], alone["still_share"], alone["tied"]) == (None, None, 1)


def test_controls_take_no_part_in_levels() -> None:
    """Tracking, steps and level means are the same with and without controls."""
    bare = ladder("a", (5, 3, 1)) + ladder("b", (4, 4, 2))
    rows = bare + ladder("a", (), {PADDED: 9, "control.restyled": 0})
    for table in (tracking, level_means, steps, metric_contrasts):
        assert table(laid(rows)).equals(table(laid(bare)))
    assert controls(laid(rows))["missing"].to_list() == [1, 1]


def contrast(a: list[tuple[Any, ...]], b: list[tuple[Any, ...]]) -> dict[str, Any]:
    """Compute the contrast of two metrics."""
    return one(metric_contrasts(laid(ladders(*a, metric="a") + ladders(*b, metric="b"))))


def test_contrasts_by_hand() -> None:
    """Tau -1 and -1 against -1/3 and -1: a tracks more closely by 1/3, and wins one question."""
    found = contrast([(3, 2, 1), (3, 2, 1)], [(2, 3, 1), (9, 8, 7)])
    assert (found["metric_a"], found["metric_b"], found["questions"], found["answers"]) == ("a", "b", 2, 6)
    assert found["delta_kendall"] == pytest.approx(1 / 3)
    assert (found["wins_a"], found["wins_b"], found["ties"], found["p_sign"]) == (1, 0, 1, 1.0)
    (interval,) = clustered_means([2 / 3, 0], [1, 1], "tau-b")
    assert (found["delta_kendall_low"], found["delta_kendall_high"]) == pytest.approx((interval.low, interval.high))


def test_only_common_answers_are_compared() -> None:
    """What one side lacks counts for neither: each is judged on the levels that both scored."""
    found = contrast([(3, 2, 1), (5, 4, None), (1, None, None)], [(3, None, 4), (5, 4, 3), (3, 2, 1)])
    assert (found["questions"], found["answers"]) == (2, 4)
    assert found["delta_kendall"] == pytest.approx((2 + 0) / 2)
    assert (found["wins_a"], found["wins_b"], found["ties"]) == (1, 0, 1)


def test_pearson_differs_by_the_difference_of_the_tables() -> None:
    """On the same answers, the delta is that of table `tracking`, as minus the correlation."""
    rng = np.random.default_rng(4)
    sheets = laid([
        row for name, noise in (("a", 0.5), ("b", 2.0)) for question in range(30)
        for row in ladder(f"q{question}", (-np.arange(5) + noise * rng.normal(size=5)).tolist(), metric=name)
    ])  # fmt: skip
    found, (a, b) = one(metric_contrasts(sheets)), tracking(sheets)["pearson"]
    assert found["delta_pearson"] == pytest.approx(b - a)
    assert 0 < found["delta_pearson_low"] < found["delta_pearson"] < found["delta_pearson_high"]


def test_to_score_all_levels_the_same_loses_the_question() -> None:
    """A constant question drops out of the delta of tau, is counted, and is lost in the test all the same."""
    found = contrast([(3, 2, 1)] * 6, [(3, 2, 1)] + [(2, 2, 2)] * 5)
    assert (found["delta_kendall"], found["undefined_a"], found["undefined_b"]) == (0, 0, 5)
    assert (found["wins_a"], found["wins_b"], found["ties"]) == (5, 0, 1)
    assert found["p_sign"] == sign_test_p(5, 0)


def test_a_metric_beats_its_inverse_by_two() -> None:
    """-1 against +1, on every question; and the adjusted p grows with the family."""
    rows = ladders(*[(3, 2, 1)] * 7, metric="a") + ladders(*[(1, 2, 3)] * 7, metric="b")
    rows += ladders(*[(1, 2, 3)] * 7, metric="c")
    table = metric_contrasts(laid(rows))
    first = one(table, metric_b="b")
    assert (first["delta_kendall"], first["delta_pearson"]) == (2, pytest.approx(2))
    assert (first["delta_kendall_low"], first["wins_a"], first["p_sign"]) == (2, 7, 2 / 128)
    assert table["p_holm"].to_list() == pytest.approx([6 / 128, 6 / 128, 1])


def test_metrics_are_compared_within_a_dataset() -> None:
    """Judges of a metric are compared as metrics are; other datasets are other ground."""
    rows = ladders((2, 1), judge="j") + ladders((2, 1), judge="k") + ladders((2, 1), dataset="e")
    table = metric_contrasts(laid(rows))
    assert table.select("dataset", "judge_a", "judge_b").rows() == [("d", "j", "k")]


def test_ids_that_differ_by_a_nul_are_two_questions() -> None:
    """Ids are joined as they are, whatever characters they end in."""
    rows = [row for judge in "jk" for question in ("q", "q\x00") for row in ladder(question, (2, 1), judge=judge)]
    assert one(metric_contrasts(laid(rows)))["questions"] == 2
    apart = ladder("q", (2, 1)) + ladder("q\x00", (2, 1), judge="k")
    assert one(metric_contrasts(laid(apart)))["questions"] == 0


def test_metrics_without_a_common_answer_are_shown_with_nothing_known() -> None:
    """0 questions, null deltas, and no test."""
    found = one(metric_contrasts(laid(ladder("p", (2, 1)) + ladder("q", (2, 1), judge="k"))))
    assert (found["questions"], found["ties"]) == (0, 0)
    assert all(found[name] is None for name in ("delta_kendall", "delta_pearson", "p_sign", "p_holm"))


@pytest.mark.parametrize(
    ("name", "size"),
    [
        ("gemma3: 4b", 4), ("llama3.3:70b", 70), ("mistral-small3.1:24b", 24), ("Qwen2.5-0.5B-Instruct", 0.5),
        ("Qwen3-30B-A3B", 30), ("llama_7b_chat", 7), ("llama-3.1-8b-instruct-q4_K_M", 8), ("gemma3:270m", 0.27),
        ("MiniCheck-770M", 0.77), ("meta/Llama-3.1-405B-FP8", 405), ("Qwen2.5-7B-Instruct-1M", 7),
        ("gpt-4o-mini", None), ("mixtral-8x7b", None), ("gemma-3n-E4B", None), ("phi-3-4bit", None),
        ("claude-opus-4-6", None), ("nli-deberta-v3-large", None), ("", None), ("llama-7b+llama-70b", None),
        ("b7b", None),
    ],
)  # fmt: skip
def test_sizes_are_read_off_names(name: str, size: float | None) -> None:
    """A number before a b, or a larger one before an m, that stands alone; nothing is guessed."""
    assert size_billions(name) == (None if size is None else pytest.approx(size))


def test_sizes_stand_beside_correlations() -> None:
    """The model tells the size, and where no model is told the judge's name does."""
    rows = ladders((2, 1), judge="small", model="gemma3:4b") + ladders((1, 2), judge="llama3.3:70b")
    rows += ladders((2, 1), judge="zeta-9b", model="gpt-4o-mini")
    table = size_quality(tracking(laid(rows)))
    assert table.select("judge", "size_billions", "kendall").rows() == [
        ("llama3.3:70b", 70, 1), ("small", 4, -1), ("zeta-9b", None, -1),
    ]  # fmt: skip


def test_scores_far_apart_in_size_lose_nothing() -> None:
    """Scores around a thousand million differ as those around zero do."""
    low, high = ([(base + 3, base + 1, base + 2)] * 3 for base in (0.0, 1e9))
    small, large = (one(tracking(laid(ladders(*rows)))) for rows in (low, high))
    assert large["kendall"] == small["kendall"]
    assert large["pearson"] == pytest.approx(small["pearson"], abs=1e-9)
    assert not math.isnan(large["pearson"])


def test_no_table_is_wider_than_its_log() -> None:
    """A log with controls alone has no level, no correlation and no step, and its controls stay unmeasured."""
    sheets = laid(ladder("q", (), {PADDED: 1.0}))
    assert one(tracking(sheets))["reason"] == "no score"
    assert steps(sheets).is_empty()
    assert level_means(sheets).is_empty()
    assert one(controls(sheets))["missing"] == 1
    assert isinstance(steps(sheets), pl.DataFrame)
