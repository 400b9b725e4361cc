"""Laws of factual spans: which words head one, how far it reaches, and what is left alone."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest
from spacy.tokens import Doc

from judgeray.writers.perturbation.grouping import kept, level_groups
from judgeray.writers.perturbation.parser import spans_of, stop_words
from judgeray.writers.perturbation.question_words import protected_spans
from judgeray.writers.perturbation.spans import ROLES, Span, factual_spans
from tests.writers.perturbation.made import PARSER, Word, doc_of

# The government announced the new policy in 2021.
ANNOUNCED: list[Word] = [
    ("The", "DET", "det", 1),
    ("government", "NOUN", "nsubj", 2),
    ("announced", "VERB", "ROOT", 2),
    ("the", "DET", "det", 5),
    ("new", "ADJ", "amod", 5),
    ("policy", "NOUN", "dobj", 2),
    ("in", "ADP", "prep", 2),
    ("2021", "NUM", "pobj", 6),
    (".", "PUNCT", "punct", 2),
]
# The researchers who conducted the trial left.
WHO_CONDUCTED: list[Word] = [
    ("The", "DET", "det", 1),
    ("researchers", "NOUN", "nsubj", 6),
    ("who", "PRON", "nsubj", 3),
    ("conducted", "VERB", "relcl", 1),
    ("the", "DET", "det", 5),
    ("trial", "NOUN", "dobj", 3),
    ("left", "VERB", "ROOT", 6),
]
# They sold apples, two pears and cheap bread.
SOLD: list[Word] = [
    ("They", "PRON", "nsubj", 1),
    ("sold", "VERB", "ROOT", 1),
    ("apples", "NOUN", "dobj", 1),
    (",", "PUNCT", "punct", 2),
    ("two", "NUM", "nummod", 5),
    ("pears", "NOUN", "conj", 2),
    ("and", "CCONJ", "cc", 5),
    ("cheap", "ADJ", "amod", 8),
    ("bread", "NOUN", "conj", 5),
]


def found(doc: Doc) -> list[str]:
    """How the factual spans of a parse read."""
    return [span.text for span in factual_spans(doc)]


def test_span_reaches_from_the_left_edge_to_its_head() -> None:
    """An object takes its article and adjectives along; what follows the head is not in it."""
    doc = doc_of(ANNOUNCED)
    assert factual_spans(doc) == (Span(25, 39, "the new policy"), Span(43, 47, "2021"))
    assert all(doc.text[span.start : span.end] == span.text for span in factual_spans(doc))


def test_nothing_in_a_subject_is_factual() -> None:
    """Neither the subject's head nor what hangs on it is a span, at whatever depth."""
    in_subject: list[Word] = [
        ("Heads", "NOUN", "nsubj", 5),
        ("of", "ADP", "prep", 0),
        ("2", "NUM", "nummod", 3),
        ("states", "NOUN", "pobj", 1),
        ("formally", "ADV", "advmod", 0),
        ("met", "VERB", "ROOT", 5),
    ]
    assert found(doc_of(in_subject)) == []


@pytest.mark.parametrize("subject", ["nsubj", "nsubjpass", "csubj", "csubjpass"])
def test_every_kind_of_subject_is_left_alone(subject: str) -> None:
    """Passive and clausal subjects are subjects too."""
    words: list[Word] = [
        ("Singing", "VERB", subject, 2),
        ("songs", "NOUN", "dobj", 0),
        ("helps", "VERB", "ROOT", 2),
        ("everywhere", "ADV", "advmod", 2),
    ]
    assert found(doc_of(words)) == ["everywhere"]


def test_relative_clause_of_a_subject_has_spans() -> None:
    """Only the head of a subject with a relative clause decides; the clause's own subject is left alone again."""
    assert found(doc_of(WHO_CONDUCTED)) == ["the trial"]
    doctors = [*WHO_CONDUCTED]
    doctors[2] = ("doctors", "NOUN", "nsubj", 3)
    assert found(doc_of(doctors)) == ["the trial"]


def test_conjuncts_inherit_from_their_head() -> None:
    """Each of several coordinated objects is a span of its own, however long the chain."""
    assert found(doc_of(SOLD)) == ["apples", "two pears", "cheap bread"]


def test_conjuncts_of_what_is_not_factual_are_not() -> None:
    """A conjunct of a subject, or of a word without a factual role, inherits that."""
    subject: list[Word] = [
        ("Tom", "PROPN", "nsubj", 3),
        ("and", "CCONJ", "cc", 0),
        ("Jerry", "PROPN", "conj", 0),
        ("ran", "VERB", "ROOT", 3),
        ("and", "CCONJ", "cc", 3),
        ("fast", "ADV", "conj", 3),
    ]
    assert found(doc_of(subject)) == []


def test_adjective_of_a_noun_is_no_span() -> None:
    """An adjective goes with its noun, also where the noun itself is none; on another word it stands alone."""
    of_noun: list[Word] = [("Red", "ADJ", "amod", 1), ("cars", "NOUN", "dep", 2), ("passed", "VERB", "ROOT", 2)]
    of_pronoun: list[Word] = [
        ("Say", "VERB", "ROOT", 0),
        ("something", "PRON", "dobj", 0),
        ("new", "ADJ", "amod", 1),
        ("or", "CCONJ", "cc", 2),
        ("old", "ADJ", "conj", 2),
    ]
    assert found(doc_of(of_noun)) == []
    assert found(doc_of(of_pronoun)) == ["new", "old"]


@pytest.mark.parametrize(
    ("kind", "role", "expected"),
    [
        ("NUM", "nummod", ["three"]),
        ("NUM", "appos", ["three"]),
        ("NUM", "attr", ["three"]),
        ("NOUN", "nummod", []),
        ("NOUN", "compound", []),
        ("VERB", "pcomp", []),
        ("PRON", "dobj", []),
        *((kind, role, ["three"]) for kind in ("NOUN", "PROPN", "ADV", "NUM") for role in sorted(ROLES - {"ROOT"})),
    ],
)
def test_kind_and_role_decide(kind: str, role: str, expected: list[str]) -> None:
    """A word heads a span by its kind and role together; numbers also as counts."""
    assert found(doc_of([("says", "VERB", "ROOT", 0), ("three", kind, role, 0)])) == expected


def test_root_of_a_fragment_is_factual() -> None:
    """A text without a verb is a span up to its root; the subject of a root is not drawn in."""
    assert found(doc_of([("28", "NUM", "nummod", 1), ("July", "PROPN", "ROOT", 1)])) == ["28 July"]
    misread: list[Word] = [
        ("Paris", "PROPN", "nsubj", 3),
        (":", "PUNCT", "punct", 3),
        ("the", "DET", "det", 3),
        ("capital", "NOUN", "ROOT", 3),
    ]
    assert found(doc_of(misread)) == ["the capital"]


def test_outer_span_counts() -> None:
    """Of spans inside each other there is one, so that none overlap."""
    words: list[Word] = [
        ("saw", "VERB", "ROOT", 0),
        ("about", "ADV", "advmod", 2),
        ("two", "NUM", "nummod", 3),
        ("dogs", "NOUN", "dobj", 0),
    ]
    assert found(doc_of(words)) == ["about two dogs"]


def test_marks_at_the_beginning_stay_outside() -> None:
    """Quotation marks and line breaks before the first word are not part of a span."""
    words: list[Word] = [
        ("called", "VERB", "ROOT", 0),
        ("\n", "SPACE", "dep", 3),
        ('"', "PUNCT", "punct", 3),
        ("Ringo", "PROPN", "oprd", 0),
        ('"', "PUNCT", "punct", 3),
    ]
    assert found(doc_of(words)) == ["Ringo"]


def test_long_chains_are_read() -> None:
    """A list of three thousand items is no deeper than one of three."""
    items = [(f"item{n}", "NOUN", "conj", n - 1) for n in range(2, 3000)]
    assert len(found(doc_of([("saw", "VERB", "ROOT", 0), ("item1", "NOUN", "dobj", 0), *items]))) == 2999


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "The government announced the new policy in 2021, with high confidence.",
            ["the new policy", "2021", "high confidence"],
        ),
        ("Maria left the room.", ["the room"]),
        ("The researchers who conducted the trial published three papers.", ["the trial", "three papers"]),
        ("He wrote songs, poems and two novels.", ["songs", "poems", "two novels"]),
        ("", []),
        ("  \n ", []),
    ],
)
def test_sentences_as_the_model_parses_them(text: str, expected: list[str]) -> None:
    """The paper's own examples come out as it describes them."""
    assert [span.text for span in spans_of(text, PARSER)] == expected


def test_study_2_can_be_planned(data_folder: Path) -> None:
    """All of the paper's 500 answers and 100 references are parsed, filtered, kept and grouped by the laws."""
    questions = json.loads((data_folder / "trutheval" / "dataset.json").read_text("utf-8"))["questions"]
    counts = []
    for question in questions:
        for text in (question["ground_truth"], *question["answers"].values()):
            spans = spans_of(text, PARSER)
            assert [text[span.start : span.end] for span in spans] == [span.text for span in spans]
            assert all(before.end <= after.start for before, after in pairwise(spans))
            protected = protected_spans(spans, question["question"], stop_words(PARSER))
            order = kept(range(len(spans)), protected, 0.8)
            groups = level_groups(order, 4, 42, str(question["id"]))
            assert sorted(index for group in groups for index in group) == sorted(order)
            counts.append(len(order))
    assert len(counts) == 600
    assert min(counts) >= 4
