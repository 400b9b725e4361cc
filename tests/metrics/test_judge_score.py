"""Laws of the judge's grade: one call, a whole number from 0 to 10, never clipped and never guessed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgeray.core.call import Judge
from judgeray.core.errors import BadInputError
from judgeray.core.reply import Outcome, Reply, Usage
from judgeray.metrics.judge_score import USER, call, read, score
from judgeray.metrics.metric import Part, Score, Scored
from judgeray.metrics.settings import Settings
from tests.metrics.metric_script import ITEM, JUDGE, settle

any_text = st.text(alphabet=st.characters(codec=None, exclude_categories=()), max_size=40)


def graded(text: str | None, outcome: Outcome = "complete") -> Score:
    """What is read from a reply."""
    return read(Reply("0" * 64, "openai", "gpt-4.1", outcome, text, Usage()))


@pytest.mark.parametrize("grade", range(11))
def test_every_grade_is_read(grade: int) -> None:
    """All whole numbers from 0 to 10, in an object, in a fence, broken off behind it, and in prose."""
    for text, branch in [
        (f'{{"score": {grade}, "rationale": "so"}}', "whole"),
        (f'```json\n{{"score": "{grade}"}}\n```', "embedded"),
        (f'{{"score": {grade}, "rationale": "becau', "regex"),
        (f"**Score:** {grade}", "regex"),
    ]:
        assert graded(text) == Score("ok", float(grade), {"parse_branch": branch}, (Part("score", "ok"),))


@pytest.mark.parametrize(
    "text",
    [
        '{"score": 11}',
        '{"score": -1}',
        '{"score": 7.5}',
        '{"score": 70}',
        '{"score": null}',
        '{"score": true}',
        '{"score": "high"}',
        '{"score": [3, 4]}',
        '{"score": 3, "score": 4}',
        '{"score": integer 0-10}',
        '{"grade": 7}',
        '{"score": 1',
        "Score: 7/10",
        "Score: 7.5",
        "Score: 70%",
        "I would say seven.",
        "7",
        "",
        None,
    ],
)
def test_what_states_no_grade_is_unparsed(text: str | None) -> None:
    """Numbers out of range, with a fraction or a scale of their own, two numbers and none are no grade."""
    assert graded(text) == Score("unparsed", None, {}, (Part("score", "unparsed"),))


@pytest.mark.parametrize(
    ("text", "outcome", "status", "value"),
    [
        ('{"score": 7}', "refused", "refused", None),
        (None, "refused", "refused", None),
        ('{"score": 7, "ration', "truncated", "ok", 7.0),
        ('{"sco', "truncated", "truncated", None),
        (None, "empty", "unparsed", None),
    ],
)
def test_status_says_why_there_is_no_grade(
    text: str | None, outcome: Outcome, status: str, value: float | None
) -> None:
    """A refusal is never read; a cut reply that states its grade is."""
    assert (graded(text, outcome).status, graded(text, outcome).value) == (status, value)


def test_one_call_and_no_further_draw() -> None:
    """A grade is asked for once, whatever comes back; replicates have calls of their own."""
    found, waves = settle(lambda: score(ITEM, JUDGE, Settings()), lambda call: "no grade")
    assert (found.status, [len(wave) for wave in waves]) == ("unparsed", [1])
    assert call(ITEM, JUDGE).key == waves[0][0].key
    assert call(ITEM, JUDGE, 1).key != waves[0][0].key


@given(any_text, any_text, any_text)
def test_texts_stand_in_the_grading_prompt_as_they_are(question: str, reference: str, answer: str) -> None:
    """Any text is data: braces and the prompt's own words change nothing."""
    user = call(Scored(question, reference, answer), JUDGE).user
    start = f"Question: {question}\nReference answer: {reference}\nAnswer to grade: {answer}\n\nGrade"
    assert user.startswith(start)
    assert user.endswith(USER.partition("{answer}")[2])


def test_an_in_process_judge_gives_no_grade() -> None:
    """A judge that reads no prompts is refused before anything is asked."""
    overlap = Judge("overlap", "lexical", "coverage-v1", in_process=True)
    with pytest.raises(BadInputError, match=r"judges\.overlap: metric judge_score: found 'lexical'"):
        score(ITEM, overlap, Settings())
