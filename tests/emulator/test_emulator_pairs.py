"""The emulator compares two answers: the better one wins as often as stated, and order matters a little."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

from judgeray.core.reply import Reply, Usage
from judgeray.designs.pair_reading import PairJudgment
from judgeray.designs.registry import DESIGNS, PAIRWISE
from judgeray.emulator.behaviour import Behaviour, Formats
from judgeray.emulator.families import reply_text
from judgeray.emulator.pair_prompt import read_pair_prompt
from judgeray.emulator.prompt import Prompt, complete
from judgeray.pairs import Pair
from judgeray.rows import Row

P = PAIRWISE["P"]
WHOLE = Formats(whole=1, fenced=0, embedded=0, broken=0)
FAIR = Behaviour(first_position=0)
LESSER = ["unsupported", "partially_supported", "partially_supported_list"]
NO_MARKS = st.text(alphabet="ab:\n, ?.", max_size=40)
ANY_TEXT = st.text(st.characters(exclude_categories=()))


def pairs(rows: dict[str, list[Row]], lesser: str) -> list[Pair]:
    """Four hundred pairs of a reference's copy and a lesser candidate."""
    return [
        Pair("d", row.question_id, f"d:{row.question_id}", "full", lesser, row.question, row.reference, *texts)
        for row in rows[lesser]
        for texts in [(row.reference, row.candidate)]
    ]


def prompt_about(pair: Pair, model: str = "gpt-4.1", **fields: Any) -> Prompt:
    """P's prompt about a pair."""
    return Prompt("openai", model, P.system, P.user(pair), **fields)


def judged(pair: Pair, behaviour: Behaviour, model: str = "gpt-4.1") -> PairJudgment:
    """What P reads from the emulator's reply about a pair."""
    text = reply_text(prompt_about(pair, model), behaviour)
    return P.read(pair, Reply("0" * 64, "openai", model, "complete", text, Usage()))


@pytest.mark.parametrize("lesser", LESSER)
@pytest.mark.parametrize("is_reversed", [False, True])
def test_the_better_answer_wins_as_often_as_stated(
    rows: dict[str, list[Row]], lesser: str, is_reversed: bool
) -> None:
    """Over 400 pairs the first candidate wins as often as `pair_accuracy` gives, in either order."""
    shown = [replace(pair, reversed=is_reversed) for pair in pairs(rows, lesser)]
    for share in (0.97, 0.6):
        behaviour = Behaviour(first_position=0, pair_accuracy=share)
        won = sum(judged(pair, behaviour).winner == "first" for pair in shown)
        assert binomtest(won, len(shown), share).pvalue > 1e-4


def test_every_reply_is_read(rows: dict[str, list[Row]]) -> None:
    """In all its shapes a reply states a winner, and with whole JSON both scores, higher for the winner."""
    for pair in pairs(rows, "partially_supported"):
        assert judged(pair, Behaviour()).status == "ok"
        judgment = judged(pair, Behaviour(formats=WHOLE))
        assert judgment.score_first is not None
        assert judgment.score_second is not None
        assert judgment.confidence is not None
        difference = judgment.score_first - judgment.score_second
        assert {"first": difference > 0, "second": difference < 0, "tie": difference == 0}[judgment.winner or ""]


@pytest.mark.parametrize("name", sorted(PAIRWISE))
def test_pairwise_replies_have_exactly_the_keys_asked_for(rows: dict[str, list[Row]], name: str) -> None:
    """A whole reply holds the block's keys in the block's order, and nothing else."""
    design = PAIRWISE[name]
    asked = re.findall(r"^- (\w+): ", design.block, re.MULTILINE)
    for pair in pairs(rows, "unsupported")[:20]:
        prompt = Prompt("gemini", "m", design.system, design.user(pair))
        assert list(json.loads(reply_text(prompt, Behaviour(formats=WHOLE)))) == asked


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Hall 1 was opened in 1901.", "Hall 1 was opened in 1901."),
        ("Hall 1 was opened in 1901.", "hall 1  was opened in 1901."),
        ("It was never built.", "Nobody has heard of it."),
        ("When was it opened? 1901", "What followed? A wing"),
    ],
)
def test_answers_of_one_class_are_a_tie(first: str, second: str) -> None:
    """The same text twice, or two answers that stand alike to the reference, are a tie in either order."""
    pair = Pair("d", "q", "p", "full", "other", "What of it?", "Hall 1 was opened in 1901.", first, second)
    for shown in (pair, replace(pair, reversed=True)):
        assert {judged(shown, FAIR, model).winner for model in "abcdefgh"} == {"tie"}


def test_a_share_of_prompts_goes_to_the_first_position(rows: dict[str, list[Row]]) -> None:
    """On `first_position` of prompts Answer A wins, be it the better one, the worse one or the same."""
    listed = pairs(rows, "unsupported")
    for pair in (listed[0], replace(listed[0], reversed=True), replace(listed[0], second=listed[0].first)):
        assert judged(pair, Behaviour(first_position=1)).position == "A"
    same = [replace(pair, second=pair.first) for pair in listed]
    won = sum(judged(pair, Behaviour(first_position=0.1)).position == "A" for pair in same)
    assert binomtest(won, len(same), 0.1).pvalue > 1e-4


@pytest.mark.parametrize("model", ["claude-opus-4-6", "gpt-4.1"])
def test_reversing_the_order_changes_few_winners(rows: dict[str, list[Row]], model: str) -> None:
    """By default the order changes some winners, and not more than 6 % of them (study 1, section 5: 4 %)."""
    shown = [pair for lesser in LESSER for pair in pairs(rows, lesser)]
    changed = sum(
        judged(pair, Behaviour(), model).winner != judged(replace(pair, reversed=True), Behaviour(), model).winner
        for pair in shown
    )
    assert 0 < changed <= 0.06 * len(shown)


def test_the_same_pair_gets_the_same_reply(rows: dict[str, list[Row]]) -> None:
    """Replies repeat for the same prompt; a seed in the request or the behaviour changes some of them."""
    prompts = [prompt_about(pair) for pair in pairs(rows, "unsupported")[:60]]
    once = [reply_text(prompt, Behaviour()) for prompt in prompts]
    assert once == [reply_text(prompt, Behaviour()) for prompt in prompts]
    assert once != [reply_text(prompt, Behaviour(seed=1)) for prompt in prompts]
    seeded = [prompt_about(pair, seed=5) for pair in pairs(rows, "unsupported")[:60]]
    assert once != [reply_text(prompt, Behaviour()) for prompt in seeded]


def test_pairwise_replies_obey_request_and_cap(rows: dict[str, list[Row]]) -> None:
    """A request that demands JSON gets JSON alone, and a cap cuts the reply."""
    (pair, *_) = pairs(rows, "unsupported")
    broken = Behaviour(formats=Formats(whole=0, fenced=0, embedded=0, broken=1))
    assert json.loads(reply_text(prompt_about(pair, json_only=True), broken))
    capped = prompt_about(pair, output_cap=10)
    done = complete(capped, "n", reply_text(capped, Behaviour()))
    assert (done.truncated, done.output_tokens) == (True, 10)


@settings(max_examples=150, deadline=None)
@given(NO_MARKS, NO_MARKS, NO_MARKS, NO_MARKS)
def test_pairwise_prompts_are_read_back(question: str, reference: str, first: str, second: str) -> None:
    """The texts are read from the rendered prompt as they were put in, over any number of lines."""
    pair = Pair("d", "q", "p", "full", "partial", question, reference, first, second)
    assert read_pair_prompt(P.system, P.user(pair)) == (P.block, question, reference, first, second)


@settings(max_examples=100, deadline=None)
@given(ANY_TEXT, ANY_TEXT, ANY_TEXT, ANY_TEXT)
def test_any_pair_gets_a_winner(question: str, reference: str, first: str, second: str) -> None:
    """Whatever the texts hold, also NUL and lone surrogates, the reply states a winner."""
    pair = Pair("d", "q", "p", "full", "partial", question, reference, first, second)
    assert judged(pair, Behaviour(formats=WHOLE)).status == "ok"


@pytest.mark.parametrize(
    ("system", "user"),
    [
        (P.system, ""),
        (P.system, P.block),
        (P.system, f"Question: q\nReference answer: r\nAnswer A: a\n\n{P.block}"),
        (DESIGNS["H"].system, f"Question: q\nReference answer: r\nAnswer A: a\nAnswer B: b\n\n{P.block}"),
    ],
)
def test_other_prompts_are_no_pairs(system: str, user: str) -> None:
    """A prompt without P's system text, or without its four texts, is none of this family."""
    assert read_pair_prompt(system, user) is None


def test_single_candidates_are_no_pairs(prompt_of: Callable[..., Prompt], rows: dict[str, list[Row]]) -> None:
    """A pointwise prompt still gets a verdict."""
    text = reply_text(prompt_of(rows["supported"][0], "H"), Behaviour(formats=WHOLE))
    assert "verdict" in json.loads(text)
