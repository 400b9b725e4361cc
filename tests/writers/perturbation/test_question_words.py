"""Laws of the question filter: what the question names is left alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgeray.writers.perturbation.question_words import protected_spans, question_words
from judgeray.writers.perturbation.spans import Span

STOP_WORDS = frozenset({"the", "is", "why", "who", "of", "what", "a", "in"})
any_text = st.text(alphabet=st.characters(codec=None, exclude_categories=()), max_size=60)


def protected(question: str, *terms: str) -> tuple[int, ...]:
    """Which of some terms the question protects."""
    return protected_spans([Span(0, len(term), term) for term in terms], question, STOP_WORDS)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Why is the sky blue?", {"sky", "blue"}),
        ("who is Ringo Starr's SON?", {"ringo", "starr's", "starr", "son"}),
        ("time-travelling, in `Timeless`?", {"time-travelling", "time", "travelling", "timeless"}),
        ("what is vitamin C", {"vitamin", "c"}),
        ("the 3 dots?", {"3", "dots"}),
        ("Why is the?", set()),
        ("?! --", set()),
        ("", set()),
        ("Wer baute die Straße?", {"wer", "baute", "die", "straße"}),
    ],
)
def test_words_of_a_question(question: str, expected: set[str]) -> None:
    """Words are parted at blanks, without outer marks, capitals and stop words; parts of joined words count too."""
    assert question_words(question, STOP_WORDS) == expected


def test_one_shared_word_protects_a_span() -> None:
    """A span that shares any word with the question is protected, whatever else it holds."""
    assert protected("Why is the sky blue?", "sky temperature", "Rayleigh scattering", "(Blue)", "bluebells") == (
        0,
        2,
    )


def test_stop_words_protect_nothing() -> None:
    """Sharing a stop word is no overlap."""
    assert protected("Why is the sky blue?", "the sea", "is") == ()


def test_marks_and_case_do_not_hide_a_word() -> None:
    """Outer marks and capitals of a span's words are passed over, inner marks are not."""
    assert protected("who played ringo?", '"RINGO."', "Ringo's", "Ringo,\nhis son") == (0, 2)


@given(any_text, st.lists(any_text, max_size=5))
def test_protected_spans_share_a_word_that_is_no_stop_word(question: str, terms: list[str]) -> None:
    """Indices are sorted and distinct, and a question without content protects nothing."""
    found = protected(question, *terms)
    assert list(found) == sorted(set(found))
    assert not found or question_words(question, STOP_WORDS)
    assert protected("the", *terms) == ()


@given(any_text)
def test_a_span_that_repeats_the_question_is_protected(question: str) -> None:
    """Whatever has a word of content protects itself."""
    whole_words = {word for word in question_words(question, STOP_WORDS) if word in question.lower().split()}
    assert (protected(question, question) == (0,)) >= bool(whole_words)
