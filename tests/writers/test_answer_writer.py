"""Laws of the answer writer: its prompt is pinned, its answers are taken as they are, its cut is literal."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgeray.core.call import Judge
from judgeray.core.errors import BadInputError
from judgeray.core.reply import Outcome, Reply, Usage
from judgeray.writers.answer import ANSWER, Generated, generated_candidate, is_whole, nominal_partial

GOLDEN = Path(__file__).parent / "golden"
QUESTION = "When did construction start on the {sydney} harbour bridge?"
OPUS = Judge("opus", "anthropic", "claude-opus-4-6", {"temperature": 0.7, "max_output_tokens": 256})
any_text = st.text(alphabet=st.characters(codec=None, exclude_categories=()), max_size=60)


def reply(text: str | None, outcome: Outcome = "complete") -> Reply:
    """A writer's reply with this text."""
    return Reply("0" * 64, "anthropic", "claude-opus-4-6", outcome, text, Usage())


def test_whole_prompt_of_the_writer_is_pinned() -> None:
    """System prompt and user message are exactly the golden file's."""
    call = ANSWER.call(QUESTION, OPUS)
    assert f"{call.system}\n=====\n{call.user}\n" == (GOLDEN / "answer.txt").read_text(encoding="utf-8")


def test_call_key_of_the_writer_is_pinned() -> None:
    """The key of a question does not change between releases; parameters and replicate enter it."""
    assert ANSWER.call(QUESTION, OPUS).key == (GOLDEN / "key.txt").read_text().strip()
    plain = Judge("opus", "anthropic", "claude-opus-4-6")
    calls = [ANSWER.call(QUESTION, OPUS), ANSWER.call(QUESTION, OPUS, 1), ANSWER.call(QUESTION, plain)]
    assert len({call.key for call in calls}) == 3


def test_the_prompt_is_not_the_papers() -> None:
    """The source says that the wording is ours."""
    assert ANSWER.source.startswith("ours: ")


@given(any_text)
def test_a_question_stands_in_the_prompt_as_it_is(question: str) -> None:
    """Any question is data, never part of the template."""
    before, behind = ANSWER.template.split("{question}")
    assert ANSWER.call(question, OPUS).user == before + question + behind


def test_in_process_judges_write_nothing() -> None:
    """A judge that knows no language is refused before anything is asked."""
    overlap = Judge("overlap", "lexical", "coverage-v1", in_process=True)
    with pytest.raises(
        BadInputError, match=r"judges\.overlap: writer answer: found 'lexical', .* allowed: a judge"
    ):
        ANSWER.call(QUESTION, overlap)


@pytest.mark.parametrize(
    ("text", "outcome", "expected"),
    [
        ("In 1923.", "complete", Generated("In 1923.")),
        ("\n In 1923. \n", "complete", Generated("In 1923.")),
        ("In 1923. The ar", "truncated", Generated("In 1923. The ar")),
        (None, "truncated", Generated(None, "cut before any text")),
        ("  ", "truncated", Generated(None, "cut before any text")),
        (None, "refused", Generated(None, "the writer refused")),
        ("I cannot answer that.", "refused", Generated(None, "the writer refused")),
        (None, "empty", Generated(None, "no text")),
        (" \n\t", "complete", Generated(None, "no text")),
    ],
)
def test_a_reply_is_an_answer_or_says_why_not(text: str | None, outcome: Outcome, expected: Generated) -> None:
    """A cut reply is an answer, a refusal and a blank text are none."""
    assert generated_candidate(reply(text, outcome)) == expected


@pytest.mark.parametrize(
    ("text", "partial", "whole"),
    [
        ("In 1923", "In 1923.", True),
        ("In 1923.", "In 1923..", True),
        ("One. Two.", "One.", False),
        ("One. Two. Three.", "One.", False),
        ("One. Two. Three. Four. Five.", "One.", False),
        ("One. Two. Three. Four. Five. Six.", "One. Two.", False),
        ("Mr. Smith built it.", "Mr.", False),
        ("Is it so? It is! Indeed.", "Is it so? It is! Indeed..", True),
        ("One.\nTwo. Three.\nFour.", "One.\nTwo.", False),
        ("One.\nTwo.\nThree.", "One.\nTwo.\nThree..", True),
        ("Straße in Köln. 橋は1923年。 Две. Три", "Straße in Köln.", False),
        ("橋は1923年に。塔も。", "橋は1923年に。塔も。.", True),
        ("One. ", "One.", False),
        (". Two", ".", False),
        (". . . . . ", ". .", False),
        (".  Two. Three", ".", False),
        ("", ".", True),
        (".", "..", True),
    ],
)
def test_the_nominal_part_is_the_first_third(text: str, partial: str, whole: bool) -> None:
    """Segments between `. ` are counted as they stand, empty ones too, and one is always kept."""
    assert nominal_partial(text) == partial
    assert is_whole(text, partial) == whole


@given(st.text(alphabet="ab. \n\u3002\ud800", max_size=60))
def test_nothing_is_lost_but_the_rest(text: str) -> None:
    """The part is a beginning of the text and a period; it is the whole exactly where nothing parts the text."""
    partial = nominal_partial(text)
    assert partial.endswith(".")
    assert text.startswith(partial[:-1])
    assert is_whole(text, partial) == (". " not in text)
    kept = partial[:-1].count(". ") + 1
    assert kept == max(1, (text.count(". ") + 1) // 3)
