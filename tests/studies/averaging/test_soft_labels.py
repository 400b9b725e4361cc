"""Soft labels on the whole way: from token log-probabilities to the tables, null where there are none."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from judgeray.core.call import Call
from judgeray.core.reply import Answer, Reply, TokenLogprob
from judgeray.studies.averaging.sentence_arm import SentenceArm
from tests.studies.averaging.scripted_summaries import (
    GPT,
    HAIKU,
    SIX,
    honest,
    manifest_of,
    scripted,
    shown_sentence,
    write_summaries,
)
from tests.studies.scripted_judges import Judge, reply_to

NO_SOFT = "Judge {} has no soft labels: its provider told no log-probabilities, or was not asked to."


def sure(call: Call, one: float = 0.9, zero: float = 0.2) -> Reply:
    """A reply whose tokens say how likely 1 was: `one` where the sentence is right, `zero` where it is not."""
    likely = one if "right" in shown_sentence(call) else zero
    digit, other = ("1", "0") if "right" in shown_sentence(call) else ("0", "1")
    chances = {"1": likely * 0.99, "0": (1 - likely) * 0.99}
    top = tuple((token, math.log(chance)) for token, chance in chances.items())
    tokens = (
        TokenLogprob('{"faithful":', -0.1), TokenLogprob(" ", 0.0),
        TokenLogprob(digit, math.log(chances[digit]), top),
        TokenLogprob("}", 0.0, ((other, -9.0),)),
    )  # fmt: skip
    return reply_to(call, f'{{"faithful": {digit}}}', token_logprobs=tokens)


def test_soft_labels_are_probabilities_of_one(tmp_path: Path) -> None:
    """p(1) / (p(0) + p(1)) at the place of the label, whatever else was likely there."""
    write_summaries(tmp_path, SIX)
    rows = scripted(tmp_path, manifest_of(), sure).records(SentenceArm)
    assert {(row["faithful"], round(row["soft"], 9)) for row in rows} == {(1, 0.9), (0, 0.2)}


def test_soft_scores_stand_beside_hard_ones(tmp_path: Path) -> None:
    """Minimum and mean of probabilities go into the same tables, under their own name."""
    write_summaries(tmp_path, SIX)
    made = scripted(tmp_path, manifest_of(), sure)
    hard, soft = (made.line("mean_against_min", score=score) for score in ("hard", "soft"))
    assert (hard["summaries"], soft["summaries"]) == (6, 6)
    assert soft["pearson_min"] == pytest.approx(hard["pearson_min"])
    assert NO_SOFT.format("gpt") not in (made.run / "report.md").read_text("utf-8")


def test_a_provider_without_log_probabilities_has_no_soft_labels(tmp_path: Path) -> None:
    """Hard labels count; soft ones are null, their tables say so, and the report names the judge."""
    write_summaries(tmp_path, SIX)
    judges: dict[str, Judge] = {"gpt-4.1": sure, "claude-haiku-4-5": honest}
    made = scripted(tmp_path, manifest_of(judges=f"{GPT}, {HAIKU}"), judges)
    silent = [row for row in made.records(SentenceArm) if row["judge"] == "haiku"]
    assert {row["soft"] for row in silent} == {None}
    assert {row["faithful"] for row in silent} == {0, 1}
    line = made.line("mean_against_min", judge="haiku", score="soft")
    assert (line["summaries"], line["pearson_min"], line["reason"]) == (0, None, "no whole is complete")
    assert made.line("mean_against_min", judge="haiku", score="hard")["summaries"] == 6
    report = (made.run / "report.md").read_text("utf-8")
    assert NO_SOFT.format("haiku") in report
    assert NO_SOFT.format("gpt") not in report


def test_one_sentence_without_a_soft_label_leaves_its_summary_out(tmp_path: Path) -> None:
    """A minimum over unknown probabilities is not known; hard labels are not touched by it."""
    write_summaries(tmp_path, SIX)

    def judge(call: Call) -> str | Answer:
        return honest(call) if "Point 0 of a:1" in call.user else sure(call)

    made = scripted(tmp_path, manifest_of(), judge)
    assert made.line("aggregation", score="soft", aggregator="min")["missing"] == 1
    assert made.line("aggregation", score="hard", aggregator="min")["missing"] == 0


def test_a_judge_may_write_what_it_finds_less_likely(tmp_path: Path) -> None:
    """The hard label is what stands there, the soft one what was likely."""
    write_summaries(tmp_path, SIX[:2])
    rows = scripted(tmp_path, manifest_of(), lambda call: sure(call, one=0.3)).records(SentenceArm)
    assert {(row["faithful"], round(row["soft"], 9)) for row in rows} == {(1, 0.3), (0, 0.2)}
