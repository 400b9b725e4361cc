"""Laws of marks: what is set can be read back, and what cannot be read is said to be odd."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgeray.writers.perturbation.marks import Draft, bracketed, marked, numbered, plain, unmarked
from judgeray.writers.perturbation.odd import OddReplyError
from judgeray.writers.perturbation.spans import Span

no_marks = st.text(alphabet=st.characters(codec=None, exclude_categories=(), exclude_characters="[]{}"), max_size=8)
terms = no_marks.map(str.strip).filter(bool)
any_text = st.text(alphabet="ab []{}\n", max_size=30)


def draft(*pieces: str) -> Draft:
    """A text of pieces of which every second one is a span."""
    spans, length = [], 0
    for place, piece in enumerate(pieces):
        if place % 2:
            spans.append(Span(length, length + len(piece), piece))
        length += len(piece)
    return Draft("".join(pieces), tuple(spans))


@st.composite
def drafts(draw: st.DrawFn) -> Draft:
    """Any draft that a ladder can have."""
    pairs = draw(st.lists(st.tuples(no_marks, terms), max_size=5))
    return draft(*(piece for pair in pairs for piece in pair), draw(no_marks))


BRIDGE = draft("It was opened in ", "March 1932", " by ", "the premier", ".")


def test_three_ways_to_mark() -> None:
    """All spans in brackets, all with their index, or those of one group in brackets and the others in braces."""
    assert bracketed(BRIDGE) == "It was opened in [March 1932] by [the premier]."
    assert numbered(BRIDGE) == "It was opened in [March 1932:0] by [the premier:1]."
    assert marked(BRIDGE, {1}) == "It was opened in {{March 1932}} by [the premier]."


@given(drafts(), st.sets(st.integers(0, 5)))
def test_marks_are_read_back(made: Draft, group: set[int]) -> None:
    """Text and spans survive their marks, whatever stands in them and side by side too."""
    assert unmarked(marked(made, group)) == made
    assert unmarked(bracketed(made)) == made


@given(st.text(alphabet=st.characters(codec=None, exclude_categories=()), max_size=40))
def test_plain_text_holds_no_mark(text: str) -> None:
    """Brackets and braces become round ones, and nothing else changes."""
    assert unmarked(plain(text)) == Draft(plain(text), ())
    assert len(plain(text)) == len(text)
    assert [new for old, new in zip(text, plain(text), strict=True) if old not in "[]{}"] == [
        letter for letter in text if letter not in "[]{}"
    ]


@pytest.mark.parametrize("text", ["[[a]] b", "{a} b", "{{{a}}} b", "[ a ] b", "{{ a\n}} b"])
def test_marks_of_another_number_are_marks(text: str) -> None:
    """Single and tripled marks, and blanks inside of them, are cleaned like the prompt's own."""
    assert unmarked(text) == Draft("a b", (Span(0, 1, "a"),))


@pytest.mark.parametrize("text", ["[a b", "a] b", "[a}} b", "{{[a]}} b", "[a {{b}}]", "] a [", "{{a}} }}"])
def test_marks_that_do_not_pair_are_odd(text: str) -> None:
    """An open, a closed and a nested mark are no span."""
    with pytest.raises(OddReplyError, match="marks do not pair"):
        unmarked(text)


@pytest.mark.parametrize("text", ["a [] b", "a {{ \n}} b"])
def test_empty_term_is_odd(text: str) -> None:
    """A fact that was cut out is not a wrong fact."""
    with pytest.raises(OddReplyError, match="a term came back empty"):
        unmarked(text)


@given(any_text)
def test_cleaned_texts_hold_no_marks(text: str) -> None:
    """Any text is odd, or has no mark left and its spans where they are said to be."""
    try:
        found = unmarked(text)
    except OddReplyError:
        return
    assert not set("[]{}") & set(found.text)
    assert all(found.text[span.start : span.end] == span.text for span in found.spans)


def test_rest_is_what_is_outside() -> None:
    """Words outside all spans are compared without their blanks."""
    assert BRIDGE.rest() == ["It", "was", "opened", "in", "by", "."]
    assert draft("a\n ", "x", "  b").rest() == draft("a", "y", "b").rest() == ["a", "b"]
