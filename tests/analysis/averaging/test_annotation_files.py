"""Annotations of sentences: read from any table, every defect named, and put where they belong."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

from judgeray.analysis.averaging.annotation_files import read_annotations, read_review_sheet
from judgeray.analysis.averaging.annotations import LOCATED, located
from judgeray.core.errors import BadInputError
from tests.analysis.averaging.made_sentences import claims_said, said, sentence_log

HEADER = "summary_id,sentence_index,annotation\n"
ALLOWED = "allowed: Faithful, Unclear, Unfaithful."


def file(folder: Path, text: str, name: str = "labels.csv") -> Path:
    """Write a file."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def refused(path: Path) -> str:
    """Read a file that must be refused; what is said after its name."""
    with pytest.raises(BadInputError) as error:
        read_annotations(path)
    message = str(error.value)
    assert message.startswith(f"{path}: ")
    assert "\n" not in message
    return message.removeprefix(f"{path}: ")


@pytest.mark.parametrize("form", ["csv", "jsonl", "json", "parquet"])
def test_formats_give_the_same(form: str, tmp_path: Path) -> None:
    """CSV, JSON Lines, a JSON list and Parquet; indices are numbers or text."""
    frame = pl.DataFrame({"summary_id": ["s", "7"], "sentence_index": [0, 2], "annotation": ["Faithful", "Unclear"],
                          "note": ["", "x"]})  # fmt: skip
    path = tmp_path / f"labels.{form}"
    if form == "csv":
        frame.write_csv(path)
    elif form == "parquet":
        frame.write_parquet(path)
    else:
        records = frame.to_dicts()
        path.write_text(json.dumps(records) if form == "json" else "\n".join(map(json.dumps, records)))
    found = read_annotations(path)
    assert found.drop("place").rows() == [
        (None, "s", 0, None, "annotator", "Faithful"), (None, "7", 2, None, "annotator", "Unclear")
    ]  # fmt: skip
    assert found["place"].to_list() == [f"{path}: row 1", f"{path}: row 2"]


def test_dataset_claim_and_annotator_are_read(tmp_path: Path) -> None:
    """Optional columns, in any order."""
    header = "annotator,annotation,claim_index,sentence_index,summary_id,dataset\n"
    found = read_annotations(file(tmp_path, header + "ann,Unfaithful,3,1,s,d\n"))
    assert found.drop("place").rows() == [("d", "s", 1, 3, "ann", "Unfaithful")]


def test_an_apostrophe_before_a_formula_is_taken_off(tmp_path: Path) -> None:
    """Sheets put one before ids that a spreadsheet would compute; other apostrophes stay."""
    path = file(tmp_path, HEADER + "'-5,0,Faithful\n'tis,0,Faithful\n'=1,0,Faithful\n")
    assert read_annotations(path)["summary_id"].to_list() == ["-5", "'tis", "=1"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        (HEADER, "no rows: the file is empty"),
        ("summary_id,annotation\ns,Faithful\n",
         "missing column 'sentence_index'; columns found: annotation, summary_id"),
        (HEADER + "s,0,Faithfull\n", f"row 1: annotation: found 'Faithfull', {ALLOWED} Did you mean 'Faithful'?"),
        (HEADER + "s,0,Faithful\ns,1,\n", f"row 2: annotation: found '', {ALLOWED}"),
        (HEADER + ",0,Faithful\n", "row 1: summary_id: found nothing, allowed: a value in every row"),
        (HEADER + "s,,Faithful\n", "row 1: sentence_index: found nothing, allowed: a whole number from 0"),
        (HEADER + "s,first,Faithful\n", "row 1: sentence_index: found 'first', expected a whole number"),
        (HEADER + "s,0,Faithful\nt,0,Faithful\ns,0,Unclear\n",
         "row 3: summary_id: found 's', sentence 0 a second time by annotator 'annotator', allowed: one each"),
    ],
)  # fmt: skip
def test_each_mistake_has_one_clear_message(text: str, message: str, tmp_path: Path) -> None:
    """File, row, column, what was found and what is allowed."""
    assert refused(file(tmp_path, text)) == message


def test_two_annotators_may_say_the_same_sentence(tmp_path: Path) -> None:
    """Twice is a mistake for one annotator only, and of one dataset."""
    path = file(tmp_path, "summary_id,sentence_index,annotation,annotator,dataset\n"
                "s,0,Faithful,a,d\ns,0,Unfaithful,b,d\ns,0,Faithful,a,e\n")  # fmt: skip
    assert read_annotations(path).height == 3


def test_files_that_cannot_be_read_are_told(tmp_path: Path) -> None:
    """A missing file, an ending that nobody knows, bytes that are no text."""
    assert refused(tmp_path / "none.csv") == "cannot be read: No such file or directory"
    assert refused(file(tmp_path, "x", "labels.txt")).startswith("file name ending: found '.txt', allowed: .csv")
    broken = tmp_path / "broken.csv"
    broken.write_bytes(HEADER.encode() + b"s,0,F\xff\n")
    assert refused(broken) == "line 2 is not UTF-8: found byte 0xff"


def test_a_sheet_may_be_filled_in_by_and_by(tmp_path: Path) -> None:
    """Blank annotations are null; a sheet of nothing else is refused, and so is a wrong word."""
    path = file(tmp_path, HEADER + "s,0,\ns,1,Unfaithful\n")
    assert read_review_sheet(path)["annotation"].to_list() == [None, "Unfaithful"]
    with pytest.raises(BadInputError, match="annotation: found nothing in any row, allowed: Faithful, Unfaithful"):
        read_review_sheet(file(tmp_path, HEADER + "s,0,\n", "blank.csv"))
    with pytest.raises(BadInputError, match="row 1: annotation: found 'yes', allowed: Faithful"):
        read_review_sheet(file(tmp_path, HEADER + "s,0,yes\n", "wrong.csv"))


def log() -> pl.DataFrame:
    """Two datasets that share a summary id, and one summary of its own in the first."""
    return sentence_log(
        said({"a:1": ("10", 1), "b:1": ("11", 0)}, dataset="x")
        + said({"a:1": ("11", 1)}, dataset="y")
        + claims_said({"a:1/0": ("10", 1)}, dataset="x")
    )


def place(folder: Path, text: str, unit: str = "sentence", partial: bool = False) -> pl.DataFrame:
    """Read and locate."""
    return located(read_annotations(file(folder, text)), log(), unit, partial=partial)  # type: ignore[arg-type]


def test_annotations_find_their_sentences(tmp_path: Path) -> None:
    """By summary and index, and by dataset where an id stands in several."""
    found = place(tmp_path, "dataset,summary_id,sentence_index,annotation\n,b:1,1,Unfaithful\ny,a:1,0,Unclear\n")
    assert found.schema == pl.Schema(LOCATED)
    assert found.rows() == [
        ("x", "b", "b:1", None, 1, 2, "annotator", True, 0), ("y", "a", "a:1", None, 0, 2, "annotator", False, None)
    ]  # fmt: skip


def test_annotations_of_claims_find_their_claims(tmp_path: Path) -> None:
    """One level down the index of the claim is needed; sentences have none."""
    text = "summary_id,sentence_index,claim_index,annotation\na:1,0,1,Faithful\n"
    assert place(tmp_path, text, "claim").rows() == [("x", "a", "a:1", 0, 1, 2, "annotator", True, 1)]
    with pytest.raises(BadInputError, match="row 1: claim_index: found '1', allowed: nothing, for sentences"):
        place(tmp_path, text)
    with pytest.raises(BadInputError, match="row 1: claim_index: found nothing, allowed: the index of a claim"):
        place(tmp_path, HEADER + "a:1,0,Faithful\n", "claim")


def test_unknown_sentences_are_counted_and_the_first_named(tmp_path: Path) -> None:
    """Four unknown: the first with its row, three by name; a log of part of a run leaves them out."""
    rows = "".join(f"{name},Faithful\n" for name in ("b:1,0", "b:1,7", "z,0", "z,1", "z,2"))
    with pytest.raises(BadInputError) as error:
        place(tmp_path, HEADER + rows)
    assert str(error.value).endswith(
        "row 2: summary_id: found 'b:1' sentence 7, allowed: those of the log; 4 are unknown: 'b:1' sentence 7, "
        "'z' sentence 0, 'z' sentence 1, ..."
    )
    assert place(tmp_path, HEADER + rows, partial=True).height == 1
    other = "dataset,summary_id,sentence_index,annotation\ny,b:1,0,Faithful\n"
    with pytest.raises(BadInputError, match="found 'b:1' sentence 0 of dataset 'y', allowed: those of the log"):
        place(tmp_path, other)


def test_an_id_of_several_datasets_must_say_which(tmp_path: Path) -> None:
    """Both datasets are named."""
    with pytest.raises(BadInputError, match="found 'a:1', which stands in datasets x, y; column 'dataset' must"):
        place(tmp_path, HEADER + "a:1,0,Faithful\n")
