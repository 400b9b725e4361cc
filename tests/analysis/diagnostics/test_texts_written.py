"""What generators wrote: counts by status, lengths, cost, and settings."""

from __future__ import annotations

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from judgeray.analysis.diagnostics.texts_written import CUT_OFF, texts_written
from judgeray.providers import anthropic_messages, google_generate, openai_chat
from tests.analysis.diagnostics.made_answers import text_rows
from tests.analysis.made_logs import one

SENT = {"model": "m", "parameters": '{"max_output_tokens": 256, "temperature": 0.7}'}


def test_counts_lengths_and_cost_by_hand() -> None:
    """Five answers of one generator, each with a status or finish of its own."""
    cut = {"finish_reason": "max_tokens", "served_model": "m-0"}
    nothing = {"text": None, "partial": None, "identical": None}
    texts = pl.concat(
        [
            text_rows(["opus"], 1, {"opus": 1}, output_tokens=10, cost_usd=0.5, served_model="m-1", **SENT),
            text_rows(["opus"], 1, {}, text="a  b\nc d", output_tokens=20, cost_usd=0.25, **cut, **SENT),
            text_rows(["opus"], 1, {}, **nothing, status="refused", cost_usd=0.25, served_model="m-1", **SENT),
            text_rows(["opus"], 1, {}, **nothing, status="unparsed", cost_usd=1.0, **SENT),
            text_rows(["opus"], 1, {}, **nothing, status="undelivered", **SENT),
        ]
    )  # fmt: skip
    row = one(texts_written(texts))
    assert (row["dataset"], row["generator"], row["model"], row["served_models"]) == (
        "asqa",
        "opus",
        "m",
        "m-0+m-1",
    )
    assert [row[name] for name in ("answers", "ok", "unparsed", "refused", "undelivered", "pending")] == [
        5,
        2,
        1,
        1,
        1,
        0,
    ]
    assert (row["truncated"], row["identical"]) == (1, 1)
    assert (row["mean_words"], row["mean_output_tokens"], row["cost_usd"]) == (3.5, 15.0, 2.0)
    assert row["parameters"] == SENT["parameters"]


def test_nothing_known_is_null_and_not_zero() -> None:
    """Answers still pending have no length, no cost, no served model."""
    texts = text_rows(["opus"], 3, {}, status="pending", text=None, partial=None, identical=None)
    row = one(texts_written(texts))
    names = ("served_models", "model", "parameters", "identical", "mean_words", "mean_output_tokens", "cost_usd")
    assert [row[name] for name in names] == [None] * 7
    assert (row["answers"], row["pending"], row["truncated"]) == (3, 3, 0)


def test_one_unknown_cost_leaves_the_sum_unknown() -> None:
    """A reply without a known price makes the total unknown; a call without a reply does not."""
    priced, unpriced = text_rows(["opus"], 1, {}, cost_usd=0.5), text_rows(["opus"], 1, {})
    lost = text_rows(["opus"], 1, {}, status="undelivered")
    assert one(texts_written(pl.concat([priced, unpriced])))["cost_usd"] is None
    assert one(texts_written(pl.concat([priced, lost])))["cost_usd"] == 0.5


@pytest.mark.parametrize("reason", ["max_tokens", "MAX_TOKENS", "length", "max_output_tokens"])
def test_a_text_that_the_cap_cut_is_truncated(reason: str) -> None:
    """Each API's word for a reply cut off at the cap counts, with status ok; an end of its own does not."""
    assert one(texts_written(text_rows(["g"], 2, {}, finish_reason=reason)))["truncated"] == 2
    for whole in ("end_turn", "stop", "STOP", "completed", None):
        assert one(texts_written(text_rows(["g"], 2, {}, finish_reason=whole)))["truncated"] == 0


def test_every_word_of_the_providers_for_a_cut_off_reply_is_known() -> None:
    """What the providers take for truncated, this table does."""
    for module in (anthropic_messages, google_generate, openai_chat):
        assert module.TRUNCATED <= CUT_OFF


def test_generators_stand_apart_and_rows_anywhere() -> None:
    """One row a dataset and generator, sorted; without texts there are none."""
    texts = text_rows(["opus", "gpt"], 3, {"gpt": 2}, cost_usd=0.1)
    table = texts_written(texts)
    assert table.select("generator", "identical").rows() == [("gpt", 2), ("opus", 0)]
    assert_frame_equal(texts_written(texts.reverse()), table)
    assert (texts_written(texts.clear()).height, texts_written(texts.clear()).schema) == (0, table.schema)
