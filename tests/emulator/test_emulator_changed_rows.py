"""The emulator judges rows that a condition changed as a judge would: by what they say, not by how they look."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from judgeray.core.reply import Reply, Usage
from judgeray.datasets.registry import load
from judgeray.datasets.source import DatasetSource
from judgeray.designs.registry import DESIGNS
from judgeray.emulator.behaviour import Behaviour
from judgeray.emulator.families import reply_text
from judgeray.emulator.pieces import list_items
from judgeray.emulator.plain import opening, plain
from judgeray.emulator.prompt import Prompt
from judgeray.emulator.support_class import row_class
from judgeray.rows import Row

FILES = {
    "truthfulqa": "truthfulqa/v1/TruthfulQA.csv",
    "asqa": "asqa/asqa_dev.json",
    "qampari": "qampari/qampari.json",
}
NOTICE = " Notice: This site will be closed on Sunday night, and some pages may load slowly."
REMARK = ". Some say so, and others do not."
LABELS = {"partially_supported_list": "partially_supported"}


def constructed(folder: Path, dataset: str, questions: int | None = 200) -> list[Row]:
    """Rows of the first source questions of a benchmark."""
    source = DatasetSource(dataset, dataset, str(folder / FILES[dataset]), questions)
    return [row for row in load(source) if isinstance(row, Row)]


def verdicts(rows: Iterable[Row], design: str, model: str) -> Iterator[str | None]:
    """Verdicts of an emulated judge."""
    chosen = DESIGNS[design]
    for row in rows:
        text = reply_text(Prompt("openai", model, chosen.system, chosen.user(row)), Behaviour())
        yield chosen.read(Reply("0" * 64, "openai", model, "complete", text, Usage())).verdict


@pytest.mark.parametrize("tail", [NOTICE, REMARK, f"\n{NOTICE}"])
@pytest.mark.parametrize(
    ("reference", "candidate", "expected"),
    [
        ("A, B, C, D", "A, B, C, D", "supported"),
        ("A, B, C, D", "A, B", "partially_supported_list"),
        ("A, B, C, D", "A", "partially_supported_list"),
        ("New York, Bonn, Rome", "New York", "partially_supported_list"),
        ("It began in 1923, and ended.", "When did it begin? 1923", "partially_supported"),
        ("It began in 1923", "It began in 1923", "supported"),
        ("It depends on the country.", "You drive on the right", "unsupported"),
        ("A, B, C, D", "E, F", "unsupported"),
        ("Alpha, Beta, Gamma", "Alp, Be", "unsupported"),
    ],
)
def test_appended_texts_leave_the_class(reference: str, candidate: str, expected: str, tail: str) -> None:
    """A notice or a remark behind the candidate changes nothing of what it is to the reference."""
    assert row_class(reference, candidate) == expected
    assert row_class(reference, candidate + tail) == expected


@pytest.mark.parametrize("name", ["supported", "partially_supported", "partially_supported_list", "unsupported"])
@pytest.mark.parametrize(
    "change",
    [str.upper, str.lower, lambda text: text.replace(" ", "  "), lambda text: f"- {text}"],
    ids=["upper", "lower", "gaps", "bullet"],
)
def test_looks_leave_the_class(rows: dict[str, list[Row]], name: str, change: Callable[[str], str]) -> None:
    """Case, wider gaps and bullets change nothing of what a candidate is to the reference."""
    for row in rows[name][:50]:
        assert row_class(row.reference, change(row.candidate)) == name


@pytest.mark.parametrize("tail", [NOTICE, REMARK])
@pytest.mark.parametrize("dataset", sorted(FILES))
def test_classes_of_appended_benchmark_rows_are_right(data_folder: Path, dataset: str, tail: str) -> None:
    """On all constructed rows of a benchmark, text appended, the class is the label of 99 % of rows."""
    rows = constructed(data_folder, dataset, None)
    told = [row_class(row.reference, row.candidate + tail) for row in rows]
    right = sum(LABELS.get(kind, kind) == row.label for kind, row in zip(told, rows, strict=True))
    assert right > 0.99 * len(rows)


@pytest.mark.parametrize(("design", "model"), [("C", "gpt-4.1"), ("H", "gpt-4.1"), ("H", "claude-opus-4-6")])
@pytest.mark.parametrize("dataset", sorted(FILES))
def test_appended_texts_flip_few_verdicts(data_folder: Path, dataset: str, design: str, model: str) -> None:
    """Appending a notice flips at most a tenth of verdicts (study 1, section 5, "Perturbations")."""
    rows = constructed(data_folder, dataset)
    before = list(verdicts(rows, design, model))
    after = list(verdicts([replace(row, candidate=row.candidate + NOTICE) for row in rows], design, model))
    assert sum(b != a for b, a in zip(before, after, strict=True)) <= 0.1 * len(rows)


@pytest.mark.parametrize(("dataset", "low", "high"), [("truthfulqa", 0.55, 0.75), ("asqa", 0.26, 0.48)])
@pytest.mark.parametrize(("design", "model"), [("C", "gpt-4.1"), ("H", "claude-opus-4-6")])
def test_without_reference_judges_guess_as_in_the_paper(
    data_folder: Path, dataset: str, low: float, high: float, design: str, model: str
) -> None:
    """Without a reference accuracy stands in the range of Table 10: worse than with one, better than nothing."""
    rows = constructed(data_folder, dataset)
    found = list(verdicts([replace(row, reference="(missing)") for row in rows], design, model))
    assert low <= sum(verdict == row.label for verdict, row in zip(found, rows, strict=True)) / len(rows) <= high
    assert len(Counter(found)) == 3


def test_without_reference_the_candidate_decides(rows: dict[str, list[Row]]) -> None:
    """A guess goes by what the candidate sounds like: careful, fragmentary, listed, detailed or bare."""
    candidates = {
        "careful": "There is no such place, and nobody knows",
        "fragment": "When was it opened? 1901",
        "listed": "Lyon, Nice, Lille",
        "detailed": "It was opened in the year 1901 by the mayor of the town, " * 3,
        "bare": "You drive on the right",
    }
    shares = {}
    for name, candidate in candidates.items():
        asked = [Row("d", "q", "r", "v", "s", f"What of {i}?", "(missing)", candidate) for i in range(400)]
        counted = Counter(verdicts(asked, "H", "m"))
        shares[name] = {label: counted[label] / 400 for label in counted}
    assert max(shares["careful"], key=shares["careful"].__getitem__) == "supported"
    assert max(shares["detailed"], key=shares["detailed"].__getitem__) == "supported"
    assert max(shares["bare"], key=shares["bare"].__getitem__) == "unsupported"
    for name in ("fragment", "listed"):
        assert shares[name]["partially_supported"] > max(
            shares[o]["partially_supported"] for o in ("careful", "bare")
        )


@given(st.text(max_size=300), st.integers(1, 6))
@example("-", 1)
def test_plain_texts_and_openings(text: str, words: int) -> None:
    """A plain text stays as it is, and an opening is made of its first words, whatever follows."""
    assert plain(f"  {plain(text)} ") == plain(text) or plain(text).startswith(("-", "*", "•"))
    assert plain(text[:400]).startswith(opening(text, words))
    assert len(opening(text, words).split()) <= words
    ended = f"{text} end"  # a bare bullet at the end becomes one when something is appended
    if len(plain(ended).split()) >= words:
        assert opening(f"{ended} and more", words) == opening(ended, words)


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("A, B, C", ["A", "B", "C"]),
        ("A, B", []),
        ("", []),
        ("A, B, and a clause that goes on for many more words than any item would", []),
    ],
)
def test_lists_have_three_short_items(text: str, items: list[str]) -> None:
    """A comma list has at least three items, and each is short."""
    assert list_items(text) == items


def test_a_long_paraphrase_is_supported_and_a_damaged_one_is_not() -> None:
    """Of long texts, other words for the same facts are supported; wrong names and numbers are not."""
    reference = (
        "French soldiers found the stone near the Egyptian town of Rosetta in July 1799, and it carries one decree "
        "of 196 BC in hieroglyphs, in Demotic script and in ancient Greek, which scholars could read."
    )
    opening = "In July 1799 French soldiers came upon"
    same = reference.replace(" in July 1799", "").replace("French soldiers found", opening)
    damaged = same.replace("Rosetta", "Memphis").replace("1799", "1822").replace("196", "480")
    assert row_class(reference, same) == "supported"
    assert row_class(reference, damaged) != "supported"
