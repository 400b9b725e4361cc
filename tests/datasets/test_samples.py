"""The packaged samples load completely and are spread as their use needs it."""

from __future__ import annotations

import json
import re
from collections import Counter

import pytest

from judgeray.datasets.registry import LAYOUTS, load
from judgeray.datasets.source import DatasetSource
from judgeray.rows import Row
from judgeray.samples import SAMPLES, sample_path

ROW_SAMPLES = [name for name in SAMPLES if name in LAYOUTS]


def rows(name: str) -> list[Row]:
    """Load a sample; anything but a row fails."""
    items = list(load(DatasetSource(name, name, f"sample:{name}")))
    assert all(isinstance(item, Row) for item in items)
    return [item for item in items if isinstance(item, Row)]


@pytest.mark.parametrize("name", ROW_SAMPLES)
def test_two_rows_a_question(name: str) -> None:
    """Each sample has at least 24 questions, none skipped, two labels in equal number, no text twice."""
    loaded = rows(name)
    assert len(loaded) >= 48
    assert len(set(Counter(row.label for row in loaded).values())) == 1
    assert len({row.question for row in loaded}) == len({row.question_id for row in loaded}) == len(loaded) / 2
    assert all(text == text.strip() for row in loaded for text in (row.question, row.reference, row.candidate))


@pytest.mark.parametrize(
    ("name", "bins"), [("asqa", [(2, 2), (3, 3), (4, 4), (5, 99)]), ("qampari", [(5, 5), (6, 7), (8, 9), (10, 99)])]
)
def test_complexity_is_spread(name: str, bins: list[tuple[int, int]]) -> None:
    """Every bin of study 1's Table 19 holds at least six questions, and none lies below the first."""
    counts = [row.complexity or 0 for row in rows(name)]
    assert min(counts) == bins[0][0]
    assert all(sum(low <= count <= high for count in counts) >= 12 for low, high in bins)


def test_long_answers_cover_all_pairs() -> None:
    """Both long answers of a question hold every word of every short answer, so that each is a whole reference."""
    for question in json.loads(sample_path("asqa").read_text("utf-8"))["dev"].values():
        first, second = (annotation["long_answer"].lower() for annotation in question["annotations"])
        words = {
            word for pair in question["qa_pairs"] for word in re.findall(r"\w+", pair["short_answers"][0].lower())
        }
        missing = [word for word in words if word not in first or word not in second]
        assert not missing, (question["ambiguous_question"], missing)


def test_second_references() -> None:
    """Each ASQA question has a second reference in other words, two the same nowhere; other samples have none."""
    others = {row.question_id: row.other_reference for row in rows("asqa")}
    assert len(set(others.values())) == len(others)
    assert not [row for row in rows("asqa") if row.other_reference in (None, row.reference)]
    assert all(text == text.strip() for text in others.values() if text)
    assert {row.other_reference for name in ("truthfulqa", "qampari") for row in rows(name)} == {None}


def test_main_answers_are_aliases() -> None:
    """A QAMPARI answer is its own first alias, and no answer of a question comes twice."""
    for line in sample_path("qampari").read_text("utf-8").splitlines():
        answers = json.loads(line)["answer_list"]
        assert all(answer["answer_text"] == answer["aliases"][0] for answer in answers)
        aliases = [alias for answer in answers for alias in answer["aliases"]]
        assert len(aliases) == len(set(aliases))


def test_texts_are_varied() -> None:
    """The samples hold commas inside answers, quotation marks and letters beyond ASCII."""
    references = [row.reference for name in ROW_SAMPLES for row in rows(name)]
    for mark in (",", '"', "á", "ü"):
        assert any(mark in reference for reference in references), mark
    assert any("The Lion, the Witch and the Wardrobe, Prince Caspian" in reference for reference in references)
