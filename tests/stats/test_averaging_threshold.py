"""The threshold: the smallest error rate at which the mean catches up, where there is one."""

from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq

from judgeray.stats import averaging_threshold as module
from judgeray.stats.averaging_moments import Floats, Lengths, lengths_of, unbiased_correlations
from judgeray.stats.averaging_threshold import error_threshold

SPREAD = Lengths(np.arange(2.0, 11.0), np.exp(-((np.arange(2, 11) - 3.5) ** 2) / 2))
"""Lengths about 3.5; shares are put right below."""
BELL = Lengths(SPREAD.sentences, SPREAD.shares / SPREAD.shares.sum())


def gaps(lengths: Lengths, p: float, rates: Floats) -> Floats:
    """Minimum's correlation minus the mean's."""
    with_min, with_mean = unbiased_correlations(lengths, p, rates)
    return with_min - with_mean


def found(lengths: Lengths, p: float) -> float:
    """The threshold, which must be there."""
    threshold = error_threshold(lengths, p).error_rate
    assert threshold is not None
    return threshold


@pytest.mark.parametrize("p", [1e-4, 0.1, 0.5, 0.8, 0.99, 1 - 1e-6])
def test_two_sentences_have_a_quadratic_threshold(p: float) -> None:
    """For M = 2 both correlations are equal where (1 + p - 2pe)^2 = 2r(1 + r): solved by hand."""
    q = 1 - 2 * p
    roots = np.roots([4 * p * p - 2 * q * q, -4 * p * (1 + p) - 2 * q * (1 + 2 * p), (1 - p * p) + 0.0])
    smallest = min(root.real for root in roots if abs(root.imag) < 1e-12 and 0 < root.real < 0.5)
    assert found(lengths_of([2]), p) == pytest.approx(smallest, abs=1e-9)


def test_its_limits_are_known() -> None:
    """As p goes to 0 two sentences have (sqrt 3 - 1) / 2; as p goes to 1, any one length has 1 - p."""
    assert found(lengths_of([2]), 1e-9) == pytest.approx((3**0.5 - 1) / 2, abs=1e-8)
    for m in (2, 3, 10, 30):
        assert found(lengths_of([m]), 1 - 1e-6) == pytest.approx(1e-6, rel=1e-4)


@settings(max_examples=60, deadline=None)
@given(m=st.integers(2, 30), p=st.floats(0.001, 0.999))
def test_one_length_always_has_one(m: int, p: float) -> None:
    """The minimum wins at every smaller error rate, and loses just above; both are equal at it."""
    lengths = lengths_of([m])
    threshold = found(lengths, p)
    assert 0 < threshold < 0.5
    assert (gaps(lengths, p, np.linspace(0, threshold * (1 - 1e-6), 500)) > 0).all()
    assert gaps(lengths, p, np.array([threshold + 1e-6]))[0] < 0
    before, after = (unbiased_correlations(lengths, p, threshold + step) for step in (-1e-9, 1e-9))
    assert before[0] > before[1]
    assert after[0] < after[1]


@settings(max_examples=60, deadline=None)
@given(lengths=st.lists(st.integers(2, 30), min_size=1, max_size=12), p=st.floats(0.02, 0.98))
def test_mixed_lengths_have_one_or_none(lengths: list[int], p: float) -> None:
    """Below the threshold, or below one half where there is none, the minimum wins everywhere."""
    known = lengths_of(lengths)
    threshold = error_threshold(known, p)
    rates = np.linspace(0, threshold.limit * (1 - 1e-6), 3_001)
    assert (gaps(known, p, rates) > 0).all()
    assert threshold.unconditional == (threshold.error_rate is None)
    assert threshold == error_threshold(lengths_of(lengths[::-1]), p)


def test_spread_lengths_can_do_without() -> None:
    """Half of the summaries of two sentences, half of ten: any judge better than guessing will do."""
    lengths = lengths_of([2, 10])
    assert error_threshold(lengths, 0.7).unconditional
    assert error_threshold(lengths, 0.7).limit == 0.5
    assert gaps(lengths, 0.7, np.array([0.499]))[0] > 0.1


def test_the_smallest_of_two_is_taken() -> None:
    """Where lengths vary a little, the mean wins between two error rates and the minimum again above."""
    rates = np.linspace(0, 0.4999, 100_000)
    signs = np.sign(gaps(BELL, 0.85, rates))
    changes = np.flatnonzero(np.diff(signs))
    assert len(changes) == 2
    assert found(BELL, 0.85) == pytest.approx(rates[changes[0]], abs=1e-5)


def test_a_dip_between_two_steps_of_the_scan_is_found() -> None:
    """p where the gap only just reaches 0, on an interval narrower than a step; a hair less, and it does not."""

    def lowest(p: float) -> float:
        return float(gaps(BELL, p, np.linspace(0.2, 0.4999, 20_001)).min())

    touching = brentq(lowest, 0.6, 0.8, xtol=1e-13)
    p = touching + 3e-10
    threshold = found(BELL, p)
    scanned = gaps(BELL, p, module._scanned_rates())
    assert (scanned > 0).all()
    assert gaps(BELL, p, np.array([threshold]))[0] == pytest.approx(0, abs=1e-12)
    assert error_threshold(BELL, touching - 1e-6).unconditional


def test_printed_thresholds_are_within_reach() -> None:
    """0.175 and 0.322 (study 3, section 5) belong to some share of faithful sentences; its own p is not printed."""
    for printed in (0.175, 0.322):
        share = brentq(lambda p, printed=printed: found(lengths_of([3]), p) - printed, 0.01, 0.99)
        assert 0.2 < share < 0.8


def test_real_summaries_of_cnn_dailymail_have_the_printed_size(data_folder: Path) -> None:
    """QAGS, CNN/DM: three of four sentences faithful by majority, lengths 3 and 4: 0.18, beside 0.175 in print."""
    lines = (data_folder / "qags" / "mturk_cnndm.jsonl").read_text("utf-8").splitlines()
    summaries = [json.loads(line)["summary_sentences"] for line in lines]
    votes = [[vote["response"] == "yes" for vote in s["responses"]] for summary in summaries for s in summary]
    p = sum(sum(vote) >= 2 for vote in votes) / len(votes)
    assert found(lengths_of([len(summary) for summary in summaries]), p) == pytest.approx(0.182, abs=5e-4)


@pytest.mark.parametrize("name", ["mediasum", "meetingbank"])
def test_real_summaries_can_need_no_threshold(name: str, data_folder: Path) -> None:
    """TofuEval's summaries of one to seven sentences: unconditional, as study 3 finds on two of its benchmarks."""
    with (data_folder / "tofueval" / f"{name}_factual_eval_dev.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    lengths = Counter((row["doc_id"], row["topic"], row["model_name"]) for row in rows)
    p = sum(row["sent_label"].strip().lower() == "yes" for row in rows) / len(rows)
    assert 0.75 < p < 0.85
    assert error_threshold(lengths_of([m for m in lengths.values() if m > 1]), p).unconditional
