"""Laws of the parser: an optional extra, asked for early and by name, loaded where it is used."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import spacy
from hypothesis import given, settings
from hypothesis import strategies as st

from judgeray.core.errors import BadInputError
from judgeray.writers.perturbation.parser import check_parser, spans_of, stop_words
from tests.writers.perturbation.made import PARSER

any_text = st.text(alphabet=st.characters(codec=None, exclude_categories=()), max_size=60)


def test_ladders_can_be_read_about_without_the_extra() -> None:
    """Nothing imports spaCy until a text is parsed."""
    code = (
        "import sys; import judgeray.writers.perturbation.ladder, judgeray.writers.perturbation.controls, "
        "judgeray.emulator.families; sys.exit('spacy' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=60).returncode == 0


def test_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without spaCy the message says how to install it and the model."""
    monkeypatch.setitem(sys.modules, "spacy", None)
    with pytest.raises(BadInputError, match=r"pip install 'judgeray\[spacy\]'.*spacy download en_core_web_sm"):
        check_parser("not_loaded_before")


def test_missing_model_is_named() -> None:
    """An unknown model is found, and the usual one and its installation are named."""
    with pytest.raises(BadInputError, match=r"found 'no_such_model'.*python -m spacy download en_core_web_sm"):
        check_parser("no_such_model")


def test_model_without_a_parse_is_refused(tmp_path: Path) -> None:
    """A pipeline that parses nothing would find no span in any text."""
    spacy.blank("en").to_disk(tmp_path)
    with pytest.raises(BadInputError, match="gives no DEP and POS"):
        check_parser(str(tmp_path))


def test_stop_words_are_the_languages() -> None:
    """They are small words in small letters; words that carry content are not among them."""
    words = stop_words(PARSER)
    assert {"the", "is", "and", "why"} <= words
    assert not {"sky", "blue"} & words
    assert all(word == word.lower() for word in words)


@settings(max_examples=80, deadline=None)
@given(text=any_text)
def test_any_text_can_be_parsed(text: str) -> None:
    """Lone surrogates, NUL and the rest of Unicode are parsed, and spans are stretches of the text itself."""
    spans = spans_of(text, PARSER)
    assert all(0 <= span.start < span.end <= len(text) for span in spans)
    assert [span.text for span in spans] == [text[span.start : span.end] for span in spans]


def test_lone_surrogate_stays_in_its_span() -> None:
    """What spaCy cannot hold is still in the span that is cut from the text."""
    text = "She wrote two no\ud800vels in Paris."
    assert [span.text for span in spans_of(text, PARSER)][:1] == ["two no\ud800vels"]
