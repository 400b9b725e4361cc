"""Annotations and reviews find their sentences before any call, and are kept with the run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from judgeray.core.errors import BadInputError
from judgeray.run.annotated import ANNOTATIONS, REVIEWS, annotations_of, keep_annotations, reviews_of
from judgeray.run.resolve import Experiment, read_experiment
from tests.studies.averaging.scripted_summaries import (
    GPT,
    SIX,
    annotations_csv,
    manifest_of,
    summary,
    write_summaries,
    written,
)

HEADER = "summary_id,sentence_index,annotation"
MARKS = "annotations: '{folder}/marks.csv'"
TWO = "x: {layout: table, path: '{folder}/rows.jsonl'}, y: {layout: table, path: '{folder}/more.jsonl'}"


def study(folder: Path, text: str, averaging: str = MARKS, datasets: str = "", **options: Any) -> Experiment:
    """Six summaries, and a file of marks on them."""
    write_summaries(folder, [*SIX, summary("s:1", "1", 1)])
    write_summaries(folder, [summary("y:1", "10", 1), *SIX[:2]], "more.jsonl")
    (folder / "marks.csv").write_text(text, encoding="utf-8")
    return read_experiment(written(folder, manifest_of(averaging, GPT, datasets)), **options)


def rows(frame: pl.DataFrame | None) -> list[tuple[Any, ...]]:
    """The rows of marks that must be there."""
    assert frame is not None
    return frame.rows()


def test_marks_get_their_dataset(tmp_path: Path) -> None:
    """A file that does not say is about the one dataset that holds the summary."""
    experiment = study(tmp_path, f"{HEADER}\na:2,3,Faithful\ny:1,0,Unclear\n", datasets=TWO)
    assert rows(annotations_of(experiment)) == [
        ("x", "a:2", 3, "Faithful", "annotator"), ("y", "y:1", 0, "Unclear", "annotator")
    ]  # fmt: skip


def test_a_file_may_name_the_dataset(tmp_path: Path) -> None:
    """Then a summary that two datasets hold is one of them, and several annotators stand beside each other."""
    text = f"{HEADER},dataset,annotator\na:1,0,Faithful,y,p\na:1,0,Unfaithful,y,q\na:1,0,Unclear,x,p\n"
    assert rows(annotations_of(study(tmp_path, text, datasets=TWO))) == [
        ("y", "a:1", 0, "Faithful", "p"), ("y", "a:1", 0, "Unfaithful", "q"), ("x", "a:1", 0, "Unclear", "p")
    ]  # fmt: skip


def test_what_is_not_judged_is_left_out(tmp_path: Path) -> None:
    """Marks on single sentences, and on documents beyond the limit, serve no judge and are no mistake."""
    text = f"{HEADER}\na:1,0,Faithful\ns:1,0,Faithful\nd:1,2,Unfaithful\n"
    assert [row[1] for row in rows(annotations_of(study(tmp_path, text)))] == ["a:1", "d:1"]
    assert [row[1] for row in rows(annotations_of(study(tmp_path, text, limit=1)))] == ["a:1"]


@pytest.mark.parametrize("limit", [None, 1])
def test_a_limit_hides_no_mistake(tmp_path: Path, limit: int | None) -> None:
    """A sentence that the whole file does not have is named, however little of it is judged."""
    experiment = study(tmp_path, f"{HEADER}\na:1,0,Faithful\nd:1,3,Faithful\n", limit=limit)
    with pytest.raises(BadInputError, match=r"marks\.csv: row 2: summary_id: found 'd:1' sentence 3"):
        annotations_of(experiment)


def test_marks_of_nothing_that_is_judged_are_none(tmp_path: Path) -> None:
    """An empty file in the run directory would be a mistake of its own."""
    experiment = study(tmp_path, f"{HEADER}\ns:1,0,Faithful\n")
    assert annotations_of(experiment) is None
    keep_annotations(experiment, tmp_path)
    assert not (tmp_path / ANNOTATIONS).exists()


def test_sentences_may_be_spaced_otherwise(tmp_path: Path) -> None:
    """Blanks and an apostrophe that protects from formulas make no other sentence."""
    text = f"{HEADER},sentence\na:1,0,Faithful,'Point 0  of a:1 is right. \na:1,1,Faithful,\n"
    assert len(rows(annotations_of(study(tmp_path, text)))) == 2


def test_a_benchmarks_own_annotations_are_about_its_own_sentences(tmp_path: Path) -> None:
    """What most voters say, sentence by sentence; even votes say nothing."""
    votes = {"yes": ["yes"] * 3, "no": ["no"] * 2, "even": ["yes", "no"]}
    told = [("It is so.", "yes"), ("It is not.", "no"), ("Is it?", "even")]
    sentences = [{"sentence": s, "responses": [{"response": r} for r in votes[v]]} for s, v in told]
    write_summaries(tmp_path, [{"article": "So.", "summary_sentences": sentences}], "votes.jsonl")
    own = "quotes: {layout: qags, path: '{folder}/votes.jsonl'}"
    experiment = study(tmp_path, "", "sentences: own, annotations: own", own)
    assert [(row[0], row[2], row[3], row[4]) for row in rows(annotations_of(experiment))] == [
        ("quotes", 0, "Faithful", "own"), ("quotes", 1, "Unfaithful", "own")
    ]  # fmt: skip


def test_reviews_keep_what_is_still_blank(tmp_path: Path) -> None:
    """A sheet that is filled in by half is kept whole."""
    experiment = study(tmp_path, f"{HEADER}\nb:1,1,Unfaithful\nd:1,2,\n", "reviews: '{folder}/marks.csv'")
    assert rows(reviews_of(experiment)) == [
        ("mine", "b:1", 1, "Unfaithful", "annotator"), ("mine", "d:1", 2, None, "annotator")
    ]  # fmt: skip
    assert annotations_of(experiment) is None


def test_both_are_kept_with_the_run_and_removed_again(tmp_path: Path) -> None:
    """The run directory holds what its manifest names, and no more."""
    both = f"{MARKS}, reviews: '{{folder}}/marks.csv'"
    keep_annotations(study(tmp_path, annotations_csv(SIX), both), tmp_path)
    for name in (ANNOTATIONS, REVIEWS):
        kept = pl.read_csv(tmp_path / name)
        assert (kept.height, set(kept["dataset"])) == (16, {"mine"})
    keep_annotations(study(tmp_path, "", "sentences: pysbd"), tmp_path)
    assert not (tmp_path / ANNOTATIONS).exists()
    assert not (tmp_path / REVIEWS).exists()


def test_other_studies_have_neither(tmp_path: Path) -> None:
    """A grid is not asked for annotations of sentences."""
    text = f"name: n\ndatasets: {{truthfulqa: {{path: 'sample:truthfulqa'}}}}\njudges: {{{GPT}}}\n"
    experiment = read_experiment(written(tmp_path, f"{text}grid: [{{designs: [C], judges: [gpt]}}]\n"))
    assert annotations_of(experiment) is None
    assert reviews_of(experiment) is None


def test_odd_ids_are_found(tmp_path: Path) -> None:
    """Lone surrogates, formulas and line breaks in ids: marks find their summary through a file and back."""
    names = ["\ud800:1", "=1+1:1", "a\nb:1", "'tis:1", "\x00:1"]
    write_summaries(tmp_path, [summary(name, "10", 1) for name in names], "odd.jsonl")
    marks = [{"summary_id": name, "sentence_index": 0, "annotation": "Faithful"} for name in names]
    write_summaries(tmp_path, marks, "odd_marks.jsonl")
    source = "mine: {layout: table, path: '{folder}/odd.jsonl'}"
    experiment = study(tmp_path, "", "annotations: '{folder}/odd_marks.jsonl'", source)
    assert [row[1] for row in rows(annotations_of(experiment))] == ["\\ud800:1", *names[1:]]
    keep_annotations(experiment, tmp_path)
    again = study(tmp_path, "", f"annotations: '{tmp_path / ANNOTATIONS}'", source)
    assert rows(annotations_of(again)) == rows(annotations_of(experiment))
