"""The emulator writes answers that mean nothing, and its judges know them again."""

from __future__ import annotations

from collections.abc import Callable
from statistics import mean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

from judgeray.conditions.condition import Setting
from judgeray.conditions.registry import CONDITIONS
from judgeray.core.call import Judge
from judgeray.core.reply import Reply, Usage
from judgeray.designs.registry import DESIGNS
from judgeray.emulator.answer_words import is_simulated_answer
from judgeray.emulator.behaviour import Behaviour
from judgeray.emulator.families import reply_text
from judgeray.emulator.pieces import sentences
from judgeray.emulator.prompt import Prompt, complete
from judgeray.rows import Row
from judgeray.writers.answer import ANSWER, generated_candidate, is_whole, nominal_partial

QUESTIONS = [f"When was hall {i} of the place opened?" for i in range(400)]
REFERENCE = "The hall was opened in 1901. Its western wing followed in 1903, and the eastern one in 1907."


def written(
    question: str, model: str = "claude-opus-4-6", behaviour: Behaviour | None = None, cap: int | None = None
) -> str:
    """The emulator's answer to a question, as far as the cap lets it."""
    call = ANSWER.call(question, Judge("w", "anthropic", model))
    prompt = Prompt("anthropic", model, call.system or "", call.user, output_cap=cap)
    return complete(prompt, "n", reply_text(prompt, behaviour or Behaviour())).text


def verdict(question: str, candidate: str, design: str) -> str | None:
    """What a design reads from GPT-4.1's emulated verdict on a candidate."""
    chosen = DESIGNS[design]
    row = Row("asqa", question, "r", "v", "supported", question, REFERENCE, candidate)
    text = reply_text(Prompt("openai", "gpt-4.1", chosen.system, chosen.user(row)), Behaviour())
    return chosen.read(Reply("0" * 64, "openai", "gpt-4.1", "complete", text, Usage())).verdict


def test_answers_have_one_to_six_sentences() -> None:
    """A quarter of answers has one sentence, and no answer more than six."""
    lengths = [len(sentences(written(question))) for question in QUESTIONS]
    assert set(lengths) == {1, 2, 3, 4, 5, 6}
    assert binomtest(lengths.count(1), len(lengths), 0.25).pvalue > 1e-4


def test_answers_hold_no_sentence_twice() -> None:
    """An answer is as long as it is because it says so many things."""
    for question in QUESTIONS:
        said = sentences(written(question))
        assert len(set(said)) == len(said)


def test_answers_depend_on_model_and_question() -> None:
    """Another question, model or seed of the behaviour gives another answer, the same one gives the same."""
    answers = [
        written(QUESTIONS[0]),
        written(QUESTIONS[1]),
        written(QUESTIONS[0], "claude-sonnet-4-6"),
        written(QUESTIONS[0], behaviour=Behaviour(seed=1)),
    ]
    assert len(set(answers)) == 4
    assert answers[0] == written(QUESTIONS[0])


def test_answers_obey_their_cap() -> None:
    """An answer that is cut at its cap is still an answer."""
    for question in QUESTIONS[:50]:
        text = written(question, cap=20)
        assert len(text) <= 80
        assert written(question).startswith(text)
        assert generated_candidate(Reply("0" * 64, "anthropic", "m", "truncated", text, Usage())).text


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="ab .?!:;\n'\u2019\u6a4b\ud800", max_size=120) | st.text())
def test_a_part_is_whole_where_there_is_one_sentence(question: str) -> None:
    """Whatever the question holds, the nominal part is the whole exactly for answers of one sentence."""
    text = written(question)
    assert text == generated_candidate(Reply("0" * 64, "anthropic", "m", "complete", text, Usage())).text
    assert text.count(". ") + 1 == len(sentences(text))
    assert is_whole(text, nominal_partial(text)) == (len(sentences(text)) == 1)


@pytest.mark.parametrize("name", ["full", "distractor", "padding", "markdown", "upper_case", "whitespace"])
def test_answers_are_known_again(name: str) -> None:
    """An answer, whole or cut, is known as the emulator's, also where a condition changed it."""
    change = CONDITIONS[name].bind(Setting())
    for question in QUESTIONS[:50]:
        for text in (written(question), nominal_partial(written(question))):
            row = Row("asqa", question, "r", "v", "supported", question, REFERENCE, text)
            assert is_simulated_answer(change(row).candidate)


def test_other_texts_are_not_known(rows: dict[str, list[Row]]) -> None:
    """No constructed candidate passes for an answer of the emulator's."""
    assert not any(is_simulated_answer(row.candidate) for name in rows for row in rows[name])
    assert not is_simulated_answer("")


@pytest.mark.parametrize(
    ("design", "full", "partial"),
    [("C", 0.49, 0.40), ("H", 0.56, 0.54), ("R", 0.26, 0.76), ("C.v2", 0.49, 0.40), ("H.v3", 0.56, 0.54)],
)
def test_verdicts_on_answers_are_the_papers(design: str, full: float, partial: float) -> None:
    """Whole answers are supported, and nominal parts partially supported, about as often as in Table 11."""
    texts = [(question, written(question)) for question in QUESTIONS]
    supported = [verdict(question, text, design) == "supported" for question, text in texts]
    cut = [verdict(question, nominal_partial(text), design) == "partially_supported" for question, text in texts]
    assert abs(mean(supported) - full) < 0.08
    assert abs(mean(cut) - partial) < 0.08


def test_verdicts_on_the_same_words_mostly_agree() -> None:
    """Where the part is the whole and a period, a judge says the same of both but for its noise."""
    texts = [
        (question, text) for question in QUESTIONS if is_whole(text := written(question), nominal_partial(text))
    ]
    same = [verdict(q, text, "H") == verdict(q, nominal_partial(text), "H") for q, text in texts]
    assert len(same) > 50
    assert mean(same) > 0.75


@pytest.mark.parametrize(
    ("system", "user"),
    [(ANSWER.system, "When?"), (ANSWER.system, "Question: When?"), ("Answer.", "Question: When?\nAnswer:")],
)
def test_other_prompts_get_no_answer(system: str, user: str) -> None:
    """A prompt that is not the writer's gets the short text that any unknown prompt gets."""
    assert reply_text(Prompt("openai", "m", system, user), Behaviour()).startswith("This is a simulated reply")


def test_no_family_takes_anothers_prompts(prompt_of: Callable[..., Prompt], rows: dict[str, list[Row]]) -> None:
    """A judge's prompt about an emulated answer gets a verdict, not an answer."""
    row = Row("d", "q", "r", "v", "supported", QUESTIONS[0], REFERENCE, written(QUESTIONS[0]))
    assert '"verdict": ' in reply_text(prompt_of(row), Behaviour())
