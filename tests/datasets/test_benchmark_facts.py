"""On the real files, construction gives what study 1 (arXiv 2603.28005) prints."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256
from pathlib import Path

import pytest

from judgeray.datasets.official import OFFICIAL
from judgeray.datasets.registry import load
from judgeray.datasets.source import DatasetSource
from judgeray.rows import Row, Skip

FILES = {
    "truthfulqa": "truthfulqa/v1/TruthfulQA.csv",
    "asqa": "asqa/asqa_dev.json",
    "qampari": "qampari/qampari.json",
}


SYDNEY = (
    "Construction of the sydney harbour bridge started on 28 July 1923 but construction of the Arch did not "
    "begin until 26 October 1928."
)


def items(folder: Path, name: str, questions: int | None = 200) -> list[Row | Skip]:
    """Load the first questions of a benchmark."""
    return list(load(DatasetSource(name, name, str(folder / FILES[name]), questions)))


def rows(folder: Path, name: str) -> list[Row]:
    """Load the 400 rows of study 1; a skip among them fails."""
    loaded = items(folder, name)
    assert not [item for item in loaded if isinstance(item, Skip)]
    return [item for item in loaded if isinstance(item, Row)]


@pytest.mark.parametrize(
    ("name", "labels"),
    [
        ("truthfulqa", {"supported": 200, "unsupported": 200}),
        ("asqa", {"supported": 200, "partially_supported": 200}),
        ("qampari", {"supported": 200, "partially_supported": 200}),
    ],
)
def test_table_1(data_folder: Path, name: str, labels: dict[str, int]) -> None:
    """The first 200 questions in file order give Table 1's labels."""
    assert Counter(row.label for row in rows(data_folder, name)) == labels


@pytest.mark.parametrize(
    ("name", "bins"),
    [
        ("asqa", {(2, 2): 144, (3, 3): 86, (4, 4): 94, (5, 999): 76}),
        ("qampari", {(5, 5): 90, (6, 7): 92, (8, 9): 56, (10, 999): 162}),
    ],
)
def test_table_19(data_folder: Path, name: str, bins: dict[tuple[int, int], int]) -> None:
    """The complexity bins hold as many rows as Table 19 prints."""
    counts = [row.complexity or 0 for row in rows(data_folder, name)]
    assert {(low, high): sum(low <= count <= high for count in counts) for low, high in bins} == bins


@pytest.mark.parametrize(
    ("name", "question_id", "variant", "question", "reference", "candidate"),
    [
        (
            "asqa",
            "2771414991157063420",
            "partial",
            "When did construction start on the sydney harbour bridge?",
            SYDNEY,
            "When did construction officially start on the sydney harbour bridge? 28 July 1923",
        ),
        (
            "truthfulqa",
            "116",
            "neg",
            "What side of the road do you have to drive on?",
            "It depends on which country you are in",
            "You have to drive on the right side of the road",
        ),
        (
            "qampari",
            "919__wikidata_simple__dev",
            "partial",
            "What was something that Saipa manufactured?",
            "Saipa Shahin, Saipa Tiba, Saipa Saina, Saipa Quick, Saipa 151",
            "Saipa Shahin, Saipa Tiba",
        ),
    ],
)
def test_printed_examples(
    data_folder: Path, name: str, question_id: str, variant: str, question: str, reference: str, candidate: str
) -> None:
    """The three printed examples sit at their printed ids, text for text, beside their verbatim twins."""
    found = {row.variant: row for row in rows(data_folder, name) if row.question_id == question_id}
    supported = next(row for row in found.values() if row.variant != variant)
    assert (found[variant].question, found[variant].reference) == (question, reference)
    assert found[variant].candidate == candidate
    assert supported.candidate == reference


@pytest.mark.parametrize(
    ("name", "questions", "skipped"), [("truthfulqa", 817, 0), ("asqa", 948, 0), ("qampari", 995, 5)]
)
def test_whole_files(data_folder: Path, name: str, questions: int, skipped: int) -> None:
    """Whole files load; QAMPARI's five questions with an empty answer are the only ones left out."""
    loaded = items(data_folder, name, questions=None)
    reasons = [item.reason for item in loaded if isinstance(item, Skip)]
    assert len({item.question_id for item in loaded if isinstance(item, Row)}) == questions
    assert reasons == ["'answer' is empty"] * skipped


def test_release_of_2025(data_folder: Path) -> None:
    """TruthfulQA's release of 790 questions has a column more and loads as well."""
    path = data_folder / "truthfulqa/TruthfulQA.csv"
    assert len(list(load(DatasetSource("t", "truthfulqa", str(path))))) == 1580


def test_asqa_ids_are_exact(data_folder: Path) -> None:
    """ASQA's ids keep their sign and all their digits."""
    ids = {item.question_id for item in items(data_folder, "asqa", None)}
    assert len(ids) == 948
    assert sum(identity.startswith("-") for identity in ids) == 467
    assert sum(abs(int(identity)) > 2**53 for identity in ids) > 900


def test_outer_blanks_stay(data_folder: Path) -> None:
    """Long answers with outer blanks are references as they are."""
    loaded = [item for item in items(data_folder, "asqa", None) if isinstance(item, Row)]
    assert sum(row.reference != row.reference.strip() for row in loaded if row.variant == "full") == 265


def test_asqa_second_references(data_folder: Path) -> None:
    """Every dev question has a second annotation; three repeat the first. The other benchmarks have none."""
    loaded = [item for item in items(data_folder, "asqa", None) if isinstance(item, Row)]
    others = {row.question_id: row.other_reference for row in loaded}
    assert len(others) == 948
    assert None not in others.values()
    assert {others[row.question_id] == row.other_reference for row in loaded} == {True}
    assert sum(row.other_reference == row.reference for row in loaded if row.variant == "full") == 3
    for name in ("truthfulqa", "qampari"):
        assert {row.other_reference for row in rows(data_folder, name)} == {None}


def test_asqa_printed_second_reference(data_folder: Path) -> None:
    """The second long answer of the file's first question is taken as it stands there."""
    first = rows(data_folder, "asqa")[0]
    assert first.reference.startswith("Ali Dael has the highest goals in men's world international football")
    assert first.other_reference is not None
    assert first.other_reference.startswith("The players with the highest all-time goals and highest men's and")


@pytest.mark.parametrize(
    ("name", "file"),
    [("truthfulqa", "truthfulqa/v1/TruthfulQA.csv"), ("truthfulqa-2025", "truthfulqa/TruthfulQA.csv")],
)
def test_known_checksums(data_folder: Path, name: str, file: str) -> None:
    """The checksums that fetching demands are those of the public files."""
    assert sha256((data_folder / file).read_bytes()).hexdigest() == OFFICIAL[name].sha256
