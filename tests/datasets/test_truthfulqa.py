"""TruthfulQA becomes pairs of best and first incorrect answer."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from judgeray.core.errors import BadInputError
from judgeray.datasets.registry import load
from judgeray.datasets.source import DatasetSource
from judgeray.rows import Row, Skip

HEADER = ["Type", "Category", "Question", "Best Answer", "Correct Answers", "Incorrect Answers", "Source"]


def loaded(path: Path, content: str) -> tuple[list[Row], list[Skip]]:
    """Write a file, load it, and give its rows and its skips."""
    path.write_text(content, "utf-8", newline="")
    items = list(load(DatasetSource("data", "truthfulqa", str(path))))
    return [item for item in items if isinstance(item, Row)], [item for item in items if isinstance(item, Skip)]


def table(*rows: tuple[str, str, str]) -> str:
    """Write (question, best, incorrect) as a TruthfulQA file."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(HEADER)
    writer.writerows(["Adversarial", "C", question, best, best, wrong, "url"] for question, best, wrong in rows)
    return text.getvalue()


def test_variants(tmp_path: Path) -> None:
    """`pos` is the best answer itself, `neg` the first incorrect one; both share the reference."""
    content = table(('Q, "quoted"?', "Best, of all", "First, wrong; Second; "))
    (pos, neg), skips = loaded(tmp_path / "t.csv", content)
    assert (pos.variant, pos.label, pos.candidate) == ("pos", "supported", "Best, of all")
    assert (neg.variant, neg.label, neg.candidate) == ("neg", "unsupported", "First, wrong")
    assert {pos.reference, neg.reference} == {"Best, of all"}
    assert {pos.question, neg.question} == {'Q, "quoted"?'}
    assert (pos.row_id, neg.row_id) == ("data:0:pos", "data:0:neg")
    assert pos.complexity is None
    assert skips == []


def test_empty_entries_are_passed_over(tmp_path: Path) -> None:
    """The first incorrect answer is the first that is not blank."""
    rows, _ = loaded(tmp_path / "t.csv", table(("Q", "B", " ;; W ;X;")))
    assert rows[1].candidate == "W"


def test_byte_order_mark(tmp_path: Path) -> None:
    """A byte order mark changes nothing."""
    content = table(("Q", "B", "W"))
    plain, _ = loaded(tmp_path / "a.csv", content)
    marked, _ = loaded(tmp_path / "b.csv", "\ufeff" + content)
    assert marked == plain


def test_ids_count_all_rows(tmp_path: Path) -> None:
    """The id is the row of the file, skipped rows counted too."""
    content = table(("Q", "B", "W"), ("Q", "B", " ; "), ("Q", "B", "W"))
    rows, skips = loaded(tmp_path / "t.csv", content)
    assert [row.question_id for row in rows] == ["0", "0", "2", "2"]
    assert [(skip.question_id, skip.reason) for skip in skips] == [("1", "no incorrect answer")]


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (("", "B", "W"), "'Question' is empty"),
        (("Q", " ", "W"), "'Best Answer' is empty"),
        (("Q", "B", ""), "'Incorrect Answers' is empty"),
        (("Q", "B", ";"), "no incorrect answer"),
        (("Q", "B", "B;W"), "the neg candidate equals the reference"),
    ],
)
def test_skips(tmp_path: Path, row: tuple[str, str, str], reason: str) -> None:
    """A question that gives no pair is skipped with its reason, and the others stay."""
    rows, skips = loaded(tmp_path / "t.csv", table(row, ("Q", "B", "W")))
    assert [skip.reason for skip in skips] == [reason]
    assert len(rows) == 2


def test_short_row(tmp_path: Path) -> None:
    """A row that ends before an obligatory column is skipped, not filled."""
    rows, skips = loaded(tmp_path / "t.csv", table(("Q", "B", "W")) + "Adversarial,C,Q\r\n")
    assert len(rows) == 2
    assert [skip.reason for skip in skips] == ["lacks 'Best Answer'"]


def test_other_layout(tmp_path: Path) -> None:
    """A file without the columns is refused, naming what was found and what is missing."""
    with pytest.raises(BadInputError, match=r"o\.csv.*'truthfulqa'.*found question, answer.*Best Answer"):
        loaded(tmp_path / "o.csv", "question,answer\nQ,A\n")


def test_no_rows(tmp_path: Path) -> None:
    """A file of a header alone is refused."""
    with pytest.raises(BadInputError, match="found no fields"):
        loaded(tmp_path / "t.csv", ",".join(HEADER) + "\n")
