"""The emulator tells design, texts and class from the prompt alone."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judgeray.designs.registry import DESIGNS
from judgeray.emulator.pieces import LONGEST_PIECE, MOST_PIECES, claims
from judgeray.emulator.support_class import row_class
from judgeray.emulator.support_prompt import asked_keys, read_support_prompt
from judgeray.rows import Row

LINES = st.text(alphabet="ab:\n, ?.", max_size=40)


def _row(question: str, reference: str, candidate: str) -> Row:
    return Row("d", "q", "r", "v", "supported", question, reference, candidate)


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(sorted(DESIGNS)), LINES, LINES, LINES)
def test_prompts_are_read_back(name: str, question: str, reference: str, candidate: str) -> None:
    """Design and texts are read from the rendered prompt as they were put in, over any number of lines."""
    design = DESIGNS[name]
    asked = read_support_prompt(design.system, design.user(_row(question, reference, candidate)))
    assert asked == (name, design.block, question, reference, candidate)


@pytest.mark.parametrize(
    "words", ["\nReference answer: ", "\nCandidate answer: ", "\n\nReturn valid JSON with keys:"]
)
def test_texts_may_hold_the_header_itself(words: str) -> None:
    """A copy of the reference is found as one even where the texts hold the layout's own words."""
    design, text = DESIGNS["R"], f"one{words}two"
    asked = read_support_prompt(design.system, design.user(_row(text, text, text)))
    assert asked is not None
    assert (asked.question, asked.reference, asked.candidate) == (text, text, text)


def test_unknown_designs_are_read_by_their_layout() -> None:
    """An unknown system text with the known layout is read, with no design and the keys its block names."""
    user = (
        "Question: q\nReference answer: r\nCandidate answer: c\n\nLook closely.\n\n1. Compare.\n"
        "Return valid JSON with keys:\n- verdict: one of [...]\n- notes: list of strings (short)"
    )
    asked = read_support_prompt("Some other judge.", user)
    assert asked is not None
    assert (asked.design, asked.question, asked.reference) == (None, "q", "r")
    assert asked_keys(asked.block) == {"verdict": "one of [...]", "notes": "list of strings (short)"}


@pytest.mark.parametrize("user", ["", "hello", "Question: q\n\nReturn valid JSON with keys:\n- verdict: x"])
def test_other_layouts_are_not_read(user: str) -> None:
    """A prompt without the header is none of this family."""
    assert read_support_prompt(DESIGNS["C"].system, user) is None


@pytest.mark.parametrize(
    ("reference", "candidate", "expected"),
    [
        ("The same text.", " The same text. ", "supported"),
        ("The same text.", "The same text. And a remark.", "supported"),
        ("A, B, C, D", "A, B", "partially_supported_list"),
        ("Beta, Gamma", "Bet", "unsupported"),
        ("It began in 1923, and ended.", "When did it begin? 1923", "partially_supported"),
        ("It began in 1923. It ended in 1928.", "It began in 1923.", "partially_supported"),
        ("First. Second. Third.", "Third. First.", "partially_supported"),
        ("It depends on the country.", "You drive on the right.", "unsupported"),
        ("Is it so? Nobody knows", "Is it so?", "partially_supported"),
        ("(missing)", "You drive on the right.", "unsupported"),
        ("Something", "", "unsupported"),
        ("", "Something", "unsupported"),
    ],
)
def test_classes_are_told_from_the_texts(reference: str, candidate: str, expected: str) -> None:
    """Copies, list halves, answered sub-questions, selections and all else get their class."""
    assert row_class(reference, candidate) == expected


def test_classes_of_the_benchmarks_are_right(data_folder: Path) -> None:
    """On the constructed rows of all three benchmarks the class is the label of more than 99 % of rows."""
    truthfulqa = data_folder / "truthfulqa/v1/TruthfulQA.csv"
    found = [
        (row_class(row["Best Answer"], row["Incorrect Answers"].split(";")[0].strip()), "unsupported")
        for row in csv.DictReader(truthfulqa.read_text(encoding="utf-8-sig").splitlines(keepends=True))
    ]
    for question in json.loads((data_folder / "asqa/asqa_dev.json").read_text(encoding="utf-8")):
        pairs = question["qa_pairs"][: len(question["qa_pairs"]) // 2]
        candidate = " ".join(f"{pair['question']} {pair['short_answers'][0]}" for pair in pairs)
        found.append((row_class(question["annotations"][0]["long_answer"], candidate), "partially_supported"))
    for question in json.loads((data_folder / "qampari/qampari.json").read_text(encoding="utf-8")):
        items = [answer[0] for answer in question["answers"]]
        half = ", ".join(items[: len(items) // 2])
        found.append((row_class(", ".join(items), half), "partially_supported_list"))
    assert sum(told == label for told, label in found) > 0.99 * len(found)


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet="abC,;.?! and\n", max_size=400))
def test_claims_are_bounded_and_made_of_the_text(text: str) -> None:
    """Claims are few, short, and hold only words of the text beyond the set phrase of lists."""
    found = claims(text)
    assert len(found) <= MOST_PIECES
    assert all(0 < len(claim) <= LONGEST_PIECE for claim in found)
    allowed = set(text) | set("is one of the answers to the question, ")
    assert set("".join(found)) <= allowed
    assert bool(found) or not text.strip(" ,;\nand")
