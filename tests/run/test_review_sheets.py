"""Sheets of a run come back filled in, and nobody's work is written over."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from pathlib import Path

import pytest

from judgeray.analysis.averaging.diagnostic import NO_ANNOTATIONS
from judgeray.cli.main import main
from judgeray.run.review_sheets import is_filled_in
from tests.studies.averaging.scripted_summaries import (
    CLAIMS,
    GPT,
    HAIKU,
    SIX,
    honest,
    manifest_of,
    scripted,
    study,
    summary,
    write_summaries,
)
from tests.studies.scripted_judges import Judge

HEADER = "summary_id,sentence_index,sentence,annotation\n"


@pytest.mark.parametrize(
    ("text", "filled"),
    [
        (HEADER, False),
        (HEADER + "a,0,It is.,\na,1,It was.,\n", False),
        (HEADER + "a,0,It is.,\na,1,It was.,Unclear\n", True),
        (HEADER.replace(",", ";") + "a;0;It is.;\n", True),
        (HEADER + 'a,0,"It is.,\n', True),
        ("summary_id,sentence_index\na,0\n", True),
    ],
)
def test_work_is_recognised(tmp_path: Path, text: str, filled: bool) -> None:
    """An annotation, or anything that was not written here: another separator, broken quotes, other columns."""
    path = tmp_path / "review.csv"
    path.write_text(text, encoding="utf-8")
    assert is_filled_in(path) is filled


def test_a_sheet_in_another_encoding_is_somebodys(tmp_path: Path) -> None:
    """A spreadsheet may save as it likes."""
    path = tmp_path / "review.csv"
    path.write_bytes((HEADER + "a,0,Été.,\n").encode("latin-1"))
    assert is_filled_in(path)


def test_no_sheet_is_not_filled_in(tmp_path: Path) -> None:
    """There is nothing to lose."""
    assert not is_filled_in(tmp_path / "review.csv")


def filled(sheet: Path, answers: Mapping[tuple[str, str], str], to: Path) -> None:
    """Fill in a sheet as an annotator does."""
    with sheet.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    with to.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        for row in rows:
            answer = answers.get((row["summary_id"], row["sentence_index"]), "")
            writer.writerow(row | {"annotation": answer})


def test_a_filled_in_sheet_comes_back_as_confirmed(tmp_path: Path) -> None:
    """The sheet of a run, filled in and named under `reviews`, tells how many flagged sentences are wrong."""
    first = study(tmp_path)
    sheet = first.run / "review" / "review.csv"
    with sheet.open(encoding="utf-8", newline="") as file:
        asked = [(row["summary_id"], row["sentence_index"]) for row in csv.DictReader(file)]
    assert asked == [("b:1", "1"), ("d:1", "2")]
    assert "confirmed" not in {path.stem for path in (first.run / "tables").glob("*.csv")}
    filled(sheet, {asked[0]: "Unfaithful"}, tmp_path / "sheet.csv")
    second = study(tmp_path, f"{CLAIMS}, reviews: '{{folder}}/sheet.csv'")
    line = second.line("confirmed")
    counted = ("dataset", "sentences", "unfaithful", "faithful", "unclear", "blank", "confirmed_share")
    assert [line[name] for name in counted] == ["mine", 2, 1, 0, 0, 1, 1.0]
    assert "What reviewers say" in (second.run / "report.md").read_text("utf-8")


def test_a_sheet_that_is_filled_in_stays(tmp_path: Path) -> None:
    """Nobody's work is written over: a sheet filled in where it stands serves as it is, again and again."""
    first = study(tmp_path)
    sheet = first.run / "review" / "review.csv"
    filled(sheet, {("b:1", "1"): "Unfaithful", ("d:1", "2"): "Unclear"}, tmp_path / "copy.csv")
    sheet.write_bytes((tmp_path / "copy.csv").read_bytes())
    again = study(tmp_path, f"{CLAIMS}, reviews: '{{folder}}/run/review/review.csv'")
    assert again.line("confirmed")["confirmed_share"] == 0.5
    assert main(["analyze", str(again.run)]) == 0
    assert sheet.read_bytes() == (tmp_path / "copy.csv").read_bytes()


def test_without_annotations_a_sample_is_laid_out(tmp_path: Path) -> None:
    """A sheet of whole summaries; filled in and named under `annotations`, it measures the judges."""
    first = study(tmp_path, "sentences: pysbd")
    assert first.line("diagnostic", judge="gpt")["conclusion"] == NO_ANNOTATIONS
    sheet = first.run / "review" / "sample.csv"
    with sheet.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 16
    truth = {(row["summary_id"], row["sentence_index"]): "Faithful" if "right" in row["sentence"] else "Unfaithful"
             for row in rows}  # fmt: skip
    filled(sheet, truth, tmp_path / "sample.csv")
    second = study(tmp_path, "annotations: '{folder}/sample.csv'")
    line = second.line("diagnostic", judge="gpt")
    assert (line["annotated"], line["compared"], line["eps"]) == (16, 16, 0.0)


def test_suspicious_summaries_need_all_judges(tmp_path: Path) -> None:
    """One judge that objects to nothing leaves nothing to review."""
    write_summaries(tmp_path, [*SIX, summary("e:1", "10", 1)])
    judges: dict[str, Judge] = {"gpt-4.1": honest, "claude-haiku-4-5": lambda call: '{"faithful": 1}'}
    made = scripted(tmp_path, manifest_of(judges=f"{GPT}, {HAIKU}"), judges)
    assert made.line("suspicious")["suspicious"] == 0
    assert (made.run / "review" / "review.csv").read_text("utf-8").count("\n") == 1
