"""Laws of the ladder: six waves, each step on the ledger, and every lost question says where and why."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from judgeray.core.call import Call, Judge
from judgeray.core.errors import BadInputError
from judgeray.core.procedure import together
from judgeray.core.replay import Pending, Settled, Stuck, replay, replay_twice
from judgeray.core.reply import Answer, Failure
from judgeray.questions import Question
from judgeray.writers.perturbation.ladder import Ladder, LadderSettings, LadderWriters, ladder
from judgeray.writers.perturbation.paraphrase import PARAPHRASE
from judgeray.writers.perturbation.rank import RANK
from tests.writers.perturbation.made import PARSER, reply_of

A0 = "In 1928, engineers opened the iron bridge over the river Tyne. It carries trains, trams and 2 roads."
SPANS = ["1928", "the iron bridge", "the river Tyne", "trains", "trams", "2 roads"]
QUESTION = Question("nq", "7", "what crosses the tyne?", "The iron bridge of 1928 crosses the river Tyne.")
WRITERS = LadderWriters(
    paraphrase=Judge("p", "openai", "gpt-4.1"),
    rank=Judge("r", "anthropic", "claude-opus-4-6"),
    perturb=Judge("e", "google", "gemini-3.1-flash-lite-preview", {"temperature": 0.7}),
)
SETTINGS = LadderSettings(parser=PARSER)
RANKING = "5, 0, 4, 1, 2, 3"
_TO_CHANGE = re.compile(r"\[")
Script = Callable[[Call], str]


def written(call: Call) -> str:
    """What a diligent writer answers: each term to change turned into its opposite."""
    if call.system == PARAPHRASE.system:
        return A0
    if call.system == RANK.system:
        return f"<thinking>The roads.</thinking>\n<output>{RANKING}</output>"
    text = call.user.removeprefix("Text: ")
    return f"<output>{_TO_CHANGE.sub('[no ', text)}</output>"


def but(name: str, texts: Mapping[int, str]) -> Script:
    """Answer the draws of one step (`paraphrase`, `rank`, A1 to A4) with other texts, all else diligently."""

    def answer(call: Call) -> str:
        return texts[call.replicate] if step_of(call) == name and call.replicate in texts else written(call)

    return answer


def step_of(call: Call) -> str:
    """Which step a call belongs to; of the levels, which change one term each, the changed terms tell."""
    if call.system == PARAPHRASE.system:
        return "paraphrase"
    return "rank" if call.system == RANK.system else f"A{call.user.count('{{no ') + 1}"


def climbed(
    script: Script = written, question: Question = QUESTION, settings: LadderSettings = SETTINGS
) -> tuple[Ladder, list[tuple[Call, ...]]]:
    """Answer all that is wanted until the ladder settles; gives it and the waves that this took."""
    known: dict[str, Answer] = {}
    waves: list[tuple[Call, ...]] = []
    while True:
        state = replay_twice(lambda: ladder(question, WRITERS, settings), known, question.question_id)
        if isinstance(state, Settled):
            return state.value, waves
        assert isinstance(state, Pending)
        waves.append(state.wanted)
        known.update({call.key: replace(reply_of(script(call)), key=call.key) for call in state.wanted})


def texts(found: Ladder) -> list[str]:
    """The answers' texts."""
    return [answer.text for answer in found.answers]


def test_ladder_has_five_answers() -> None:
    """From A0 on, each level makes its group wrong on top of the level before and keeps the rest."""
    found, _ = climbed()
    assert (found.question_id, found.lost) == ("7", None)
    assert [span.text for span in found.spans] == SPANS
    assert all(A0[span.start : span.end] == span.text for span in found.spans)
    assert texts(found)[0] == A0
    for level in range(1, 5):
        wrong = {index for group in found.groups[:level] for index in group}
        expected = A0
        for index in wrong:
            expected = expected.replace(SPANS[index], f"no {SPANS[index]}")
        assert texts(found)[level] == expected
        assert found.answers[level].flags == ()


def test_plan_of_a_ladder() -> None:
    """The question's words protect a span, the ranking's last fifth is left out, the rest is dealt."""
    found, _ = climbed()
    assert found.protected == (2,)
    assert found.ranking == (5, 0, 4, 1, 2, 3)
    assert sorted(found.groups) == [(0,), (1,), (4,), (5,)]


def test_each_step_is_one_wave() -> None:
    """Six calls after each other make a ladder: paraphrase, ranking, one edit a level, each of its own model."""
    _, waves = climbed()
    assert [[(call.provider, call.replicate) for call in wave] for wave in waves] == [
        [("openai", 0)],
        [("anthropic", 0)],
        *[[("google", 0)]] * 4,
    ]
    assert waves[2][0].parameters == {"temperature": 0.7}


def test_many_ladders_share_their_waves() -> None:
    """Side by side, all questions' calls of one step are wanted at once, so that a batch API serves six batches."""
    questions = [replace(QUESTION, question_id=str(n), reference=f"Bridge {n}.") for n in range(5)]
    known: dict[str, Answer] = {}
    sizes = []
    while True:
        state = replay(together(*(ladder(question, WRITERS, SETTINGS) for question in questions)), known)
        if isinstance(state, Settled):
            break
        assert isinstance(state, Pending)
        sizes.append(len(state.wanted))
        known.update({call.key: replace(reply_of(written(call)), key=call.key) for call in state.wanted})
    assert len(sizes) == 6
    assert sizes[0] == 5
    assert {found.question_id for found in state.value} == {"0", "1", "2", "3", "4"}


def test_prompts_show_marks_of_their_step() -> None:
    """The ranking sees every term with its number; an edit sees its group in brackets and all else in braces."""
    found, waves = climbed()
    assert waves[1][0].user.startswith("Text: In [1928:0], engineers opened [the iron bridge:1] over ")
    first, last = waves[2][0].user, waves[5][0].user
    for index, term in enumerate(SPANS):
        assert (f"[{term}]" in first) == (index in found.groups[0])
        assert (f"{{{{{term}}}}}" in first) == (index not in found.groups[0])
    assert last.count("{{") == 5
    assert last.count("{{no ") == 3


def test_seed_and_id_order_the_levels() -> None:
    """Another question id or seed deals the same groups in another order, the same one in the same."""
    orders = {climbed(question=replace(QUESTION, question_id=str(n)))[0].groups for n in range(8)}
    assert len(orders) > 1
    assert len({frozenset(order) for order in orders}) == 1
    seeds = {climbed(settings=replace(SETTINGS, seed=seed))[0].groups for seed in range(8)}
    assert len(seeds) > 1


def test_share_and_levels_are_settings() -> None:
    """A share of 1 keeps the last of the ranking, and fewer levels are fewer answers."""
    found, waves = climbed(settings=replace(SETTINGS, keep_share=1.0, levels=2))
    assert sorted(index for group in found.groups for index in group) == [0, 1, 3, 4, 5]
    assert (len(found.answers), len(waves), found.lost) == (3, 4, None)


@pytest.mark.parametrize("odd", [1, 2, 3])
@pytest.mark.parametrize("step", ["paraphrase", "rank", "A1", "A3"])
def test_odd_replies_of_any_step_are_drawn_afresh(step: str, odd: int) -> None:
    """Up to three odd replies cost a wave each, under replicates of their own, and change nothing else."""
    bad = " " if step == "paraphrase" else "<output>0, 0, 1</output>"
    found, waves = climbed(but(step, dict.fromkeys(range(odd), bad)))
    assert found == climbed()[0]
    assert len(waves) == 6 + odd
    drawn = [call.replicate for wave in waves for call in wave if step_of(call) == step]
    assert drawn == list(range(odd + 1))


@pytest.mark.parametrize(
    ("step", "text", "lost", "answers"),
    [
        ("paraphrase", "", "paraphrase: no text", 0),
        ("rank", "<output>0, 1</output>", "rank: the order does not hold each term once", 1),
        ("rank", RANKING, "rank: no <output>", 1),
        ("A1", "no tags", "perturb A1: no <output>", 1),
        ("A3", "<output>no marks</output>", "perturb A3: terms are missing or were added", 3),
        ("A4", "<output>[open</output>", "perturb A4: marks do not pair", 4),
    ],
)
def test_fourth_odd_reply_loses_the_question(step: str, text: str, lost: str, answers: int) -> None:
    """A step that never succeeds ends the ladder with step and reason; the levels reached are kept."""
    found, waves = climbed(but(step, dict.fromkeys(range(4), text)))
    assert found.lost == lost
    assert texts(found) == texts(climbed()[0])[:answers]
    assert [call.replicate for call in (wave[0] for wave in waves[-4:])] == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("a0", "question", "ranking", "lost", "calls"),
    [
        ("Maria left the room.", "who left?", "0", "spans: fewer than 4 spans left", 1),
        (A0, "trains and trams on the iron bridge in 1928?", "0", "filter: fewer than 4 spans left", 1),
        (A0, "trains in 1928?", "2, 3, 4, 0, 5, 1", "keep: fewer than 4 spans left", 2),
    ],
)
def test_too_few_spans_lose_the_question(a0: str, question: str, ranking: str, lost: str, calls: int) -> None:
    """A text with fewer spans than levels is given up as soon as that is known, before more is bought."""

    def script(call: Call) -> str:
        if call.system == RANK.system:
            return f"<output>{ranking}</output>"
        return a0 if call.system == PARAPHRASE.system else written(call)

    found, waves = climbed(script, replace(QUESTION, question=question))
    assert (found.lost, len(waves)) == (lost, calls)
    assert texts(found) == [a0]
    assert found.groups == ()


def test_text_without_marks_of_its_own() -> None:
    """Brackets of a paraphrase become round ones before anything is marked, and A0 is flagged."""
    a0 = A0.replace("the river Tyne", "[the river] {Tyne}")

    def script(call: Call) -> str:
        if call.system == RANK.system:
            return f"<output>{', '.join(map(str, range(call.user.count('['))))}</output>"
        return a0 if call.system == PARAPHRASE.system else written(call)

    found, _ = climbed(script)
    assert texts(found)[0] == A0.replace("the river Tyne", "(the river) (Tyne)")
    assert found.answers[0].flags == ("brackets_replaced",)
    assert found.lost is None


def test_changed_kept_term_is_flagged_and_carried_on() -> None:
    """A level in which a kept term changed is kept, flagged, and the next level is built on it."""

    def script(call: Call) -> str:
        return (
            written(call).replace("{{the river Tyne}}", "{{the river Wear}}")
            if step_of(call) == "A2"
            else written(call)
        )

    found, _ = climbed(script)
    assert [answer.flags for answer in found.answers] == [(), (), ("kept_term_changed",), (), ()]
    assert ["Wear" in text for text in texts(found)] == [False, False, True, True, True]


def test_level_that_changes_nothing_is_flagged() -> None:
    """A level equal to the one before is kept and flagged."""

    def script(call: Call) -> str:
        return f"<output>{call.user.removeprefix('Text: ')}</output>" if step_of(call) == "A4" else written(call)

    found, _ = climbed(script)
    assert [answer.flags for answer in found.answers] == [(), (), (), (), ("equals_previous", "term_unchanged")]
    assert texts(found)[4] == texts(found)[3]


def test_failed_call_leaves_the_ladder_undelivered() -> None:
    """A call that no provider answers is no odd reply: the ladder waits for the next run."""
    wanted = replay(ladder(QUESTION, WRITERS, SETTINGS), {})
    assert isinstance(wanted, Pending)
    (call,) = wanted.wanted
    failure = Failure(call.key, "openai", "overloaded", 3)
    assert replay(ladder(QUESTION, WRITERS, SETTINGS), {call.key: failure}) == Stuck(failure, ())


def test_missing_parser_stops_a_ladder_before_its_first_call() -> None:
    """Nothing is bought for a text that could not be parsed."""
    with pytest.raises(BadInputError, match="no_such_model"):
        replay(ladder(QUESTION, WRITERS, replace(SETTINGS, parser="no_such_model")), {})


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"keep_share": 0.0}, r"keep_share: found 0\.0, allowed: above 0 and at most 1"),
        ({"keep_share": 1.5}, r"keep_share: found 1\.5"),
        ({"levels": 0}, "levels: found 0, allowed: 1 or more"),
    ],
)
def test_settings_out_of_range_are_refused(settings: dict[str, Any], message: str) -> None:
    """A share that keeps nothing and a ladder without levels are bad input."""
    with pytest.raises(BadInputError, match=message):
        replace(SETTINGS, **settings)


def test_every_reply_of_a_ladder_is_kept() -> None:
    """The replies used, thinking and odd ones included, are those of all calls asked, in their order."""
    script = but("rank", {0: "<output>0</output>"})
    _, waves = climbed(script)
    calls: Sequence[Call] = [call for wave in waves for call in wave]
    known: dict[str, Answer] = {call.key: replace(reply_of(script(call)), key=call.key) for call in calls}
    state = replay(ladder(QUESTION, WRITERS, SETTINGS), known)
    assert [reply.key for reply in state.replies] == [call.key for call in calls]
    assert len(calls) == 7
