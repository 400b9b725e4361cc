"""What is appended to a candidate: where it stands, what it says, and which texts of a user's own are refused."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgeray.conditions.condition import Setting
from judgeray.conditions.texts import DEFAULT_TEXTS, check_texts
from judgeray.core.errors import BadInputError
from judgeray.datasets.registry import load
from judgeray.datasets.source import DatasetSource
from judgeray.rows import Row
from tests.conditions.changed_rows import candidate_under, changed, row_of, texts

every_text = pytest.mark.parametrize("name", DEFAULT_TEXTS)


@every_text
@given(candidate=texts.filter(bool))
def test_one_blank_between(name: str, candidate: str) -> None:
    """Candidate, one blank, text: both to the letter."""
    assert candidate_under(name, candidate) == candidate + " " + DEFAULT_TEXTS[name]


@every_text
@pytest.mark.parametrize(("candidate", "before"), [("", ""), (" ", "  "), ("a ", "a  "), ("a.\n", "a.\n ")])
def test_empty_and_blank_candidates(name: str, candidate: str, before: str) -> None:
    """An empty candidate leaves the text alone; a blank one is a candidate like any other."""
    assert candidate_under(name, candidate) == before + DEFAULT_TEXTS[name]


@every_text
@given(text=texts)
def test_own_texts(name: str, text: str) -> None:
    """A text of the user's own takes the place of its default, and of no other."""
    assert changed(name, row_of(candidate="C"), Setting(texts={name: text})).candidate == f"C {text}"
    others = {other: text for other in DEFAULT_TEXTS if other != name}
    assert changed(name, row_of(candidate="C"), Setting(texts=others)).candidate == f"C {DEFAULT_TEXTS[name]}"


def sentences(text: str) -> list[list[str]]:
    """Sentences as lists of words."""
    return [sentence.split() for sentence in re.split(r"(?<=\.) ", text)]


def test_true_and_false_are_matched() -> None:
    """The two defaults agree in sentences, words and characters; each sentence has one other word, as long."""
    pairs = list(
        zip(sentences(DEFAULT_TEXTS["padding_true"]), sentences(DEFAULT_TEXTS["padding_false"]), strict=True)
    )
    assert len(pairs) == 5
    for true_words, false_words in pairs:
        other = [(a, b) for a, b in zip(true_words, false_words, strict=True) if a != b]
        assert [len(a) == len(b) for a, b in other] == [True]


@every_text
def test_defaults_are_plain(name: str) -> None:
    """Default texts are whole ASCII sentences on one line, with nothing that Markdown or HTML would read."""
    assert re.fullmatch(r"[A-Z][A-Za-z ,.:]+\.", DEFAULT_TEXTS[name])
    assert DEFAULT_TEXTS[name].split() == DEFAULT_TEXTS[name].split(" ")


@pytest.mark.parametrize("sample", ["truthfulqa", "asqa", "qampari"])
def test_statements_are_about_no_question(sample: str) -> None:
    """No question of the packaged samples is about a thing that the general statements are about."""
    things = r"triangle|square|half of|spider|fish|gills|lungs"
    rows = [row for row in load(DatasetSource(sample, sample, f"sample:{sample}")) if isinstance(row, Row)]
    assert rows
    assert not [row.question for row in rows if re.search(things, row.question, re.IGNORECASE)]


@pytest.mark.parametrize(
    "own",
    [
        {},
        DEFAULT_TEXTS,
        {"distractor": "Ads.", "padding": "Well, well."},
        {"padding_true": "Ice is cold.", "padding_false": "Ice  is\nhot. "},
        {"padding_false": " ".join(["no"] * len(DEFAULT_TEXTS["padding_true"].split()))},
    ],
)
def test_good_texts(own: dict[str, str]) -> None:
    """Texts of known conditions pass, the matched pair with equally many words, alone or together."""
    check_texts("m.yaml", own)


@pytest.mark.parametrize(
    ("own", "message"),
    [
        ({"distracter": "x"}, r"^m\.yaml: texts: found 'distracter', allowed: distractor, .* mean 'distractor'\?$"),
        (
            {"full": "x"},
            r"^m\.yaml: texts: found 'full', allowed: distractor, padding, padding_false, padding_true",
        ),
        ({"padding": ""}, r"^m\.yaml: texts\.padding: found a blank text"),
        ({"distractor": " \n\u00a0"}, r"^m\.yaml: texts\.distractor: found a blank text"),
        (
            {"padding_true": "Ice is cold.", "padding_false": "Ice is very hot."},
            "found 3 words in padding_true and 4 ",
        ),
        ({"padding_true": "Ice is cold."}, "found 3 words in padding_true and 24 in padding_false.*Give both"),
    ],
)
def test_bad_texts(own: dict[str, str], message: str) -> None:
    """A name without text, a blank text, or a pair of unequal length is refused: place, found, allowed."""
    with pytest.raises(BadInputError, match=message):
        check_texts("m.yaml", own)


@given(st.dictionaries(st.sampled_from(["distractor", "padding"]), texts.filter(str.strip)))
def test_any_other_text_passes(own: dict[str, str]) -> None:
    """Whatever is not blank may be a distractor or padding."""
    check_texts("m.yaml", own)
